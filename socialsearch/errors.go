package socialsearch

import (
	"bytes"
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// ErrUsageCap means that the plan's usage is exhausted: a 429 although the rate
// limit has requests left. Waiting for the rate limit's reset does not help.
var ErrUsageCap = errors.New("the usage cap of the plan is reached")

// UsageCapError is a refusal because of the plan's usage. It unwraps to
// [ErrUsageCap] and to a [*walletfi.ResponseError] of kind
// [walletfi.ErrRateLimited].
type UsageCapError struct {
	Response *walletfi.ResponseError // the HTTP side
}

// Error names the call and the cap.
func (e *UsageCapError) Error() string { return e.Response.Error() + ": " + ErrUsageCap.Error() }

// Unwrap returns ErrUsageCap and the HTTP side.
func (e *UsageCapError) Unwrap() []error { return []error{ErrUsageCap, e.Response} }

// Error is a refusal of the service that says why: errors without data. It unwraps to a
// [*walletfi.ResponseError]. If the HTTP status is a success, a resource that does not
// exist is [walletfi.ErrNotFound], and any other error [walletfi.ErrRejected].
type Error struct {
	Problems []Partial               // one or more
	Response *walletfi.ResponseError // the HTTP side
}

// Error names the call, the status and what the service says.
func (e *Error) Error() string { return e.Response.Error() }

// Unwrap returns the HTTP side, and through it the sentinel.
func (e *Error) Unwrap() error { return e.Response }

// entryShape is an entry of errors, under the names that are seen.
type entryShape struct {
	Title        string `json:"title"`
	Message      string `json:"message"`
	Detail       string `json:"detail"`
	Type         string `json:"type"`
	ResourceType string `json:"resource_type"`
	ResourceID   string `json:"resource_id"`
	Value        string `json:"value"`
}

// refusalShape has the members that tell a refusal from a part of an answer.
type refusalShape struct {
	Data   walletfi.Document `json:"data"`
	Errors anyErrors         `json:"errors"`
}

// anyErrors are the errors of an answer in any form: a list, or else one entry.
type anyErrors struct{ entries []walletfi.Document }

// ReadWire reads the entries. Of one that says nothing there is none.
func (e *anyErrors) ReadWire(s *wire.Scanner) error {
	if s.Peek() == '[' {
		return wire.ReadRecords(s, &e.entries)
	}
	from := s.Offset()
	s.Skip()
	if one := s.Kept(from); !saysNothing(one) {
		e.entries = []walletfi.Document{one}
	}
	return nil
}

func saysNothing(entry walletfi.Document) bool {
	return slices.Contains([]string{"", "null", "false", "0", `""`, "{}", "[]"}, string(entry))
}

// errorsOf are the errors of an answer that stand beside its data, whose type has read those
// of a list.
func errorsOf(answer walletfi.Document, list []walletfi.Document) []walletfi.Document {
	var shape refusalShape
	if list != nil || !bytes.Contains(answer, []byte("errors")) || !transport.Envelop(answer, &shape) {
		return list
	}
	return shape.Errors.entries
}

// problems are the errors of a body without data.
func problems(body []byte) []Partial {
	var shape refusalShape
	if !transport.Envelop(body, &shape) {
		return nil
	}
	switch string(shape.Data) {
	case "", "null", "{}", `""`:
		return partials(shape.Errors.entries)
	}
	return nil
}

// envelope reads the errors, and tells a usage cap from a rate limit. No error body is
// documented, so a status that is not a success decides the kind.
func envelope(resp *walletfi.ResponseError, header http.Header, body []byte) transport.Verdict {
	remaining, err := strconv.Atoi(header.Get("x-rate-limit-remaining"))
	if resp.StatusCode == http.StatusTooManyRequests && err == nil && remaining > 0 {
		return transport.Verdict{Err: &UsageCapError{resp}, Final: true}
	}
	said := problems(body)
	if len(said) == 0 {
		return transport.Verdict{}
	}
	resp.Message = cmp.Or(resp.Message, said[0].text())
	if kind := said[0].kind(); resp.StatusCode < http.StatusMultipleChoices && kind != nil {
		resp.Kind = kind
	}
	return transport.Verdict{Err: &Error{said, resp}}
}
