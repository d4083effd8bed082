package judge

import (
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

func (c *checker) tokenInitialize(o *operation) *rule.Refusal {
	if o.simulated {
		return nil // a program makes its own accounts; ours show in the outcome
	}
	owner, ok := o.ReadInitialOwner()
	if !ok {
		return o.refuse(rule.TokenInitialize, "a token account of the owner's",
			"an owner that is not given or that only a lookup table names")
	}
	if owner != c.want.owner {
		return o.refuse(rule.TokenInitialize, "a token account of the owner's", "a token account %s of %s",
			describe(o.At(0)), owner)
	}
	return nil
}

// tokenMint allows a mint to be made of an account that this very transaction
// creates.
func (c *checker) tokenMint(o *operation) *rule.Refusal {
	if o.simulated {
		return nil
	}
	account := o.At(0)
	if account != nil {
		if made := c.facts.createdBefore(account, o.order); made != nil && made.owner == o.Program {
			c.note(o, NoteMint, account, nil, "")
			return nil
		}
	}
	return o.refuse(rule.TokenMint, "a mint made of an account that this transaction creates", "a mint made of %s",
		describe(account))
}
