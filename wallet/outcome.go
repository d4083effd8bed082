package wallet

import (
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Outcome returns what the journal says of a payment by its ExecuteOptions.Key, also
// of one that an earlier process executed. It asks no node and waits for nothing: what
// is not settled is followed by Settle. Steps is empty if nothing was signed. If the
// journal does not have the key, the error answers to walletfi.ErrNotFound: nothing
// was signed for it, unless the journal has dropped it since, as FileJournal.Prune
// does.
//
// While an Execute works on the key, here or in another process, what it has not ended
// is StateRunning. What a process left that is gone is StateUnknown, also if nothing of
// it was sent: until Settle, Execute or Place has taken the key over, that process may
// only be slow, and send it.
func (w *Wallet) Outcome(ctx context.Context, key string) (Outcome, error) {
	if err := check.All(check.Required("key", key), checkKey(key)); err != nil {
		return Outcome{}, err
	}
	o, known, err := w.present(ctx, callerKey+key)
	if err == nil && !known {
		err = fmt.Errorf("%w: the journal does not have the key", walletfi.ErrNotFound)
	}
	return o, err
}

// present reads the outcome of a key, if the journal has that.
func (w *Wallet) present(ctx context.Context, key string) (o Outcome, known bool, err error) {
	began := w.works(key)
	e, err := w.journal.Load(ctx, key)
	if err != nil {
		return Outcome{}, false, fmt.Errorf("the journal: %w", err)
	}
	o = outcomeOf(e, false)
	if e.Version == 0 || o.Settled() {
		return o, e.Version > 0, nil
	}
	alive := e.Holder == w.holder && (began || w.works(key)) // before or after the journal was read
	if !alive {
		if alive, err = w.held(ctx, e); err != nil {
			return Outcome{}, false, fmt.Errorf("the journal: %w", err)
		}
	}
	return outcomeOf(e, alive), true, nil
}

// outcomeOf is the outcome by an entry. alive says that its holder is.
func outcomeOf(e Entry, alive bool) Outcome {
	e = e.clone()
	o := Outcome{Key: e.callersKey(), Intent: e.Asked, Steps: resultSteps(e), FilledLater: e.FilledLater, End: e.End}
	for i, s := range e.Steps {
		if state := s.State.outcome(alive); state.open() {
			o.Steps[i].State = state
		}
	}
	o.State = wholeOf(o.Steps, e.State.outcome(alive))
	return o
}

// wholeOf is the state of a set, none if it has no steps.
func wholeOf(steps []Step, none State) State {
	whole := none
	for i, s := range steps {
		open := s.State == StateRunning || s.State == StateUnknown && whole != StateRunning
		if i == 0 || whole == StateConfirmed || open {
			whole = s.State
		}
	}
	return whole
}

// open reports a state that can still become another one.
func (s State) open() bool { return s == StateRunning || s == StateUnknown }

// Settled reports whether the outcome is final: nothing of it can change any more, unless
// a key that has not paid is executed again.
func (o Outcome) Settled() bool {
	return !o.State.open() && !slices.ContainsFunc(o.Steps, func(s Step) bool { return s.State.open() })
}

// resultSteps are the steps of an entry as the caller sees them.
func resultSteps(e Entry) []Step {
	steps := make([]Step, len(e.Steps))
	for i, s := range e.Steps {
		steps[i] = Step{
			State: s.step(), Signature: s.Signature,
			Signed: walletfi.Signed{Transaction: s.Transaction, Signature: s.Signature},
			Status: walletfi.SignatureStatus{Slot: s.Slot, Err: s.Err, Found: s.State == KeyConfirmed || s.State == KeyFailed},
		}
	}
	return steps
}

// take writes what became of f.
func (s *Step) take(f *flight) {
	s.State, s.Signature, s.Signed.Signature, s.Status = f.verdict.step(), f.step.Signature, f.step.Signature, f.status
	if s.Err = f.cause; f.verdict == KeyInDoubt {
		s.Err = unknown(s.Signature, f.cause)
	}
}
