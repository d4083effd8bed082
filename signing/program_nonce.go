package signing

// nonce allows a durable nonce where the caller opted in to exactly this one:
// a signature over such a transaction never expires.
func (c *checker) nonce(o *operation) *GuardError {
	const allowed = "a blockhash, or the durable nonce that the caller named, advanced first by the owner"
	if o.simulated && !c.reachesKeys(o) {
		return nil
	}
	if systemTag(o) != systemAdvanceNonce {
		return o.refuse(RuleSystemNonce, allowed, "nonce instruction %d", systemTag(o))
	}
	n := c.want.nonce
	switch account, authority := o.at(0), o.at(2); {
	case n == nil:
		return o.refuse(RuleSystemNonce, allowed, "a durable nonce %s", describe(account))
	case o.instruction != 0 || o.simulated:
		return o.refuse(RuleSystemNonce, allowed, "a nonce advanced later than first")
	case account == nil || *account != n.Account:
		return o.refuse(RuleSystemNonce, allowed, "the durable nonce %s", describe(account))
	case authority == nil || *authority != c.want.owner:
		return o.refuse(RuleSystemNonce, allowed, "the nonce authority %s", describe(authority))
	}
	c.note(o, NoteNonce, o.at(0), nil, "")
	return nil
}

// advancesNonce reports whether the transaction's lifetime is a durable nonce
// that the caller opted in to.
func (c *checker) advancesNonce() bool {
	if c.want.nonce == nil {
		return false
	}
	cursor := c.tx.instructionCursor()
	if !cursor.next() {
		return false
	}
	program := c.tx.key(int(cursor.program))
	o := operation{check: c, indexes: cursor.accounts, data: cursor.data}
	return program != nil && *program == SystemProgram && systemTag(&o) == systemAdvanceNonce
}
