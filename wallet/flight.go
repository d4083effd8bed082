package wallet

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/wallet/internal/agenda"
)

// parcel is sent at once: one transaction, or a bundle, through one or several
// doors.
type parcel struct {
	flights []*flight
	signed  []walletfi.Signed
	doors   []*door
	left    bool // earlier, or through a door that did not say "not sent"

	// For the observer, if there is one.
	service string
	caller  context.Context // whose values a send gets; it never ends

	// The tracker's lock guards what follows.
	next    time.Time // to be sent
	in      *agenda.Agenda[*parcel]
	place   int
	sends   int             // rounds
	under   map[*door]bool  // that have not answered, nil if all have: most parcels wait
	alone   *door           // that has a trial: no other one was given it yet
	refused map[*door]error // the last word of doors that sent nothing
	lost    error           // of a door whose answer was lost
}

// flight is one signed transaction that the tracker follows.
type flight struct {
	parcel   *parcel
	step     EntryStep
	owner    string
	signedAt time.Time
	patience time.Duration // after begun, and after the ledger could last hold it
	done     func(*flight) // told once of the verdict, without the tracker's lock
	learnt   func()        // told of new evidence, with the lock; it does not block

	// The tracker's lock guards what follows.
	begun      time.Time // when the tracker got it
	since      time.Time // when the ledger was last seen at a height at which it can be executed
	status     walletfi.SignatureStatus
	asked      error // why the last question was in vain
	next       time.Time
	askPlace   int
	wait       time.Duration
	asking     bool
	hinted     bool // asked for again as soon as the question under way is answered
	evidence   *walletfi.Evidence
	past       Head          // the first finalized block past its end that was known
	lacks      string        // what a proof lacks, in words
	lost       bool          // the last answer did not have it
	proveAt    time.Time     // when the nodes are asked for evidence
	proveWait  time.Duration // 0 as long as none was asked for
	provePlace int
	under      map[int]bool   // nodes that are asked about it in a turn of many calls
	heard      map[int]uint64 // slots at which nodes called its blockhash valid
	verdict    KeyState       // KeyInDoubt if the tracker has given up
	cause      error
	unwatch    func()
	finished   bool
}

// tell says that there is new evidence. The tracker's lock is held.
func (f *flight) tell() {
	if f.learnt != nil {
		f.learnt()
	}
}

// landed reports that some node has seen the transaction executed, so that
// sending it again is of no use now.
func (f *flight) landed() bool { return f.finished || f.status.Found }

// now is the clock's time, to plan by. The lock is held.
func (t *tracker) now() time.Time {
	now := clock.Now(t.clock)
	t.setBack(now)
	return now
}

// setBack moves all plans alike if the clock was set back since it was last read: else
// nothing would be sent or asked until the old time comes again. The lock is held.
func (t *tracker) setBack(now time.Time) {
	back := t.turned.Sub(now)
	if t.turned = now; back <= 0 {
		return
	}
	t.rest, t.paid, t.proofRest = t.rest.Add(-back), t.paid.Add(-back), t.proofRest.Add(-back)
	for c := range t.parcels {
		c.next = c.next.Add(-back)
		for _, f := range c.flights {
			f.next, f.since, f.begun, f.proveAt = f.next.Add(-back), f.since.Add(-back), f.begun.Add(-back), f.proveAt.Add(-back)
		}
	}
}

// newFlight is step i of an entry, with the evidence that there is.
func newFlight(c *parcel, e Entry, i int) *flight {
	f := &flight{parcel: c, step: e.Steps[i], owner: e.Asked.Owner, signedAt: e.SignedAt, done: func(*flight) {}}
	if f.evidence = f.step.Evidence.Clone(); f.evidence == nil {
		f.evidence = &walletfi.Evidence{After: e.Signing, Told: f.step.Last} // of an older schema
	}
	for i := range f.evidence.Nodes {
		proof.Recall(&f.evidence.Nodes[i], f.step.fixed())
	}
	for _, s := range e.Steps {
		if s.Evidence != nil && s.Blockhash == f.step.Blockhash && s.NonceAccount == "" && f.step.NonceAccount == "" {
			proof.Share(f.evidence, s.Evidence)
		}
	}
	return f
}

// waitFrom counts f's patience from at, as long as a ledger that goes on could hold it:
// nodes may halt, and liars have something new for ever.
func (f *flight) waitFrom(at time.Time) {
	const slowest = proof.Age * 2 * time.Second
	if at.After(f.since) && at.Sub(f.begun) <= slowest {
		f.since = at
	}
}

// journey is some steps of an execution on their way.
type journey struct {
	*execution
	flights map[int]*flight // by step
	left    atomic.Int64    // flights that have not come to an end
	learnt  atomic.Bool     // there is new evidence
	news    atwork.Bell
}

func (e *execution) journey() *journey {
	return &journey{execution: e, flights: map[int]*flight{}}
}

// load makes the parcel of some steps. The tracker may have it at once.
func (j *journey) load(ctx context.Context, steps []int, doors []*door, left bool) *parcel {
	c := &parcel{doors: doors, left: left}
	for _, i := range steps {
		step := j.entry.Steps[i]
		c.signed = append(c.signed, walletfi.Signed{
			Transaction: step.Transaction, Signature: step.Signature, Owner: j.entry.Asked.Owner,
		})
		f := newFlight(c, j.entry, i)
		j.left.Add(1)
		f.done = func(f *flight) { j.supersede(i, f); j.left.Add(-1); j.news.Ring() }
		f.learnt = func() { j.learnt.Store(true); j.news.Ring() }
		c.flights, j.flights[i] = append(c.flights, f), f
	}
	if j.w.observer != nil {
		c.watch(ctx, j.w.tracker, j.entry.Asked.Service)
	}
	return c
}

// keep records what is found out until each flight has come to an end. If a write fails,
// the next that takes up the key finds it out again.
func (j *journey) keep(ctx context.Context, interrupted <-chan struct{}, interrupt func()) {
	for j.left.Load() > 0 {
		switch {
		case !j.news.Wait(ctx, interrupted):
			interrupt()
			interrupted = nil
		case j.learnt.Swap(false) && j.left.Load() > 0:
			_ = j.store(context.Background(), func(next *Entry) error { next.learn(j.w.tracker, j.flights); return nil })
		}
	}
}
