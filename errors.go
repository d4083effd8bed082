package walletfi

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// The sentinels that every error of every service answers to through
// errors.Is. A service's code decides where it has one, the HTTP status
// otherwise.
var (
	// ErrInvalidRequest: the request was refused, by us before anything was
	// sent (see ValidationError) or by the service (400, 422). Nothing happened.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrUnauthorized: the key or token is missing, wrong or expired (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: the key or token may not do this (403).
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: no such resource (404).
	ErrNotFound = errors.New("not found")
	// ErrRejected: the service understood and said no, for a reason of its own
	// such as a balance, a cooldown or a policy.
	ErrRejected = errors.New("rejected by the service")
	// ErrRateLimited: a limit of the service's (429) or of our own budget. The
	// error says when it resets: see [ratelimit.Error] and
	// [ResponseError.RetryAfter].
	ErrRateLimited = ratelimit.ErrLimited
	// ErrUnavailable: the service failed or could not be reached (5xx, no
	// connection), and nothing that could have happened twice was sent.
	ErrUnavailable = errors.New("service unavailable")
	// ErrOutcomeUnknown: the request may have been carried out and no answer
	// tells. Never repeat it blindly: ask for the signature's status, or for
	// the list in which the thing would stand. See OutcomeUnknownError.
	ErrOutcomeUnknown = errors.New("outcome unknown")
	// ErrDecode: the service answered with what could not be read, or without
	// a field that the caller acts on. The body is in ResponseError.Body.
	ErrDecode = errors.New("response not understood")
	// ErrRedirect: the service answered with a redirect. It is never followed,
	// because credentials would go along.
	ErrRedirect = errors.New("redirect refused")
)

// ResponseError is what a service answered in place of a result. Every
// service's own Error unwraps to it.
type ResponseError struct {
	Service    string        // package name of the client, such as "lending"
	Op         string        // method of the client, such as "BuildDeposit"
	Method     string        // HTTP method
	Path       string        // request path without query
	StatusCode int           // HTTP status
	RetryAfter time.Duration // what the service asked to wait, 0 if it did not say
	ResetAt    time.Time     // when a rate limit resets by the local clock, zero if unknown
	Attempts   int           // how often the request was sent, 1 or more
	Message    string        // the service's message, or what we found wrong; credentials masked
	Body       []byte        // the first 4 KiB of the answer, credentials masked; never in Error()
	Kind       error         // the sentinel that errors.Is finds
	Cause      error         // what went wrong underneath, may be nil
}

// Error says in one line which call failed and why. It shows neither the
// query nor any body, since both can hold what must not be logged.
func (e *ResponseError) Error() string {
	text := fmt.Sprintf("%s.%s: %s %s: HTTP %d", e.Service, e.Op, e.Method, e.Path, e.StatusCode)
	switch {
	case e.Message != "":
		text += ": " + e.Message
	case e.Cause != nil:
		text += ": " + e.Cause.Error()
	case e.Kind != nil:
		text += ": " + e.Kind.Error()
	}
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return text
}

// Unwrap returns the sentinel and the cause.
func (e *ResponseError) Unwrap() []error { return present(e.Kind, e.Cause) }

// LogValue gives slog the fields by name, without the body.
func (e *ResponseError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("service", e.Service), slog.String("op", e.Op),
		slog.String("method", e.Method), slog.String("path", e.Path),
		slog.Int("status", e.StatusCode), slog.Int("attempts", e.Attempts),
		slog.String("message", e.Message), slog.Duration("retryAfter", e.RetryAfter),
	)
}

// TransportError is a call that ended without an answer: no connection, a
// timeout, a connection that broke.
type TransportError struct {
	Service  string // package name of the client
	Op       string // method of the client
	Method   string // HTTP method
	Path     string // request path without query
	Attempts int    // how often the request was sent or tried
	Kind     error  // ErrUnavailable, or nil where Cause is a context error
	Cause    error  // what the connection or the context said, its URL removed
}

// Error says in one line which call failed and why.
func (e *TransportError) Error() string {
	text := fmt.Sprintf("%s.%s: %s %s: %v", e.Service, e.Op, e.Method, e.Path, e.Cause)
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return text
}

// Unwrap returns the sentinel and the cause.
func (e *TransportError) Unwrap() []error { return present(e.Kind, e.Cause) }

// OutcomeUnknownError is a call that may have been carried out: it was sent,
// and the answer was lost, garbled or said nothing.
type OutcomeUnknownError struct {
	Signature string // of the transaction, base58, where it is known
	Cause     error  // the last failure
}

// Error says what to do next.
func (e *OutcomeUnknownError) Error() string {
	if e.Signature != "" {
		return fmt.Sprintf("outcome unknown, ask for the status of %s: %v", e.Signature, e.Cause)
	}
	return fmt.Sprintf("outcome unknown, do not repeat blindly: %v", e.Cause)
}

// Unwrap returns ErrOutcomeUnknown and the cause.
func (e *OutcomeUnknownError) Unwrap() []error { return present(ErrOutcomeUnknown, e.Cause) }

// PartialError is a batch of which some parts succeeded: the result that
// stands beside it holds what those brought.
type PartialError struct {
	Done   int   // items of the caller's list that were answered
	Total  int   // items in the caller's list
	First  int   // index of the first item of the first part that failed
	Causes error // the failures of the parts, joined
}

// Error says how far the batch came.
func (e *PartialError) Error() string {
	return fmt.Sprintf("%d of %d done, first failure at item %d: %v", e.Done, e.Total, e.First, e.Causes)
}

// Unwrap returns the failures of the parts.
func (e *PartialError) Unwrap() error { return e.Causes }

func present(errs ...error) []error {
	kept := errs[:0]
	for _, err := range errs {
		if err != nil {
			kept = append(kept, err)
		}
	}
	return kept
}
