package walletfi

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// The sentinels, for errors.Is. Each error of each service answers to one of
// them. The service's own error code decides which, the HTTP status if there is
// no code.
var (
	// ErrInvalidRequest: the client refused the request before anything was
	// sent (see [ValidationError]), or the service refused it (400, 422).
	// Nothing happened.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrUnauthorized: the key or token is missing, wrong or expired (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: the key or token may not do this (403).
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: the resource does not exist (404).
	ErrNotFound = errors.New("not found")
	// ErrRejected: the service understood the request and refused it for a
	// reason of its own, such as a balance, a cooldown or a policy.
	ErrRejected = errors.New("rejected by the service")
	// ErrRateLimited: the service refused the call (429), or the client's own
	// limiter did. [ResponseError.ResetAt] or [ratelimit.Error] says when to try
	// again.
	ErrRateLimited = ratelimit.ErrLimited
	// ErrLimiter: the [Options].Limiter failed, and the service may be well. The call
	// was not sent. It is not a refusal, which is ErrRateLimited. See
	// [ratelimit.LimiterError].
	ErrLimiter = ratelimit.ErrLimiter
	// ErrTokenStore: the [TokenStore] failed, and the service may be well. The call
	// was not sent.
	ErrTokenStore = errors.New("token store failed")
	// ErrUnavailable: the service failed or could not be reached (5xx, no
	// connection), and the call cannot have changed anything.
	ErrUnavailable = errors.New("service unavailable")
	// ErrOutcomeUnknown: the request may have been carried out and no answer
	// says so. Do not simply repeat it: ask for the status of the signature, or
	// look in the list of what would have been created. See
	// [OutcomeUnknownError].
	ErrOutcomeUnknown = errors.New("outcome unknown")
	// ErrDecode: the answer could not be read, or lacks a field that the caller
	// acts on: the error names the field, and the wire tag of one that is missing. An answer that
	// a test makes up has to have it, see docs/errors.md; of a service's own, Options.Lenient
	// lets a member through. [ResponseError.Body] has the body.
	ErrDecode = errors.New("response not understood")
	// ErrMismatch: the answer contradicts the request, such as a quote for another
	// mint. Do not act on it, and do not repeat the call: report it to the
	// service. [MismatchError] has both values.
	ErrMismatch = errors.New("the answer contradicts the request")
	// ErrRedirect: the service answered with a redirect. Redirects are not
	// followed, because credentials would go along.
	ErrRedirect = errors.New("redirect refused")
)

// ResponseError is a service's answer that is no result. Every service's own
// Error unwraps to it.
type ResponseError struct {
	Service    string        // package name of the client, such as "lending"
	Op         string        // method of the client, such as "BuildDeposit"
	Method     string        // HTTP method
	Path       string        // request path without query
	StatusCode int           // HTTP status
	RetryAfter time.Duration // how long the service asked to wait, 0 if it did not say
	ResetAt    time.Time     // when a rate limit resets by the local clock, zero if unknown
	Attempts   int           // how often the request was sent, 1 or more
	Message    string        // the service's message, or what is wrong with the answer; credentials masked
	Body       []byte        // the first 4 KiB of the answer, credentials masked; never in Error()
	Kind       error         // the sentinel that errors.Is finds
	Cause      error         // the error underneath, may be nil
}

// Error says in one line which call failed and why. It shows neither the query
// nor a body, since both can hold what must not be logged.
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
	Kind     error  // ErrUnavailable, or nil if Cause is a context error
	Cause    error  // the error of the connection or the context, without the URL
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

// OutcomeUnknownError is a call that may have been carried out: it was sent, and
// the answer was lost, unreadable or empty.
type OutcomeUnknownError struct {
	Signature string // of the transaction, base58, if it is known
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

// MismatchError is an answer of which a member contradicts the request. If the
// call created something, it was created as the answer says.
type MismatchError struct {
	Field    string // of the answer, as it is named on the wire, such as "routePlan.outputMint"
	Asked    string // what the request asked for
	Answered string // what the answer says
}

// Error names the field and both values.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s: asked for %.100q, answered %.100q", e.Field, e.Asked, e.Answered)
}

// Unwrap returns ErrMismatch.
func (e *MismatchError) Unwrap() error { return ErrMismatch }

// PartialError is a batch of which some parts failed. The result that is
// returned with it holds the answers of the other parts.
type PartialError struct {
	Done   int   // items of the caller's list that were answered
	Total  int   // items in the caller's list
	First  int   // index of the first item of the first part that failed
	Causes error // the failures of the parts, joined
}

// Error says how many items were answered.
func (e *PartialError) Error() string {
	return fmt.Sprintf("%d of %d done, first failure at item %d: %v", e.Done, e.Total, e.First, e.Causes)
}

// Unwrap returns the failures of the parts.
func (e *PartialError) Unwrap() error { return e.Causes }

// present returns errs without the nil errors.
func present(errs ...error) []error {
	kept := errs[:0]
	for _, err := range errs {
		if err != nil {
			kept = append(kept, err)
		}
	}
	return kept
}

// UnreadError is a list of which some records could not be read, or only in part, or came twice.
// The list that is returned with it holds the others, and those in part, in the service's order,
// and of those that came twice the first. An iterator yields each as a [*RecordError], in its
// place, and goes on; what it has yielded it passes over.
type UnreadError struct {
	Records []*RecordError // in the order of the answer; at least one
}

// Error says how many records there are, and what is wrong with the first.
func (e *UnreadError) Error() string {
	if len(e.Records) == 1 {
		return e.Records[0].Error()
	}
	return fmt.Sprintf("%d records could not be read: %v", len(e.Records), e.Records[0])
}

// Unwrap returns ErrDecode and the records.
func (e *UnreadError) Unwrap() []error {
	all := []error{ErrDecode}
	for _, record := range e.Records {
		all = append(all, record)
	}
	return all
}

// RecordError is a record that could not be read, or of which a member could not: an
// element of a list or of a map, or a message of a feed.
type RecordError struct {
	// List is the member of the answer that holds the list, such as "positions",
	// or "events[2].markets" of a list in a record. It is empty if the answer
	// itself is the list, and for a feed. It ends with ".*" for a map.
	List  string
	Index int      // in the list of this answer, from 0; 0 for a feed
	Raw   Document // the record as it came; not in Error()
	Err   error    // what is wrong with it
	// Kept reports that the list has the record all the same. Only the member that Err
	// names cannot be used: it is invalid if its type can say so, else zero.
	Kept bool
}

// Error names the place and says what is wrong there.
func (e *RecordError) Error() string {
	if e.Kept {
		return fmt.Sprintf("record %s[%d]: %v", e.List, e.Index, e.Err)
	}
	return fmt.Sprintf("record %s[%d] could not be read: %v", e.List, e.Index, e.Err)
}

// Unwrap returns ErrDecode and the reason.
func (e *RecordError) Unwrap() []error { return present(ErrDecode, e.Err) }

// ValidationError is a request or a configuration that was refused before
// anything was sent. It answers to [ErrInvalidRequest].
type ValidationError struct {
	Field   string // as it is named on the wire, such as "partnerFeeBps"
	Problem string // what is wrong and what would be right; never a secret
}

// Error is "invalid request: field: problem".
func (e *ValidationError) Error() string {
	return fmt.Sprintf("invalid request: %s: %s", e.Field, e.Problem)
}

// Unwrap returns ErrInvalidRequest.
func (e *ValidationError) Unwrap() error { return ErrInvalidRequest }
