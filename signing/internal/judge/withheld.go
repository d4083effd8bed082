package judge

import (
	"math/bits"
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// TransferFee is what a Token-2022 mint withholds from a transfer.
type TransferFee struct {
	BasisPoints uint16
	Most        uint64
}

// of is the fee of an amount, rounded up as the token program does.
func (f TransferFee) of(amount uint64) uint64 {
	const whole = 10_000
	high, low := bits.Mul64(amount, uint64(min(f.BasisPoints, whole)))
	fee, rest := bits.Div64(high, low, whole)
	if rest > 0 {
		fee++
	}
	return min(fee, f.Most)
}

// withheld is the most that may be lost of a transfer among our own accounts:
// the fee that the instruction or the mint names, and of an unknown Token-2022
// mint, whose extensions may withhold anything, the whole amount.
func (c *checker) withheld(o *operation, m program.TokenMove, mint Key) uint64 {
	if o.simulated || o.Program != program.Token2022 || o.Data[0] == program.TokenTransferFee ||
		mint == program.NativeMint2022 || c.namesMint(mint) {
		return m.Fee
	}
	if c.node != nil {
		if fee, known := c.node.TransferFee(c.ctx, mint); known {
			return fee.of(m.Amount)
		}
	}
	return m.Amount
}

// namesMint reports whether the intent or the policy names a mint.
func (c *checker) namesMint(mint Key) bool {
	for _, limits := range [][]caps.Limit{c.want.caps.Spend, c.want.caps.Burn, c.want.receive, c.want.caps.Fee} {
		if slices.ContainsFunc(limits, func(l caps.Limit) bool { return l.Mint == mint }) {
			return true
		}
	}
	return slices.Contains(c.want.burnAll, mint) || slices.Contains(c.judge.Policy.Mints, mint)
}
