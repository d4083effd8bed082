package wallet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/intents"
)

// claim reserves a key for one Execute, so that a key is paid once. It returns the earlier result in place
// of an execution if the key has paid, and an *UnsettledError if it may have.
func (w *Wallet) claim(
	ctx context.Context, u walletfi.Unsigned, o ExecuteOptions, bundle bool,
) (e *execution, earlier *Result, err error) {
	fresh := Entry{
		Schema: Schema, Key: callerKey + o.Key, State: KeyClaimed, Holder: w.holder, Bundle: bundle,
		Intent: intents.ID(u.Intent), Asked: u.Intent.Clone(), Since: w.now(), Derived: o.Key == "",
	}
	if fresh.Derived {
		fresh.Key = derivedKey + fresh.Intent
	}
	done, err := w.enter(ctx, fresh)
	if err != nil {
		return nil, nil, err
	}
	e = &execution{w: w, free: done}
	earlier, err = e.claim(ctx, fresh, u, o.Force)
	if err != nil || earlier != nil {
		e.release()
		return nil, earlier, err
	}
	return e, nil, nil
}

func (e *execution) claim(
	ctx context.Context, fresh Entry, u walletfi.Unsigned, force []string,
) (*Result, error) {
	var err error
	if e.entry, err = e.w.journal.Load(ctx, fresh.Key); err != nil {
		return nil, notSent(fmt.Errorf("nothing was signed, because the journal does not answer: %w", err))
	}
	if e.entry.Version > 0 {
		if err := e.entry.sameCaller(fresh); err != nil {
			return nil, notSent(err)
		}
	}
	if !e.entry.State.Settled() {
		if err := e.settleEarlier(ctx, force, &fresh); err != nil {
			return nil, err
		}
	}
	if e.entry.Spent() && len(e.entry.open()) == 0 && (!e.entry.Derived || e.found || e.entry.Untold) {
		if rest, ok := e.entry.rest(u); ok && !fresh.Bundle && fresh.Prepared == nil {
			return nil, e.resume(ctx, fresh, rest)
		}
		e.told()
		return e.earlier()
	}
	if e.entry.Droppable() {
		// The journal may have dropped it when it was settled.
		if e.entry, err = e.w.journal.Load(ctx, fresh.Key); err != nil {
			return nil, notSent(fmt.Errorf("nothing was signed, because the journal does not answer: %w", err))
		}
	}
	was := e.entry
	was.Key = fresh.Key
	if err := e.w.spend.settle(ctx, was, true); err != nil { // its steps are about to be gone
		return nil, notSent(fmt.Errorf("nothing was signed: %w", err))
	}
	fresh.Version, fresh.FeesPaid = e.entry.Version+1, feesOf(e.entry)
	if e.entry.Version == 0 {
		// A version must never come back for a key, also if the journal dropped it.
		fresh.Version = 1 + rand.Uint64N(1<<62)
	}
	if err := e.w.write(ctx, e.entry.Version, fresh); err != nil {
		if errors.Is(err, ErrFenced) {
			return nil, e.w.inUse(ctx, fresh, &UnsettledError{Running: true})
		}
		return nil, notSent(fmt.Errorf("nothing was signed, because the journal did not take it: %w", err))
	}
	e.entry = fresh
	return nil, nil
}

// told records that the caller learns of a confirmation that was found out in
// the background. If that fails, the caller learns of it twice.
func (e *execution) told() {
	if e.entry.Untold {
		_ = e.store(context.Background(), func(next *Entry) error { next.Untold = false; return nil })
	}
}

// settleEarlier finds out what became of what an earlier execution left. It
// returns an *UnsettledError if that is not known, unless force lists the
// signatures of all that is in doubt.
func (e *execution) settleEarlier(ctx context.Context, force []string, fresh *Entry) error {
	if busy, err := e.w.held(ctx, e.entry); err != nil || busy {
		return e.unsettled(busy, err)
	}
	if err := e.takeOver(ctx); err != nil {
		return e.unsettled(errors.Is(err, ErrFenced), err)
	}
	if e.entry.State.Settled() {
		return nil
	}
	asked, err := e.glance(ctx)
	if err != nil {
		return e.unsettled(errors.Is(err, ErrFenced), err)
	}
	if e.entry.State.Settled() {
		return nil
	}
	open := e.signatures()
	if len(force) == 0 || slices.ContainsFunc(open, func(s string) bool { return !slices.Contains(force, s) }) {
		return e.unsettled(false, asked)
	}
	if _, ok := e.entry.State.after(evForce); !ok {
		return e.unsettled(false, asked)
	}
	fresh.Overridden = append(slices.Clone(e.entry.Overridden), open...)
	return nil
}

// takeOver makes this wallet the holder of what another execution left.
func (e *execution) takeOver(ctx context.Context) error {
	steps, err := e.returned(ctx)
	if err != nil {
		return err
	}
	return e.store(ctx, func(next *Entry) error {
		next.Holder = e.w.holder
		next.State = next.State.takenOver()
		next.Steps = slices.Clone(steps)
		for i := range next.Steps {
			s := &next.Steps[i]
			if s.State = s.State.takenOver(); s.State.Settled() {
				s.Transaction = ""
			}
		}
		if len(next.Steps) > 0 {
			next.State = next.front() // whatever the entry said of itself
		}
		return nil
	})
}

// glance asks the ledger once. asked is why it did not answer.
func (e *execution) glance(ctx context.Context) (asked, err error) {
	flights := map[int]*flight{}
	c := &parcel{left: true}
	for _, i := range e.entry.open() {
		flights[i] = newFlight(c, e.entry, i)
		c.flights = append(c.flights, flights[i])
	}
	e.w.tracker.glance(ctx, c.flights)
	e.contest(flights)
	finished := map[int]*flight{}
	for i, f := range flights {
		asked = errors.Join(asked, f.asked)
		e.found = e.found || f.verdict == KeyConfirmed
		if f.finished {
			finished[i] = f
		} else if f.lacks != "" {
			asked = errors.Join(asked, errors.New(f.lacks))
		}
	}
	return asked, e.store(ctx, func(next *Entry) error {
		next.learn(e.w.tracker, flights)
		return next.apply(finished)
	})
}

// earlier is the result that the journal has.
func (e *execution) earlier() (*Result, error) {
	r := &Result{Steps: resultSteps(e.entry), Replayed: true}
	for i := range r.Steps {
		s := &r.Steps[i]
		switch s.State {
		case StateConfirmed:
			s.Status.Commitment = e.w.tracker.commitment
			continue
		case StateFailed:
			s.Err = fmt.Errorf("%w: %w: the ledger says %s", ErrFailed, walletfi.ErrRejected, s.Status.Err)
		case StateExpired:
			s.Err = fmt.Errorf("%w, build anew for what remains, under another key", ErrExpired)
		default:
			s.Err = notSent(fmt.Errorf("the execution stopped before it; %s", e.goOn()))
		}
	}
	for i, s := range r.Steps {
		if s.Err != nil {
			return r, r.stoppedAt(i)
		}
	}
	return r, nil
}

// held reports an entry that another wallet, which is alive, works on.
func (w *Wallet) held(ctx context.Context, e Entry) (bool, error) {
	if e.Holder == "" || e.Holder == w.holder {
		return false, nil
	}
	return w.journal.Alive(ctx, e.Holder)
}

// signatures lists the owner's signature of each transaction in doubt.
func (e *execution) signatures() (all []string) {
	for _, i := range e.entry.open() {
		all = append(all, e.entry.Steps[i].Own)
	}
	return all
}

func (e *execution) unsettled(running bool, cause error) error {
	err := &UnsettledError{Running: running, Signatures: e.signatures(), Cause: cause}
	if open := e.entry.open(); len(open) > 0 {
		err.Signature = e.entry.Steps[open[0]].Signature
	}
	return err
}
