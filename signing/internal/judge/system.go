package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// system is the System program's row.
func (c *checker) system(o *operation) *rule.Refusal {
	switch o.SystemTag() {
	case program.Transfer, program.TransferWithSeed:
		return c.systemTransfer(o)
	case program.CreateAccount, program.CreateAccountWithSeed, program.CreateAllowPrefund:
		return c.systemCreate(o)
	case program.AdvanceNonce, program.WithdrawNonce, program.InitializeNonce,
		program.AuthorizeNonce, program.UpgradeNonce:
		return c.nonce(o)
	case program.Assign, program.Allocate, program.AllocateWithSeed, program.AssignWithSeed:
		if o.simulated && !c.reachesKeys(o) {
			return nil // a token account that is made at an address with lamports
		}
		if c.touchesOurs(o) {
			return o.refuse(rule.SystemAssign, "no assignment or allocation of an account of yours",
				"instruction %d, which reaches an account of yours", o.SystemTag())
		}
		return nil
	}
	if c.touchesOurs(o) {
		return o.refuse(rule.SystemUnknown, "transfers and creates, well formed",
			"instruction %d with %d bytes, which reaches an account of yours", o.SystemTag(), len(o.Data))
	}
	return nil
}

// touchesOurs reports whether any account of the operation is ours, or may be.
func (c *checker) touchesOurs(o *operation) bool {
	for i := range o.Count() {
		k := o.At(i)
		if k == nil || c.signs(k) || c.ours(k, o) {
			return true
		}
	}
	return false
}

// reachesKeys reports whether the owner, a key of ours or a listed account that is there is
// among the accounts, leaving out those that only a program can sign for.
func (c *checker) reachesKeys(o *operation) bool {
	for i := range o.Count() {
		if k := o.At(i); k != nil && (c.signs(k) || c.listed(*k) != nil && !c.shownUnmade(k)) {
			return true
		}
	}
	return false
}

// shownUnmade reports an account that is not there before the transaction.
func (c *checker) shownUnmade(k *Key) bool {
	if c.seen == nil {
		return false
	}
	i := slices.Index(c.seen.accounts, *k)
	return i >= 0 && c.seen.before[i].Lamports == 0
}

func (c *checker) systemTransfer(o *operation) *rule.Refusal {
	move, ok := o.ReadSystemMove()
	if !ok {
		return o.refuse(rule.SystemUnknown, "a whole transfer", "a transfer with %d bytes and %d accounts",
			len(o.Data), o.Count())
	}
	if !c.signs(move.By) && !c.ours(move.From, o) {
		if c.keeps(move.To, o) {
			c.arrives(o, *move.To, program.NativeMint, move.Lamports)
		}
		return nil
	}
	if move.Lamports == 0 {
		c.note(o, NoteZero, move.From, move.To, "")
	}
	if c.keeps(move.To, o) {
		c.findings.stays(o.site(), program.NativeMint, move.Lamports, move.To)
		return nil
	}
	out := outgoing{
		rule:   rule.SystemTransfer,
		mint:   program.NativeMint,
		amount: move.Lamports,
		from:   move.From,
		to:     move.To,
		may:    caps.Tip | c.fees(o, move.To, program.NativeMint, program.Token),
	}
	switch {
	case c.named(c.want.payTo, move.To, program.NativeMint, program.Token),
		c.named(c.want.outputTo, move.To, program.NativeMint, program.Token):
		out.may |= c.spends(o, move.To, program.NativeMint, program.Token)
	case o.simulated:
		c.spendInCall(o, out)
		return nil
	}
	c.spend(o.site(), out)
	return nil
}
