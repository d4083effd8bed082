package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// TransferFee is the part of a transfer that a Token-2022 mint withholds.
type TransferFee struct {
	BasisPoints uint16
	Most        uint64
}

// of is the fee of an amount, rounded up as the token program does.
func (f TransferFee) of(amount uint64) uint64 {
	const whole = 10_000
	return min(portion.Up(amount, uint64(min(f.BasisPoints, whole)), whole), f.Most)
}

// withheld is the most that the Token-2022 fee may take of a transfer among our own
// accounts: the fee that the instruction or the mint names, and of an unknown
// Token-2022 mint, whose extensions may withhold anything, the whole amount. An
// intent that names the mint allows no more of it than its caps: a transfer can be
// repeated.
func (c *checker) withheld(o *operation, m program.TokenMove, mint Key) uint64 {
	if slices.Contains(c.judge.Policy.Mints, mint) {
		return m.Fee
	}
	fee, known := c.transferFee(o, m, mint)
	if !known {
		return m.Amount
	}
	return fee
}

// transferFee returns the part of a transfer that is withheld, if instruction, mint or
// resolver tell. In a simulated call the outcome tells.
func (c *checker) transferFee(o *operation, m program.TokenMove, mint Key) (fee uint64, known bool) {
	if o.simulated || o.Program != program.Token2022 || o.Data[0] == program.TokenTransferFee ||
		mint == program.NativeMint2022 {
		return m.Fee, true
	}
	if c.node != nil {
		if fee, known := c.node.TransferFee(c.ctx, mint); known {
			return fee.of(m.Amount), true
		}
	}
	return 0, false
}
