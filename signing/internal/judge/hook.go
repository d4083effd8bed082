package judge

import (
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

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
		"our signature as the transfer's authority, or as a multisig's signer without accounts for a transfer hook",
		"a transfer whose mint may call a hook with the signature of %s, by authority %s", us, describe(authority))
}
