package wallet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// sentinels are the errors that a stored error still answers to, by their names in
// JSON.
var sentinels = map[string]error{
	"failed": ErrFailed, "expired": ErrExpired, "stopped": ErrStopped, "notFilled": ErrNotFilled, "short": ErrShort,
	"fenced":       ErrFenced,
	"newerJournal": ErrNewerJournal,
	"journalInUse": ErrJournalInUse, "journalDamaged": ErrJournalDamaged, "journalRolledBack": ErrJournalRolledBack,
	"keyReused": ErrKeyReused, "replayed": ErrReplayed, "changed": ErrChanged,
	"spendLimit": ErrSpendLimit, "signedByAnother": ErrSignedByAnother, "declined": ErrDeclined,
	"refused": signing.ErrRefused, "unknownToTheResolver": signing.ErrUnknown,
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

// besideJSON is an error that is written beside the members of a value, under a name.
type besideJSON struct {
	name string
	err  *error
}

// marshalWith writes a value, which has members and no method, with the errors that are
// not nil.
func marshalWith(value any, errs []besideJSON) ([]byte, error) {
	b, err := json.Marshal(value)
	for _, e := range errs {
		if err != nil || *e.err == nil {
			continue
		}
		if b = b[:len(b)-1]; len(b) > 1 {
			b = append(b, ',')
		}
		var text []byte
		text, err = json.Marshal(storeError(*e.err))
		b = fmt.Appendf(b, "%q:%s}", e.name, text)
	}
	return b, err
}

// unmarshalWith reads what marshalWith wrote. The errors answer to the same sentinels.
func unmarshalWith[T any](b []byte, value *T, errs []besideJSON) error {
	var read T
	var members map[string]json.RawMessage
	if err := cmp.Or(json.Unmarshal(b, &read), json.Unmarshal(b, &members)); err != nil {
		return err
	}
	stored := make([]*storedError, len(errs))
	for i, e := range errs {
		if text, ok := members[e.name]; ok {
			if err := json.Unmarshal(text, &stored[i]); err != nil {
				return err
			}
		}
	}
	*value = read
	for i, e := range errs {
		*e.err = stored[i].restored()
	}
	return nil
}

type plainStep Step

func (s *Step) errs() []besideJSON {
	return []besideJSON{{"error", &s.Err}, {"effectsError", &s.EffectsErr}}
}

// MarshalJSON writes the step with its errors.
func (s Step) MarshalJSON() ([]byte, error) { return marshalWith(plainStep(s), s.errs()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Step) UnmarshalJSON(b []byte) error { return unmarshalWith(b, (*plainStep)(s), s.errs()) }

type plainResult Result

func (r *Result) errs() []besideJSON { return []besideJSON{{"unrecorded", &r.Unrecorded}} }

// MarshalJSON writes the result with its errors.
func (r Result) MarshalJSON() ([]byte, error) { return marshalWith(plainResult(r), r.errs()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Result) UnmarshalJSON(b []byte) error { return unmarshalWith(b, (*plainResult)(r), r.errs()) }

type plainStepError StepError

func (e *StepError) errs() []besideJSON { return []besideJSON{{"cause", &e.Cause}} }

// MarshalJSON writes the error with its cause.
func (e StepError) MarshalJSON() ([]byte, error) { return marshalWith(plainStepError(e), e.errs()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *StepError) UnmarshalJSON(b []byte) error {
	return unmarshalWith(b, (*plainStepError)(e), e.errs())
}

type plainUnsettledError UnsettledError

func (e *UnsettledError) errs() []besideJSON { return []besideJSON{{"cause", &e.Cause}} }

// MarshalJSON writes the error with its cause.
func (e UnsettledError) MarshalJSON() ([]byte, error) {
	return marshalWith(plainUnsettledError(e), e.errs())
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *UnsettledError) UnmarshalJSON(b []byte) error {
	return unmarshalWith(b, (*plainUnsettledError)(e), e.errs())
}

type plainStageError StageError

func (e *StageError) errs() []besideJSON { return []besideJSON{{"cause", &e.Cause}} }

// MarshalJSON writes the error with its cause.
func (e StageError) MarshalJSON() ([]byte, error) { return marshalWith(plainStageError(e), e.errs()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *StageError) UnmarshalJSON(b []byte) error {
	return unmarshalWith(b, (*plainStageError)(e), e.errs())
}

type plainFillStep FillStep

func (f *FillStep) errs() []besideJSON { return []besideJSON{{"effectsError", &f.EffectsErr}} }

// MarshalJSON writes the fill with its error.
func (f FillStep) MarshalJSON() ([]byte, error) { return marshalWith(plainFillStep(f), f.errs()) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *FillStep) UnmarshalJSON(b []byte) error {
	return unmarshalWith(b, (*plainFillStep)(f), f.errs())
}
