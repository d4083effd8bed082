package wallet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// Outcome says what became of a key.
type Outcome struct {
	Key    string          `json:"key,omitempty"` // the caller's, empty if it was derived
	Intent walletfi.Intent `json:"intent"`
	Steps  []Step          `json:"steps"`
	// FilledLater says that the service fills the order after its transactions are
	// confirmed. End is how that ended, nil if it is not known yet: call Place again.
	FilledLater bool               `json:"filledLater,omitempty"`
	End         *walletfi.OrderEnd `json:"end,omitempty"`
	// State is that of the whole: StateRunning or StateUnknown if a step's is, else that
	// of the first step that is not confirmed.
	State State `json:"state,omitempty"`
}

// Settle follows everything in the journal that is not settled and that no
// Execute works on, here or in another living process, and returns what became
// of each, and of what the wallet has settled by itself since the last Settle. It ends when
// all of it is settled or given up after ConfirmTimeout, or with ctx. If anything is still
// unknown, the error answers to walletfi.ErrOutcomeUnknown.
func (w *Wallet) Settle(ctx context.Context) ([]Outcome, error) {
	ctx, end := clock.Enter(ctx, w.clock, "wallet Settle")
	defer end()
	var followers []*follower // of this call and of those before
	taken := w.takenUp()
	for e, err := range w.journal.List(ctx, Query{Open: true}) {
		if err != nil {
			return nil, fmt.Errorf("the journal: %w", err)
		}
		if f := w.adopt(ctx, e, 0); f != nil {
			followers = append(followers, f)
			delete(taken, e.Key)
		}
	}
	for _, f := range followers {
		f.await(ctx)
	}
	var all []Outcome
	open := 0
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	for _, f := range followers {
		o := f.outcome(reading)
		w.tellEffects(ctx, o.Intent.Owner, o.Steps)
		if all = append(all, o); !o.Settled() {
			open++
		}
	}
	for _, key := range slices.Sorted(maps.Keys(taken)) {
		f := taken[key]
		f.await(ctx) // the journal has its end already
		if o := f.outcome(reading); o.Settled() {
			all = append(all, o)
		}
	}
	w.tellUnsettled(ctx, open > 0)
	if open > 0 {
		return all, fmt.Errorf("%w: %d of %d keys", walletfi.ErrOutcomeUnknown, open, len(all))
	}
	return all, nil
}

// follower follows a key that no Execute works on.
type follower struct {
	e    *execution // not to be read before done is closed
	done *atwork.Gate
	// patience is how long it waits for news of a transaction, 0 for ConfirmTimeout.
	patience time.Duration

	mu      sync.Mutex
	parcels []*parcel
	stopped error
}

// await waits until f has done. If ctx ends, f gives up.
func (f *follower) await(ctx context.Context) {
	if err := f.done.Wait(ctx); err != nil {
		f.stop(err)
		_ = f.done.Wait(context.WithoutCancel(ctx))
	}
}

// outcome says what became of f's key, once f has done. What is confirmed stays so. Any
// other key may have been executed again while f's others were waited for: what holds now
// is read, and unknown if it cannot be, or if that execution still runs.
func (f *follower) outcome(ctx context.Context) Outcome {
	o, key := f.ended()
	if o.State == StateConfirmed {
		return o
	}
	now, known, err := f.e.w.present(ctx, key)
	switch {
	case err != nil:
		o.doubt(StateNotSent, StateExpired, StateFailed)
	case known:
		now.doubt(StateRunning)
		return now
	}
	return o
}

// doubt makes unknown each step, and the whole, that is in one of these states.
func (o *Outcome) doubt(states ...State) {
	for i := range o.Steps {
		if slices.Contains(states, o.Steps[i].State) {
			o.Steps[i].State = StateUnknown
		}
	}
	if slices.Contains(states, o.State) {
		o.State = StateUnknown
	}
}

// ended is how f's key was when f had done. Several may ask.
func (f *follower) ended() (o Outcome, key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.e.told()
	return outcomeOf(f.e.entry, false), f.e.entry.Key
}

// stop gives up what f follows.
func (f *follower) stop(cause error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = cause
	for _, c := range f.parcels {
		f.e.w.tracker.drop(c, cause)
	}
}

// cutShort reports whether f gave up what it followed before it was due.
func (f *follower) cutShort() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped != nil
}

// adopt takes up one entry, nil if another works on it.
func (w *Wallet) adopt(ctx context.Context, listed Entry, patience time.Duration) *follower {
	if f := w.followerOf(listed.Key); f != nil {
		return f
	}
	if busy, err := w.held(ctx, listed); err != nil || busy || listed.Schema > Schema {
		return nil
	}
	f := &follower{done: atwork.NewGate(), patience: patience}
	free, ok := w.occupy(listed.Key, f)
	if !ok {
		return w.followerOf(listed.Key) // that of another adopt, which was faster
	}
	f.e = &execution{w: w, entry: listed, free: func() { free(); f.done.Open() }}
	if err := f.e.takeOver(ctx); err != nil || f.e.entry.State.Settled() {
		f.e.entry.Holder = "" // nothing is left to let go of
		f.e.release()
		return f
	}
	f.begin(f.e.entry.open())
	return f
}

// begin launches steps that may have landed.
func (f *follower) begin(steps []int) {
	e := f.e
	groups := [][]int{steps}
	if !e.entry.Bundle {
		groups = nil
		for _, i := range steps {
			groups = append(groups, []int{i})
		}
	}
	j := e.journey()
	var parcels []*parcel
	for _, group := range groups {
		doors := e.w.recorded(e.entry, group[0])
		if e.entry.State.Settled() || e.entry.Bundle && len(steps) < len(e.entry.Steps) {
			doors = nil // what has paid is not sent again, and a bundle is sent whole or not at all
		}
		c := j.load(context.Background(), group, doors, true)
		for _, one := range c.flights {
			one.patience = f.patience
		}
		parcels = append(parcels, c)
	}
	e.w.tracker.begin(context.Background(), j.record)
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range parcels {
		e.w.tracker.add(c)
		if f.parcels = append(f.parcels, c); f.stopped != nil {
			e.w.tracker.drop(c, f.stopped)
		}
	}
}

// record writes what is found out, and what each flight has come to.
func (j *journey) record(ctx context.Context) {
	j.keep(ctx, nil, nil)
	was := j.entry.State
	j.contest(j.flights)
	_ = j.store(context.Background(), func(next *Entry) error {
		next.Untold = false
		for _, f := range j.flights {
			next.Untold = next.Untold || next.Derived && f.verdict == KeyConfirmed
		}
		next.learn(j.w.tracker, j.flights)
		return next.apply(j.flights)
	})
	is := j.entry
	j.release() // from here on it is another's
	if !was.Settled() {
		j.w.followTwins(is)
	}
}

// staleAfter is how long after signing a transaction on a blockhash is not sent
// again, if no height tells.
const staleAfter = 5 * time.Minute

// recorded lists the doors that were given step i. One that this wallet does
// not have is left out: what was sent to a relay alone is not sent elsewhere.
func (w *Wallet) recorded(e Entry, i int) (doors []*door) {
	step := e.Steps[i]
	if step.NonceAccount == "" && clock.Since(w.clock, e.SignedAt) > staleAfter {
		return nil
	}
	for _, name := range step.Doors {
		if d, ok := w.doors[name]; ok {
			doors = append(doors, d)
		}
	}
	return doors
}

// errInterrupted ends a follower for an Execute of the same key.
var errInterrupted = errors.New("the key is executed again")
