package judge

import (
	"context"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// checker holds one transaction against what was wanted.
type checker struct {
	judge    *Judge
	want     *wanted
	set      []*txwire.Transaction
	tx       *txwire.Transaction
	index    int // in the set
	pins     []Key
	typed    []Pin
	accounts program.Accounts
	inner    []Inner
	ctx      context.Context // of the check, for what the node is asked in between
	node     Node

	facts          facts
	simulatedFacts facts            // those and what a simulation shows
	derived        []derivedAccount // associated token accounts of ours, once asked for
	ledger         *ledger
	findings       *Findings
	seen           *outcome // that the transaction is judged on, nil if there is none
	alone          bool     // it is signed before those after it are judged
	untold         bool     // its outcome says nothing of what programs call in turn
	holders        outcome  // what is read of other wallets that hold token accounts
	looked         int      // bytes, for who controls a mint
	rented         []rented

	lifted   []Key // accounts of others out of which we moved something to us
	tried    []Key // associated accounts of ours, if any key were a mint
	budget   budget
	beyond   []excess
	approved []approval

	natives   [2]derivedAccount // the owner's wrapped accounts, kept from check to check
	nativesOf Key
	filter    [4]uint64 // by the first byte of what may be ours
	filtered  bool
	operation operation // the one that is visited, here so that it needs no room of its own
}

// open readies the checker for the transaction of an index.
func (c *checker) open(from *Case, index int) {
	c.judge, c.want, c.ledger, c.findings = from.judge, &from.want, &from.ledger, &from.Findings
	c.set, c.tx, c.index, c.pins = from.txs, from.txs[index], index, from.judge.Policy.Pins[from.want.service]
	c.typed = from.judge.Policy.TypedPins[from.want.service]
	c.accounts.Tx = c.tx
}

// executed reports a transaction of which it is known what it did.
func (c *checker) executed() bool { return c.index < c.want.executed }

// account returns the key of an index, nil if it is in a lookup table that
// was not resolved.
func (c *checker) account(i int) *Key { return c.accounts.Key(i) }

// whole is the operation that refusals of the transaction as a whole name.
func (c *checker) whole() operation {
	return operation{check: c, instruction: rule.Envelope}
}

// rules passes over the operations twice, and settles what leaves.
func (c *checker) rules() {
	c.each(learn)
	c.ledger.credited = append(append(c.ledger.credited, c.facts.credited...), c.simulatedFacts.credited...)
	c.each(judge)
	c.spendExcess()
	c.closedListed()
	c.networkFee()
}

// closedListed remembers the listed accounts that the transaction closes and
// does not make again: in a later one their keys decide what becomes of them.
func (c *checker) closedListed() {
	for _, f := range []*facts{&c.facts, &c.simulatedFacts} {
		for _, e := range f.closed {
			if c.listed(e.account) != nil && f.gone(&e.account, c.operation.order) {
				c.ledger.closed = append(c.ledger.closed, e.account)
			}
		}
	}
}

// visit handles an operation in a pass.
type visit func(*checker, *operation)

// each visits every operation in the order in which it runs. It counts, from zero, the
// default units of the transaction's own instructions, of which a batch is one.
func (c *checker) each(v visit) {
	c.budget.units = 0
	o := &c.operation
	*o = operation{check: c}
	o.Of = &c.accounts
	cursor := c.tx.Instructions()
	inner := c.inner
	for i := 0; cursor.Next() && !c.findings.full(); i++ {
		o.instruction, o.Indexes, o.Data, o.Program = i, cursor.Accounts, cursor.Data, outOfRange
		if k := c.tx.Key(int(cursor.Program)); k != nil {
			o.Program = *k
		}
		o.Known = program.Lookup(&o.Program)
		c.budget.countUnits(o.Known)
		c.visit(o, v)
		for ; len(inner) > 0 && inner[0].Outer == i; inner = inner[1:] {
			called := operation{check: c, instruction: i, order: o.order, simulated: true, outer: o.Program,
				Call: program.Call{Program: inner[0].Program, Keys: inner[0].Accounts, Data: inner[0].Data}}
			called.Known = program.Lookup(&called.Program)
			c.visit(&called, v)
			o.order = called.order
		}
	}
}

// outOfRange is the program of an index that is out of range, which the parser
// refuses.
var outOfRange = Key{0xff, 0xff}

// visit visits an operation, or the operations of a batch.
func (c *checker) visit(o *operation, v visit) {
	if o.Known.Kind == program.OfToken && len(o.Data) > 0 && o.Data[0] == program.TokenBatch {
		c.batch(o, v)
		return
	}
	v(c, o)
	o.order++
}

// batch takes a token batch apart: a count of accounts, a length, the data,
// again and again, with the accounts of all one after another.
func (c *checker) batch(o *operation, v visit) {
	const allowed = "instructions of one token program, each whole, none of them a batch"
	rest, first := o.Data[1:], 0
	for len(rest) > 0 && !c.findings.full() {
		if len(rest) < 2 || len(rest) < 2+int(rest[1]) || first+int(rest[0]) > o.Count() {
			c.findings.refuse(o.refuse(rule.TokenBatch, allowed, "a batch that ends within an instruction"))
			return
		}
		part := *o
		part.Call = o.Sub(first, int(rest[0]), rest[2:2+int(rest[1])])
		first += int(rest[0])
		rest = rest[2+int(rest[1]):]
		if len(part.Data) > 0 && part.Data[0] == program.TokenBatch {
			c.findings.refuse(o.refuse(rule.TokenBatch, allowed, "a batch within a batch"))
			continue
		}
		v(c, &part)
		o.order++
	}
}

// judge applies the rules of the program that the operation calls.
func judge(c *checker, o *operation) {
	c.findings.refuse(c.protected(o))
	if o.outer == program.AssociatedToken {
		return // counted with the create that calls it
	}
	c.findings.refuse(c.byProgram(o))
	if o.simulated {
		c.findings.refuse(c.within(o))
	}
}

// byProgram is the table of programs.
func (c *checker) byProgram(o *operation) *rule.Refusal {
	switch o.Known.Kind {
	case program.OfSystem:
		return c.system(o)
	case program.OfToken:
		return c.token(o)
	case program.OfAssociatedToken:
		return c.associatedToken(o)
	case program.OfComputeBudget:
		return c.computeBudget(o)
	case program.OfPrecompile:
		c.precompile(o)
		return nil
	case program.OfMemo:
		c.note(o, NoteMemo, nil, nil, o.text())
		return nil
	case program.Denied:
		if o.simulated && !c.reachesKeys(o) {
			return nil // a pinned pool may well stake what is its own
		}
		return o.refuse(rule.DeniedProgram, "no instruction of this program, in Policy.Pins or not",
			"a call of %s", o.Known.Name)
	}
	return c.foreign(o)
}

// foreign is a program without rules of its own.
func (c *checker) foreign(o *operation) *rule.Refusal {
	if o.simulated {
		// What a pinned program calls is its own affair; what it does to us shows
		// in the token and System operations and in the outcome.
		return nil
	}
	if !c.pinned(&o.Program) {
		return o.refuse(rule.UnknownProgram,
			"programs that the guard knows, and those that Policy.Pins has for service "+strconv.Quote(c.want.service),
			"a call of %s", o.Program)
	}
	grade, may, ok := c.grade(o)
	if !ok {
		return c.called(o)
	}
	c.mayBring(o)
	c.reach(o, grade, may)
	return nil
}

// protected refuses to let any program write what the caller protects. An
// account in a table that was not resolved may be a protected account, if a
// foreign program writes it, or if a token instruction acts on it.
func (c *checker) protected(o *operation) *rule.Refusal {
	list := c.judge.Policy.Protected
	if len(list) == 0 {
		return nil
	}
	for i := range o.Count() {
		k := o.At(i)
		switch {
		case !o.Writes(i):
		case k != nil && slices.Contains(list, *k):
			return o.refuse(rule.ProtectedAccount, "no instruction that may write it", "the protected account %s", *k)
		case k == nil && (o.Known.Kind == program.Unruled || o.Known.Kind == program.OfToken && i == 0):
			return o.refuse(rule.ProtectedAccount, "accounts that are known, so that none is a protected one",
				"account %d, which only a lookup table names", i)
		}
	}
	return nil
}
