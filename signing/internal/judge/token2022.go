package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
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

// lent refuses a transfer that lends our signature to the mint's transfer hook.
// Token-2022 passes on to the hook whichever accounts the hook lists, and their
// signatures with them: the hook can then do in our name what it likes, however
// little the transfer moves. It takes the signature off the authority alone, and
// can call no hook with a list where every further account signs, as a
// multisig's signers do: the list's address has no key.
func (c *checker) lent(o *operation, m program.TokenMove) *rule.Refusal {
	authority := o.At(m.Authorities)
	allSign := true
	var us *Key
	for i := m.Authorities + 1; i < o.Count(); i++ {
		allSign = allSign && o.Signs(i)
		if k := o.At(i); us == nil && c.signs(k) && (authority == nil || *k != *authority) {
			us = k
		}
	}
	if us == nil || allSign {
		return nil
	}
	return o.refuse(rule.TokenTransfer,
		"your signature as the transfer's authority, or as a multisig's signer without accounts for a transfer hook",
		"a transfer whose mint may call a hook with the signature of %s, by authority %s", us, describe(authority))
}
