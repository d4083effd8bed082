package signing

// initialOwner reads whom an InitializeAccount makes the owner.
func initialOwner(o *operation) (owner PublicKey, ok bool) {
	if o.data[0] != tokenInitializeAccount {
		owner, ok = o.key(1)
		return owner, ok && o.count() >= 2
	}
	if k := o.at(2); k != nil {
		return *k, true
	}
	return owner, false
}

func (c *checker) tokenInitialize(o *operation) *GuardError {
	if o.simulated {
		return nil // a program makes its own accounts; ours show in the outcome
	}
	owner, ok := initialOwner(o)
	if !ok {
		return o.refuse(RuleTokenInitialize, "a token account of the owner's", "an owner that is not given or that only a lookup table names")
	}
	if owner != c.want.owner {
		return o.refuse(RuleTokenInitialize, "a token account of the owner's", "a token account %s of %s", describe(o.at(0)), owner)
	}
	return nil
}

// tokenMint allows a mint to be made of an account that this very transaction
// creates.
func (c *checker) tokenMint(o *operation) *GuardError {
	if o.simulated {
		return nil
	}
	account := o.at(0)
	if account != nil {
		if made := c.facts.createdBefore(account, o.order); made != nil && made.owner == o.program {
			c.note(o, NoteMint, account, nil, "")
			return nil
		}
	}
	return o.refuse(RuleTokenMint, "a mint made of an account that this transaction creates", "a mint made of %s", describe(account))
}
