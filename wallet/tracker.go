package wallet

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/running"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence"
)

// tracker follows everything that a wallet has in flight: it sends the same
// bytes again, and asks for statuses in batches and for one head for all. It
// has one goroutine while anything is in flight, and one for each call under
// way.
type tracker struct {
	confirmer   walletfi.Confirmer
	batch       walletfi.BatchConfirmer // nil if the confirmer is none
	watcher     walletfi.Watcher        // nil if there is none
	search      searcher                // nil likewise
	several     *evidence.Panel         // nil if there is one node
	heads       *heads                  // nil if no source tells any
	prover      *evidence.Prover        // nil if no node shows anything
	commitment  walletfi.Commitment
	pollEvery   time.Duration
	resendEvery time.Duration
	tryTimeout  time.Duration
	timeout     time.Duration
	observer    observe.Observer
	queue       *admit.Queue   // is told of what lands; nil if nothing waits
	clock       walletfi.Clock // nil is real time

	mu      sync.Mutex
	parcels map[*parcel]struct{}
	running bool
	closed  bool
	wake    atwork.Bell
	asking  bool      // a round of questions is under way
	proving bool      // a turn of questions for evidence begins
	rest    time.Time // before which no further round begins
	// proofRest is when the next turn of proofs may begin.
	proofRest time.Time
	paid      time.Time // up to which the questions asked use up the pace
	plans     *plans
	turned    time.Time // when the last turn was
	busy      []bool    // nodes that are being asked for evidence
	deep      []int     // turns that take many calls, of each node
	tries     int       // parcels of several doors that were sent
	stop      context.CancelFunc
	calls     running.Group

	// A watcher may tell while it is asked to watch, or under a lock of its own
	// that Watch takes too: a hint must not wait for mu.
	hintMu sync.Mutex
	hints  []*flight
}

// find returns the first of some values that is a T.
func find[T any](values ...any) (found T) {
	for _, v := range values {
		if t, ok := v.(T); ok {
			return t
		}
	}
	return
}

// Pauses of the tracker.
const (
	maxPoll   = 4 * time.Second
	askPace   = 25 * time.Millisecond // a batch: 40 questions a second
	idlePause = time.Minute
)

// spare is how long the limit of the node, if it has one, lets a call wait for the next. Questions
// that come together share calls.
func (t *tracker) spare() time.Duration {
	if t.queue == nil {
		return 0
	}
	rate := t.queue.Rate()
	if rate <= 0 {
		return 0
	}
	return time.Duration(min(float64(time.Second)/rate, float64(maxPoll)))
}

func (t *tracker) add(c *parcel) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !c.open() {
		return // the other message of its transaction is confirmed by now
	}
	now := t.now() // before c is there, which is not moved with the others
	for _, f := range c.flights {
		f.begun, f.since, f.next, f.wait = now, now, now.Add(t.pollEvery), t.pollEvery
		if f.patience == 0 {
			f.patience = t.timeout
		}
		if t.watcher != nil && f.step.Signature != "" {
			f.unwatch = t.watcher.Watch(f.step.Signature, func() { t.hint(f) })
			f.next = now.Add(4 * t.pollEvery) // in case the hint is lost
		}
		if c.left {
			f.next = now // it may have landed already
		}
	}
	if t.parcels == nil {
		t.parcels = map[*parcel]struct{}{}
	}
	t.parcels[c] = struct{}{}
	t.planSend(c, now)
	for _, f := range c.flights {
		t.planAsk(f)
	}
	if t.closed {
		t.settleAll(c, errClosed)
		return
	}
	if !t.running {
		t.running = true
		var ctx context.Context
		ctx, t.stop = context.WithCancel(context.Background())
		t.begin(ctx, t.run)
	}
	t.poke()
}

// poke wakes the loop.
func (t *tracker) poke() { t.wake.Ring() }

// begin runs f in a goroutine of calls, at work by the tracker's clock.
func (t *tracker) begin(ctx context.Context, f func(ctx context.Context)) {
	clock.Go(ctx, t.clock, "wallet", &t.calls, f)
}

// hint has f's status asked for soon.
func (t *tracker) hint(f *flight) {
	t.hintMu.Lock()
	t.hints = append(t.hints, f)
	t.hintMu.Unlock()
	t.poke()
}

// takeHints has what was hinted at asked for now. The lock is held.
func (t *tracker) takeHints(now time.Time) {
	t.hintMu.Lock()
	hints := t.hints
	t.hints = nil
	t.hintMu.Unlock()
	for _, f := range hints {
		if !f.finished {
			t.soon(f, now)
		}
	}
}

// run is the loop. It ends when nothing is in flight.
func (t *tracker) run(ctx context.Context) {
	for {
		next, any := t.turn(ctx)
		if !any {
			return
		}
		stop := clock.AfterFunc(t.clock, clock.Until(t.clock, next), t.poke)
		t.wake.Wait(ctx, nil)
		stop()
	}
}

// turn does what is due, and says when the next turn is.
func (t *tracker) turn(ctx context.Context) (next time.Time, any bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.parcels) == 0 {
		t.running = false
		t.stop()
		return time.Time{}, false
	}
	now := t.now()
	t.takeHints(now)
	t.makeReady(now)
	t.send(ctx, now) // a door's answer wakes the loop
	if !t.proving && !t.proofRest.After(now) {
		t.prove(ctx, now, t.dueProofs(now))
	}
	if !t.asking && !t.rest.After(now) {
		t.ask(ctx, now, t.dueAsks(now))
	}
	return t.nextTurn(now), true
}

// nextTurn is when something is due. The end of what is under way wakes the loop. The lock
// is held.
func (t *tracker) nextTurn(now time.Time) time.Time {
	next, p := now.Add(idlePause), t.planned()
	if c, any := p.sends.First(); any {
		next = earlier(next, c.next)
	}
	if f, any := p.proofs.First(); any && !t.proving {
		next = earlier(next, later(f.proveAt, t.proofRest))
	}
	if f, any := p.asks.First(); any && !t.asking {
		next = earlier(next, later(f.next, t.rest))
	}
	return next
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// open reports a parcel of which a flight has not come to its end. The tracker's lock is held.
func (c *parcel) open() bool {
	return slices.ContainsFunc(c.flights, func(f *flight) bool { return !f.finished })
}

// idle reports a parcel that need not be sent now: a node has seen it land, or its end is
// finalized.
func (c *parcel) idle() bool {
	flies := func(f *flight) bool { return !f.landed() && f.past.Slot == 0 }
	return len(c.doors) == 0 || !slices.ContainsFunc(c.flights, flies)
}

// settle tells f's verdict. The lock is held; done runs without it.
func (t *tracker) settle(f *flight, verdict KeyState, cause error) {
	if f.finished {
		return
	}
	f.finished, f.verdict, f.cause = true, verdict, cause
	if verdict == KeyConfirmed || verdict == KeyFailed {
		t.tried(f.parcel, true)
	}
	if t.queue != nil && f.parcel.sends > 0 && (verdict == KeyConfirmed || verdict == KeyFailed) {
		t.queue.Landed(f.parcel.sends)
	}
	t.forget(f)
	t.unwatch(f)
	if !f.parcel.open() {
		t.forgetSend(f.parcel)
		delete(t.parcels, f.parcel)
		t.poke()
	}
	t.begin(context.Background(), func(context.Context) { f.done(f) })
}

// unwatch ends f's watch, in a goroutine: a watcher may call hint under a lock of its own.
// The lock is held.
func (t *tracker) unwatch(f *flight) {
	if stop := f.unwatch; stop != nil {
		t.begin(context.Background(), func(context.Context) { stop() })
	}
}

// glance asks once for flights that the tracker does not follow.
func (t *tracker) glance(ctx context.Context, flights []*flight) {
	for _, f := range flights {
		f.begun = clock.Now(t.clock)
		f.since, f.patience = f.begun, t.timeout
	}
	t.round(flights).run(ctx)
	t.glanceProof(ctx, flights)
}

// drop stops following c without a verdict.
func (t *tracker) drop(c *parcel, cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.settleAll(c, cause)
}

func (t *tracker) settleAll(c *parcel, cause error) {
	for _, f := range c.flights {
		t.settle(f, KeyInDoubt, cause)
	}
}

// close stops following everything and waits for the calls under way.
func (t *tracker) close() {
	t.mu.Lock()
	t.closed = true
	for c := range t.parcels {
		t.settleAll(c, errClosed) // the loop ends with the last, and what it began with it
	}
	t.mu.Unlock()
	if t.several != nil {
		t.several.Close()
	}
	if t.prover != nil {
		t.prover.Close()
	}
	t.calls.Wait()
}
