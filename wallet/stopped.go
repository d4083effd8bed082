package wallet

import (
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go"
)

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
