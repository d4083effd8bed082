package wallet

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// sentinels are the errors that a stored error still answers to, by their names in
// JSON.
var sentinels = map[string]error{
	"failed": ErrFailed, "expired": ErrExpired, "notFilled": ErrNotFilled, "fenced": ErrFenced, "newerJournal": ErrNewerJournal,
	"journalInUse": ErrJournalInUse, "journalDamaged": ErrJournalDamaged, "journalRolledBack": ErrJournalRolledBack,
	"keyReused": ErrKeyReused,
	"refused":   signing.ErrRefused, "unknownToTheResolver": signing.ErrUnknown,
	"notSent": walletfi.ErrNotSent, "blockhashNotFound": walletfi.ErrBlockhashNotFound,
	"invalidRequest": walletfi.ErrInvalidRequest, "unauthorized": walletfi.ErrUnauthorized,
	"forbidden": walletfi.ErrForbidden, "notFound": walletfi.ErrNotFound, "rejected": walletfi.ErrRejected,
	"rateLimited": walletfi.ErrRateLimited, "tokenStore": walletfi.ErrTokenStore,
	"unavailable": walletfi.ErrUnavailable, "outcomeUnknown": walletfi.ErrOutcomeUnknown,
	"decode": walletfi.ErrDecode, "mismatch": walletfi.ErrMismatch, "redirect": walletfi.ErrRedirect,
	"canceled": context.Canceled, "deadlineExceeded": context.DeadlineExceeded,
}

// storedError is an error in JSON. Read again, it has the same text, answers to
// the same sentinels, and to errors.As for a *signing.GuardError.
type storedError struct {
	Message string              `json:"message"`
	Is      []string            `json:"is,omitempty"` // names of sentinels, sorted
	Guard   *signing.GuardError `json:"guard,omitempty"`
}

func storeError(err error) *storedError {
	if err == nil {
		return nil
	}
	s := &storedError{Message: err.Error()}
	s.Guard, _ = errors.AsType[*signing.GuardError](err)
	for name, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			s.Is = append(s.Is, name)
		}
	}
	slices.Sort(s.Is)
	return s
}

func (s *storedError) restored() error {
	if s == nil {
		return nil
	}
	return (*restoredError)(s)
}

// restoredError is an error that was read from JSON.
type restoredError storedError

// Error is the text of the error that was stored.
func (e *restoredError) Error() string { return e.Message }

// Unwrap returns the sentinels and the guard's refusal. A name that a newer version
// wrote is left out.
func (e *restoredError) Unwrap() []error {
	var all []error
	for _, name := range e.Is {
		if sentinel := sentinels[name]; sentinel != nil {
			all = append(all, sentinel)
		}
	}
	if e.Guard != nil {
		all = append(all, e.Guard)
	}
	return all
}

type plainStep Step

type storedStep struct {
	*plainStep
	Err        *storedError `json:"error,omitempty"`
	EffectsErr *storedError `json:"effectsError,omitempty"`
}

// MarshalJSON writes the step with its errors.
func (s Step) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedStep{(*plainStep)(&s), storeError(s.Err), storeError(s.EffectsErr)})
}

// UnmarshalJSON reads what MarshalJSON wrote. The error answers to the same
// sentinels.
func (s *Step) UnmarshalJSON(b []byte) error {
	var read plainStep
	stored := storedStep{plainStep: &read}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*s = Step(read)
	s.Err, s.EffectsErr = stored.Err.restored(), stored.EffectsErr.restored()
	return nil
}

type plainResult Result

type storedResult struct {
	*plainResult
	Unrecorded *storedError `json:"unrecorded,omitempty"`
}

// MarshalJSON writes the result with its errors.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedResult{(*plainResult)(&r), storeError(r.Unrecorded)})
}

// UnmarshalJSON reads what MarshalJSON wrote. The errors answer to the same
// sentinels.
func (r *Result) UnmarshalJSON(b []byte) error {
	var read plainResult
	stored := storedResult{plainResult: &read}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*r = Result(read)
	r.Unrecorded = stored.Unrecorded.restored()
	return nil
}

type plainStepError StepError

type storedStepError struct {
	*plainStepError
	Cause *storedError `json:"cause,omitempty"`
}

// MarshalJSON writes the error with its cause.
func (e StepError) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedStepError{(*plainStepError)(&e), storeError(e.Cause)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *StepError) UnmarshalJSON(b []byte) error {
	var read plainStepError
	stored := storedStepError{plainStepError: &read}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*e = StepError(read)
	e.Cause = stored.Cause.restored()
	return nil
}

type plainUnsettledError UnsettledError

type storedUnsettledError struct {
	*plainUnsettledError
	Cause *storedError `json:"cause,omitempty"`
}

// MarshalJSON writes the error with its cause.
func (e UnsettledError) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedUnsettledError{(*plainUnsettledError)(&e), storeError(e.Cause)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *UnsettledError) UnmarshalJSON(b []byte) error {
	var read plainUnsettledError
	stored := storedUnsettledError{plainUnsettledError: &read}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*e = UnsettledError(read)
	e.Cause = stored.Cause.restored()
	return nil
}
