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

// emptied forgets what s held and keeps its room.
func emptied[E any](s []E) []E {
	if len(s) > 0 {
		clear(s)
	}
	return s[:0]
}

func (w *wanted) reset() {
	*w = wanted{
		spend: emptied(w.spend), fee: emptied(w.fee), burn: emptied(w.burn), receive: emptied(w.receive),
		burnAll: emptied(w.burnAll), destinations: emptied(w.destinations), coSigners: emptied(w.coSigners),
		delegates: emptied(w.delegates), closes: emptied(w.closes), sponsors: emptied(w.sponsors),
	}
}

func (l *ledger) reset() {
	*l = ledger{items: emptied(l.items), begins: emptied(l.begins), credited: emptied(l.credited), burned: emptied(l.burned)}
}

func (c *checker) reset() {
	*c = checker{
		facts: c.facts.emptied(), simulatedFacts: c.simulatedFacts.emptied(),
		derived: emptied(c.derived), beyond: emptied(c.beyond), approved: emptied(c.approved),
		natives: c.natives, nativesOf: c.nativesOf,
	}
}

func (f *facts) emptied() facts {
	return facts{
		created: emptied(f.created), atas: emptied(f.atas), inits: emptied(f.inits), closed: emptied(f.closed),
		revoked: emptied(f.revoked), credited: emptied(f.credited), mints: emptied(f.mints),
	}
}
