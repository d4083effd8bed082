package signing

import (
	"fmt"
	"slices"
)

// maxLifetime is how many blocks past the current height a blockhash can end:
// 150, and 64 more for a node that is behind.
const maxLifetime = 214

// envelope applies what holds whatever the instructions are.
func (c *checker) envelope() *GuardError {
	o := operation{check: c, instruction: EnvelopeInstruction}
	if err := c.payer(&o); err != nil {
		return err
	}
	if err := c.signers(&o); err != nil {
		return err
	}
	return c.lifetime(&o)
}

// payer: the owner or a named sponsor, and the owner is asked to sign.
func (c *checker) payer(o *operation) *GuardError {
	payer := c.tx.FeePayer()
	if payer != c.want.owner && !slices.Contains(c.want.sponsors, payer) {
		return o.refuse(RuleSigners, "the owner or a named sponsor as fee payer", "fee payer %s", payer)
	}
	i := c.tx.signerIndex(c.want.owner)
	if i < 0 {
		return o.refuse(RuleSigners, "the owner among the required signers", "no signature asked of %s", c.want.owner)
	}
	if slot := c.tx.slot(i); !slot.IsZero() && !slot.Verify(c.want.owner, c.tx.messageView()) {
		return o.refuse(RuleSigners, "an empty slot of the owner's, or its valid signature", "another signature in the owner's slot")
	}
	return nil
}

// signers: whoever else signs is named, has signed, or is among the few who
// may sign late.
func (c *checker) signers(o *operation) *GuardError {
	late := 0
	for i := range min(int(c.tx.required), c.tx.keyCount) {
		key, slot := c.tx.key(i), c.tx.slot(i)
		if *key == c.want.owner || slices.Contains(c.want.sponsors, *key) || slices.Contains(c.want.coSigners, *key) {
			continue
		}
		if !slot.IsZero() {
			if !slot.Verify(*key, c.tx.messageView()) {
				if err := o.refuse(RuleSigners, "valid signatures", "an invalid signature of %s", *key); err != nil {
					return err
				}
			}
			c.report.signer(c, *key, false)
			continue
		}
		c.report.signer(c, *key, true)
		if late++; late > c.guard.policy.LateCoSigners {
			if err := o.refuse(RuleSigners, fmt.Sprintf("signers that are named or have signed, and %d that sign later", c.guard.policy.LateCoSigners),
				"signer %s, who is neither", *key); err != nil {
				return err
			}
		}
	}
	return nil
}

// lifetime: a blockhash that is the service's, and an end that is near.
func (c *checker) lifetime(o *operation) *GuardError {
	blockhash := c.tx.Blockhash()
	if blockhash.IsZero() {
		return o.refuse(RuleLifetime, "a blockhash", "a blockhash of zeros")
	}
	if c.advancesNonce() {
		if blockhash != c.want.nonce.Value {
			return o.refuse(RuleLifetime, "the nonce's value "+c.want.nonce.Value.String(), "nonce value %s", blockhash)
		}
		return nil
	}
	if !c.want.blockhash.IsZero() && blockhash != c.want.blockhash {
		return o.refuse(RuleLifetime, "the blockhash that the service named, "+c.want.blockhash.String(), "blockhash %s", blockhash)
	}
	now, end := c.want.height, c.want.lastValid
	if now == 0 || end == 0 {
		return nil
	}
	if end <= now || end-now > maxLifetime {
		return o.refuse(RuleLifetime, fmt.Sprintf("an end in the %d blocks after %d", maxLifetime, now), "an end at block height %d", end)
	}
	return nil
}
