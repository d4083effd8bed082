package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/signing"
)

// ErrExpired means that a transaction did not land in time and cannot land any
// more: its blockhash has expired. Build a new one.
var ErrExpired = errors.New("the transaction expired before it landed: ask for a new quote")

// ErrFailed means that a transaction was executed with an error. The fee is
// gone, nothing else.
var ErrFailed = errors.New("the transaction failed")

// State is the state of a transaction of a set.
type State string

// The states.
const (
	StateNotSigned State = "not_signed" // a set that is signed step by step has stopped before it
	StateNotSent   State = "not_sent"   // it was not sent, or a submitter refused it; it may be signed
	StateConfirmed State = "confirmed"  // it succeeded, at the wallet's commitment
	StateFailed    State = "failed"     // it was executed and failed: only the fee was paid
	StateExpired   State = "expired"    // it did not land and cannot land any more
	StateUnknown   State = "unknown"    // it may still land; see Wallet.Unsettled
	StateRunning   State = "running"    // an execution works on it now, here or elsewhere; Outcome alone says this
)

// UnmarshalText reads a state, and what an earlier version wrote with a blank in it.
func (s *State) UnmarshalText(text []byte) error {
	*s = State(underscored(text))
	return nil
}

func underscored(text []byte) string { return strings.ReplaceAll(string(text), " ", "_") }

// Step is the result of one transaction.
type Step struct {
	State State `json:"state"`
	// base58, known before sending; empty if a sponsor signs last
	Signature string `json:"signature,omitempty"`
	// the bytes; sending them again is safe, building new ones is not
	Signed walletfi.Signed          `json:"signed"`
	Status walletfi.SignatureStatus `json:"status"` // the last status from the ledger
	Err    error                    `json:"-"`      // why it is not confirmed, or nil; "error" in JSON

	// Effects are the transaction's changes of the owner's, as the ledger has them.
	// Nil means that it is not known: it was not executed, Config.Effects is nil, or
	// EffectsErr says why.
	Effects    *walletfi.Effects `json:"effects,omitempty"`
	EffectsErr error             `json:"-"` // "effectsError" in JSON
}

// Result is the result of a set, with one step per transaction in order.
type Result struct {
	// what the guard saw, including a refusal; nil if the result is the journal's
	Report *signing.Report `json:"report,omitempty"`
	Steps  []Step          `json:"steps"`
	// Replayed says that the result is the journal's: this call has signed nothing, and tells
	// what became of what an earlier one signed for the key.
	Replayed bool `json:"replayed,omitempty"`
	// Changes says in what the owner's wallet signed something else than was prepared: see
	// Wallet.Submit.
	Changes []Change `json:"changes,omitempty"`
	// Unrecorded is why the journal did not take a verdict, nil if it has all. Steps has
	// what the ledger said; the journal may lack it, and then finds it out again when the
	// key is executed or settled.
	Unrecorded error `json:"-"`
}

// Remaining lists the transactions, by index, that are left to do: they have
// expired or failed, or were not sent, and will not land. Build again for these
// alone, under another key; or, if they are StateNotSigned, go on under the same key: see
// Place and Execute. Do not do both. What is unknown or running is not among them.
func (r *Result) Remaining() []int {
	var left []int
	for i, s := range r.Steps {
		if s.State != StateConfirmed && !s.State.open() {
			left = append(left, i)
		}
	}
	return left
}

// Confirmed reports whether every transaction was confirmed.
func (r *Result) Confirmed() bool {
	return len(r.Steps) > 0 && !slices.ContainsFunc(r.Steps, func(s Step) bool { return s.State != StateConfirmed })
}

// Signatures lists the signatures in order.
func (r *Result) Signatures() []string {
	all := make([]string, len(r.Steps))
	for i, s := range r.Steps {
		all[i] = s.Signature
	}
	return all
}

// StepError reports the transaction at which a set stopped. The transactions
// before it are confirmed, those after it were not sent.
type StepError struct {
	Index     int    `json:"index"`               // in the set
	State     State  `json:"state"`               // of that transaction
	Signature string `json:"signature,omitempty"` // base58, if it is known
	Cause     error  `json:"-"`                   // "cause" in JSON
}

// Error names the transaction, its state and the cause.
func (e *StepError) Error() string {
	state := strings.ReplaceAll(string(e.State), "_", " ")
	return fmt.Sprintf("transaction %d is %s: %v", e.Index+1, state, e.Cause)
}

// Unwrap returns the cause. It answers to ErrFailed, ErrExpired,
// walletfi.ErrNotSent or walletfi.ErrOutcomeUnknown, as State says; and to ErrStopped, never
// to walletfi.ErrNotSent, if a transaction of the set is confirmed.
func (e *StepError) Unwrap() error { return e.Cause }

// ErrStopped means that a set stopped after some of its transactions were confirmed, and
// that a part of it is paid. To go on, see Result.Remaining. To quote the whole payment again
// would pay that part twice.
var ErrStopped = errors.New("the set stopped after some of its transactions were confirmed")

// stopped is the error of the first of some steps that is not confirmed, or nil.
func (r *Result) stopped(steps []int) error {
	for _, i := range steps {
		if r.Steps[i].State != StateConfirmed {
			return r.stoppedAt(i)
		}
	}
	return nil
}

// stoppedAt is the error of a set that stopped at step i. "Not sent" is said of that step
// alone: of a set of which another step is confirmed it would be wrong.
func (r *Result) stoppedAt(i int) *StepError {
	s := r.Steps[i]
	err := &StepError{Index: i, State: s.State, Signature: s.Signature, Cause: s.Err}
	if slices.ContainsFunc(r.Steps, func(s Step) bool { return s.State == StateConfirmed }) {
		err.Cause = &stoppedError{s.Err}
	}
	return err
}

// stoppedError answers to ErrStopped, and to all that its cause answers to, but not to
// walletfi.ErrNotSent.
type stoppedError struct{ cause error }

func (e *stoppedError) Error() string      { return e.cause.Error() }
func (e *stoppedError) As(target any) bool { return errors.As(e.cause, target) }
func (e *stoppedError) Is(target error) bool {
	return target == ErrStopped || target != walletfi.ErrNotSent && errors.Is(e.cause, target)
}

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
	for i, s := range e.counted() {
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
	counted := e.counted()
	steps := make([]Step, len(counted))
	for i, s := range counted {
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
