package signing

import "slices"

// checker holds one transaction against what was wanted. It passes over the
// operations twice: the first pass learns what the transaction creates, closes
// and revokes, the second judges, so that no rule hangs on the order in which
// an honest builder happens to put its instructions.
type checker struct {
	guard  *Guard
	want   *wanted
	tx     *Transaction
	index  int // in the set
	pins   []PublicKey
	loaded []PublicKey // by lookup tables; nil where nobody resolved them
	inner  []InnerInstruction

	facts          facts
	simulatedFacts facts            // those and what a simulation shows
	derived        []derivedAccount // associated token accounts of ours, once asked for
	ledger         *ledger
	report         *Report
	budget         budget
	beyond         []excess
	approved       []approval

	natives   [2]derivedAccount // the owner's wrapped accounts, kept from check to check
	nativesOf PublicKey
	filter    [4]uint64 // by the first byte of what may be ours
	filtered  bool
	operation operation // the one that is visited, here so that it needs no room of its own
}

// account returns the key of an index, nil where a lookup table that nobody
// resolved names it.
func (c *checker) account(i int) *PublicKey {
	if i < c.tx.keyCount {
		return c.tx.key(i)
	}
	if i -= c.tx.keyCount; i < len(c.loaded) {
		return &c.loaded[i]
	}
	return nil
}

// each visits every operation in the order in which it runs.
func (c *checker) each(visit func(*checker, *operation) *GuardError) *GuardError {
	o := &c.operation
	*o = operation{check: c}
	cursor := c.tx.instructionCursor()
	inner := c.inner
	for i := 0; cursor.next(); i++ {
		o.instruction, o.indexes, o.data, o.program = i, cursor.accounts, cursor.data, unknownProgram
		if k := c.tx.key(int(cursor.program)); k != nil {
			o.program = *k
		}
		o.known = lookupProgram(&o.program)
		if err := c.one(o, visit); err != nil {
			return err
		}
		for ; len(inner) > 0 && inner[0].Outer == i; inner = inner[1:] {
			called := operation{check: c, instruction: i, order: o.order, simulated: true, outer: o.program,
				program: inner[0].Program, keys: inner[0].Accounts, data: inner[0].Data}
			called.known = lookupProgram(&called.program)
			if err := c.one(&called, visit); err != nil {
				return err
			}
			o.order = called.order
		}
	}
	return nil
}

// unknownProgram stands for a program index out of range, which the walk lets
// pass only where a test has switched its rule off.
var unknownProgram = PublicKey{0xff, 0xff}

// one visits an operation, or the operations of a batch.
func (c *checker) one(o *operation, visit func(*checker, *operation) *GuardError) *GuardError {
	if o.known.kind == programToken && len(o.data) > 0 && o.data[0] == tokenBatch {
		return c.batch(o, visit)
	}
	err := visit(c, o)
	o.order++
	return err
}

// batch takes a token batch apart: a count of accounts, a length, the data,
// again and again, with the accounts of all one behind another.
func (c *checker) batch(o *operation, visit func(*checker, *operation) *GuardError) *GuardError {
	const allowed = "instructions of one token program, each whole, none of them a batch"
	rest, first := o.data[1:], 0
	for len(rest) > 0 {
		if len(rest) < 2 || len(rest) < 2+int(rest[1]) || first+int(rest[0]) > o.count() {
			return o.refuse(RuleTokenBatch, allowed, "a batch that ends within an instruction")
		}
		part := *o
		part.batched = true
		part.data = rest[2 : 2+int(rest[1])]
		if o.simulated {
			part.keys = o.keys[first : first+int(rest[0])]
		} else {
			part.indexes = o.indexes[first : first+int(rest[0])]
		}
		first += int(rest[0])
		rest = rest[2+int(rest[1]):]
		if len(part.data) > 0 && part.data[0] == tokenBatch {
			if err := o.refuse(RuleTokenBatch, allowed, "a batch within a batch"); err != nil {
				return err
			}
			continue
		}
		if err := visit(c, &part); err != nil {
			return err
		}
		o.order++
	}
	return nil
}

// judge applies the row of the table that the program has.
func judge(c *checker, o *operation) *GuardError {
	if err := c.protected(o); err != nil {
		return err
	}
	if !o.simulated && !o.batched {
		c.budget.countUnits(o.known)
	}
	if o.outer == AssociatedTokenProgram {
		return nil // counted with the create that calls it
	}
	switch o.known.kind {
	case programSystem:
		return c.system(o)
	case programToken:
		return c.token(o)
	case programAssociatedToken:
		return c.associatedToken(o)
	case programComputeBudget:
		return c.computeBudget(o)
	case programPrecompile:
		return c.precompile(o)
	case programMemo:
		c.note(o, NoteMemo, nil, nil, o.text())
		return nil
	case programDenied:
		if o.simulated && !c.reachesKeys(o) {
			return nil // a pinned pool may well stake what is its own
		}
		return o.refuse(RuleDeniedProgram, "no instruction of this program, pinned or not", "a call of %s", o.known.name)
	}
	return c.foreign(o)
}

// foreign is a program without rules of its own.
func (c *checker) foreign(o *operation) *GuardError {
	if o.simulated {
		// What a pinned program calls is its own affair; what it does to us shows
		// in the token and System operations and in the outcome.
		return nil
	}
	if !slices.Contains(c.pins, o.program) {
		return o.refuse(RuleUnknownProgram, "programs with rules, and those pinned for service "+quoted(c.want.service), "a call of %s", o.program)
	}
	c.reach(o)
	return nil
}

// protected refuses to let any program write what the caller protects. Behind
// a table that nobody resolved it cannot be ruled out, where a foreign program
// writes, or as the account that a token instruction acts on.
func (c *checker) protected(o *operation) *GuardError {
	list := c.guard.policy.Protected
	if len(list) == 0 {
		return nil
	}
	for i := range o.count() {
		k := o.at(i)
		switch {
		case !o.writes(i):
		case k != nil && slices.Contains(list, *k):
			return o.refuse(RuleProtectedAccount, "no instruction that may write it", "the protected account %s", *k)
		case k == nil && (o.known.kind == programUnknown || o.known.kind == programToken && i == 0):
			return o.refuse(RuleProtectedAccount, "accounts that are known, so that none is a protected one", "account %d, which only a lookup table names", i)
		}
	}
	return nil
}
