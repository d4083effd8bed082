package signing

// The rent of an associated token account. A Token-2022 mint's extensions
// lengthen it; this covers all that an account takes over from its mint.
const (
	tokenAccountRent     = rentPerByte * (rentOverhead + 165)
	token2022AccountRent = rentPerByte * (rentOverhead + 195)
)

// associatedToken is the associated token account program's row: a create,
// whoever it is for, at the cost of its rent.
func (c *checker) associatedToken(o *operation) *GuardError {
	const allowed = "create, plain or idempotent, of a token program's account"
	switch {
	case o.simulated:
		return nil // the create or transfer that it calls pays the rent
	case len(o.data) > 1 || len(o.data) == 1 && o.data[0] > 1:
		return o.refuse(RuleAssociatedToken, allowed, "%d bytes, the first of them %d", len(o.data), o.data[0])
	case o.count() < 6:
		return o.refuse(RuleAssociatedToken, allowed, "%d accounts", o.count())
	}
	rent := uint64(token2022AccountRent)
	if program := o.at(5); program != nil {
		if !isTokenProgram(*program) {
			return o.refuse(RuleAssociatedToken, allowed, "an account of program %s", *program)
		}
		if *program == TokenProgram {
			rent = tokenAccountRent
		}
	}
	if c.signs(o.at(0)) {
		c.rent(o, rent, o.at(1))
	}
	return nil
}

// precompile checks signatures, which costs a fee each and touches nothing.
func (c *checker) precompile(o *operation) *GuardError {
	if len(o.data) > 0 {
		c.budget.signatures += uint64(o.data[0])
	}
	c.note(o, NoteSignatures, nil, nil, o.known.name)
	return nil
}
