package judge

import (
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// nonce allows a durable nonce if the caller opted in to exactly this nonce:
// a signature over such a transaction never expires.
func (c *checker) nonce(o *operation) *rule.Refusal {
	const allowed = "a blockhash, or the durable nonce that you named, advanced first by you"
	if o.simulated && !c.reachesKeys(o) {
		return nil
	}
	if o.SystemTag() != program.AdvanceNonce {
		return o.refuse(rule.SystemNonce, allowed, "nonce instruction %d", o.SystemTag())
	}
	n := c.want.nonce
	switch account, authority := o.At(0), o.At(2); {
	case n == nil:
		return o.refuse(rule.SystemNonce, allowed, "a durable nonce %s", describe(account))
	case o.instruction != 0 || o.simulated:
		return o.refuse(rule.SystemNonce, allowed, "a nonce advanced later than first")
	case account == nil || *account != n.Account:
		return o.refuse(rule.SystemNonce, allowed, "the durable nonce %s", describe(account))
	case authority == nil || *authority != c.want.owner:
		return o.refuse(rule.SystemNonce, allowed, "the nonce authority %s", describe(authority))
	}
	c.note(o, NoteNonce, o.At(0), nil, "")
	return nil
}

// advancesNonce reports whether the transaction's lifetime is a durable nonce
// that the caller opted in to.
func (c *checker) advancesNonce() bool {
	if c.want.nonce == nil {
		return false
	}
	cursor := c.tx.Instructions()
	if !cursor.Next() {
		return false
	}
	called := c.tx.Key(int(cursor.Program))
	call := program.Call{Data: cursor.Data}
	return called != nil && *called == program.System && call.SystemTag() == program.AdvanceNonce
}
