package judge

import (
	"sync"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Case is one set of transactions before the judge. It is used again, so that
// judging an ordinary transaction allocates nothing.
type Case struct {
	About    Circumstances
	Findings Findings

	judge   *Judge
	txs     []*txwire.Transaction
	want    wanted
	ledger  ledger
	checker checker
}

var cases = sync.Pool{New: func() any { return new(Case) }}

// Open returns an empty case. Close it when the findings have been read.
func (j *Judge) Open() *Case {
	c := cases.Get().(*Case)
	c.judge = j
	return c
}

// Add adds a transaction, which has been parsed without a fault.
func (c *Case) Add(tx *txwire.Transaction) { c.txs = append(c.txs, tx) }

// Close forgets the case and keeps its room.
func (c *Case) Close() {
	empty(&c.txs)
	c.judge, c.About = nil, Circumstances{}
	c.want.reset()
	c.ledger.reset()
	c.checker.reset()
	c.Findings.reset()
	cases.Put(c)
}

// begin readies the case for its first transaction.
func (c *Case) begin() {
	f := &c.Findings
	f.Owner, f.Service, f.BlockHeight, f.LastValid = c.want.owner, c.want.service, c.want.height, c.want.lastValid
	c.ledger.want, c.ledger.findings, c.ledger.steps = &c.want, f, maxSteps
}

// settled notes what each amount was counted as, once everything is judged.
func (c *Case) settled() {
	if len(c.Findings.Refusals) > 0 {
		return
	}
	for i := range c.ledger.items {
		c.Findings.Leaves[c.ledger.sources[i].movement].As = c.ledger.items[i].As
	}
}

// empty forgets what a slice held and keeps its room.
func empty[E any](s *[]E) {
	clear(*s)
	*s = (*s)[:0]
}

func (w *wanted) reset() {
	empty(&w.caps.Spend)
	empty(&w.caps.Fee)
	empty(&w.caps.Burn)
	empty(&w.receive)
	empty(&w.promised)
	empty(&w.burnAll)
	empty(&w.payTo)
	empty(&w.outputTo)
	empty(&w.feeTo)
	empty(&w.coSigners)
	empty(&w.delegates)
	empty(&w.closes)
	empty(&w.sponsors)
	w.service, w.sponsored, w.nonce, w.blockhash, w.executed = "", false, nil, Key{}, 0
}

func (l *ledger) reset() {
	empty(&l.items)
	empty(&l.sources)
	empty(&l.begins)
	empty(&l.credited)
	empty(&l.burned)
	empty(&l.mints)
	empty(&l.changes)
	empty(&l.costs)
	empty(&l.left)
	empty(&l.lent)
	l.own, l.networkFee, l.done, l.rents, l.released, l.strangers = 0, 0, nil, 0, 0, 0
	l.unseen, l.mintsTried, l.step, l.read = false, 0, step{}, 0
	empty(&l.closed)
	empty(&l.arrivals.amounts)
	empty(&l.arrivals.less)
	empty(&l.arrivals.calls)
	empty(&l.arrivals.to)
}

func (c *checker) reset() {
	c.set, c.tx, c.inner, c.accounts = nil, nil, nil, program.Accounts{}
	c.ctx, c.node, c.seen, c.alone, c.untold = nil, nil, nil, false, false
	empty(&c.rented)
	c.holders, c.looked = outcome{}, 0
	empty(&c.tried)
	empty(&c.lifted)
	c.facts.reset()
	c.simulatedFacts.reset()
	empty(&c.derived)
	empty(&c.beyond)
	empty(&c.approved)
	c.budget, c.filter, c.filtered, c.operation = budget{}, [4]uint64{}, false, operation{}
}

func (f *facts) reset() {
	empty(&f.created)
	empty(&f.atas)
	empty(&f.inits)
	empty(&f.closed)
	empty(&f.revoked)
	empty(&f.credited)
	empty(&f.mints)
	empty(&f.foreign)
	empty(&f.spaces)
}
