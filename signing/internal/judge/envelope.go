package judge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// maxLifetime is how many blocks past the current height a blockhash can end:
// 150, and 64 more for a node that lags.
const maxLifetime = 214

// envelope applies what holds whatever the instructions are.
func (c *checker) envelope() {
	o := c.whole()
	c.findings.refuse(c.payer(&o))
	c.findings.refuse(c.signers(&o))
	c.findings.refuse(c.lifetime(&o))
}

// payer: the fee payer is a named sponsor, or the owner if the intent names no
// sponsor, and the owner is asked to sign.
func (c *checker) payer(o *operation) *rule.Refusal {
	switch payer := c.tx.Key(0); {
	case slices.Contains(c.want.sponsors, *payer):
	case c.want.sponsored:
		return o.refuse(rule.Signers, "the sponsor that you named as fee payer", "fee payer %s", payer)
	case *payer != c.want.owner:
		return o.refuse(rule.Signers, "the owner or a named sponsor as fee payer", "fee payer %s", payer)
	}
	i := c.tx.SignerIndex(&c.want.owner)
	if i < 0 {
		return o.refuse(rule.Signers, "the owner among the required signers", "no signature asked of %s", c.want.owner)
	}
	if slot := c.tx.Slot(i); *slot != (txwire.Signature{}) && !slot.Verify(&c.want.owner, c.tx.Message()) {
		return o.refuse(rule.Signers, "an empty slot of the owner's, or its valid signature",
			"another signature in the owner's slot")
	}
	return nil
}

// signers: every other signer is named, has signed, or is among the few that
// may sign late.
func (c *checker) signers(o *operation) (refused *rule.Refusal) {
	late, most := 0, c.judge.Policy.LateCoSigners
	for i := range c.tx.Signers() {
		key, slot := c.tx.Key(i), c.tx.Slot(i)
		if *key == c.want.owner {
			continue
		}
		if slices.Contains(c.want.sponsors, *key) || slices.Contains(c.want.coSigners, *key) {
			if *slot != (txwire.Signature{}) && slot.Verify(key, c.tx.Message()) {
				c.signer(*key, false)
				continue
			}
			t := &c.findings.Transactions[c.index]
			t.Named = append(t.Named, *key)
			continue
		}
		signed := *slot != (txwire.Signature{})
		c.signer(*key, !signed)
		switch {
		case signed && !slot.Verify(key, c.tx.Message()):
			refused = cmp.Or(refused, o.refuse(rule.Signers, "valid signatures", "an invalid signature of %s", key))
		case !signed:
			if late++; late > most {
				refused = cmp.Or(refused,
					o.refuse(rule.Signers, fmt.Sprintf("signers that are named or have signed, and %d that sign later", most),
						"signer %s, who is neither", key))
			}
		}
	}
	return refused
}

// lifetime: a blockhash that is the service's, and an end that is near, of what is not
// executed yet.
func (c *checker) lifetime(o *operation) *rule.Refusal {
	if c.executed() {
		return nil
	}
	blockhash := *c.tx.Blockhash()
	if blockhash.IsZero() {
		return o.refuse(rule.Lifetime, "a blockhash", "a blockhash of zeros")
	}
	if c.advancesNonce() {
		if blockhash != c.want.nonce.Value {
			return o.refuse(rule.Lifetime, "the nonce's value "+c.want.nonce.Value.String(), "nonce value %s", blockhash)
		}
		return nil
	}
	if !c.want.blockhash.IsZero() && blockhash != c.want.blockhash {
		return o.refuse(rule.Lifetime, "the blockhash that the service named, "+c.want.blockhash.String(),
			"blockhash %s", blockhash)
	}
	now, end := c.want.height, c.want.lastValid
	if now == 0 || end == 0 {
		return nil
	}
	allowed := fmt.Sprintf("an end in the %d blocks after %d", maxLifetime, now)
	switch {
	case end <= now:
		return o.refuse(rule.Lifetime, allowed, "an end at block height %d", end)
	case end-now > maxLifetime:
		return o.refuse(rule.Lifetime, allowed,
			"an end at block height %d: the node that told the height is behind, or the service names a wrong end", end)
	}
	return nil
}
