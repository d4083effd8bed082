package signing

import "sync"

// workspace is what a check writes in. It is used again, so that checking an
// ordinary transaction allocates its report and nothing else.
type workspace struct {
	want    wanted
	ledger  ledger
	checker checker
	about   circumstances
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func (w *workspace) release() {
	w.want.reset()
	w.ledger.reset()
	w.checker.reset()
	w.about = circumstances{}
	workspaces.Put(w)
}

// empty forgets what a slice held and keeps its room.
func empty[E any](s *[]E) {
	if len(*s) > 0 {
		clear(*s)
		*s = (*s)[:0]
	}
}

func (w *wanted) reset() {
	empty(&w.spend)
	empty(&w.fee)
	empty(&w.burn)
	empty(&w.receive)
	empty(&w.burnAll)
	empty(&w.destinations)
	empty(&w.coSigners)
	empty(&w.delegates)
	empty(&w.closes)
	empty(&w.sponsors)
	w.service, w.nonce, w.blockhash = "", nil, PublicKey{}
}

func (l *ledger) reset() {
	empty(&l.items)
	empty(&l.begins)
	empty(&l.credited)
	empty(&l.burned)
	empty(&l.changes)
	empty(&l.existing)
}

func (c *checker) reset() {
	c.tx, c.loaded, c.inner, c.report, c.guard = nil, nil, nil, nil, nil
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
}
