package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// refusal types an answer that is not a success: by the service's envelope,
// else by kind, else by status.
func (x *exchange) refusal(kind error) Verdict {
	response := x.response(x.answer.status)
	if kind != nil {
		response.Kind = kind
	}
	// Masked before it is read, so that no part of the envelope shows a secret.
	body := []byte(mask(string(x.client.words.toNeutral(x.answer.body)), x.secrets()))
	response.Message = plainMessage(body)
	var verdict Verdict
	if x.client.envelope != nil {
		verdict = x.client.envelope(response, x.answer.header, body)
		response.Message = oneLine(response.Message)
	}
	if verdict.Err == nil {
		verdict.Err = response
	}
	return verdict
}

// response is what every failed answer has in common.
func (x *exchange) response(status int) *walletfi.ResponseError {
	r := &walletfi.ResponseError{
		Service: x.client.service, Op: x.call.Op, Method: x.call.Method, Path: x.request.url.EscapedPath(),
		StatusCode: status, Attempts: x.number, Kind: kindOfStatus(status),
		Body: excerpt(x.answer.body, x.secrets()),
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		if wait, ok := serverWait(x.answer.header, x.answer.at, 0); ok {
			r.RetryAfter, r.ResetAt = wait, x.answer.at.Add(wait)
		}
	}
	return r
}

// kindOfStatus is the sentinel of a status where no code says better.
func kindOfStatus(status int) error {
	switch {
	case status < 200:
		return walletfi.ErrDecode
	case status >= 300 && status < 400:
		return walletfi.ErrRedirect
	case status == http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case status == http.StatusForbidden:
		return walletfi.ErrForbidden
	case status == http.StatusNotFound:
		return walletfi.ErrNotFound
	case status == http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	case status == http.StatusRequestTimeout || status >= 500:
		return walletfi.ErrUnavailable
	case status == http.StatusPaymentRequired || status == http.StatusConflict:
		return walletfi.ErrRejected
	}
	return walletfi.ErrInvalidRequest
}

// noAnswer types a call that brought no whole answer. Errors that say it
// themselves (a limit of ours, a request that was never sent) stay as they are.
func (x *exchange) noAnswer(a *answer, cause error) error {
	if a == nil && !isContext(cause) {
		return cause
	}
	if a != nil && a.status != 0 {
		// The head came and the body did not: the status is worth keeping.
		r := x.response(a.status)
		r.Kind, r.Cause = walletfi.ErrDecode, cause
		if _, slow := cause.(attemptTimeout); slow {
			r.Kind = walletfi.ErrUnavailable
		}
		if isContext(cause) {
			r.Kind = nil
		}
		return r
	}
	t := &walletfi.TransportError{
		Service: x.client.service, Op: x.call.Op, Method: x.call.Method, Path: x.request.url.EscapedPath(),
		Attempts: x.number, Cause: cause,
	}
	if !isContext(cause) {
		t.Kind = walletfi.ErrUnavailable
	}
	return t
}

// undecodable types a success whose body cannot be used.
func (x *exchange) undecodable(cause error) error {
	r := x.response(x.answer.status)
	r.Kind, r.Cause = walletfi.ErrDecode, cause
	// The service answered 2xx, so what it was asked to do was done.
	x.ambiguous = true
	return r
}

// outcome marks a failure after which nobody knows whether money moved. It does
// not answer to ErrUnavailable, which promises that nothing did.
func (x *exchange) outcome(err error) error {
	if !x.ambiguous || x.call.Effect != Relay && x.call.Effect != Create {
		return err
	}
	promiseNothing(err)
	return &walletfi.OutcomeUnknownError{Signature: x.call.Signature, Cause: err}
}

// promiseNothing takes ErrUnavailable from err and all that it wraps.
func promiseNothing(err error) {
	switch e := err.(type) {
	case *walletfi.ResponseError:
		if e.Kind == walletfi.ErrUnavailable {
			e.Kind = nil
		}
	case *walletfi.TransportError:
		if e.Kind == walletfi.ErrUnavailable {
			e.Kind = nil
		}
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		promiseNothing(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			promiseNothing(inner)
		}
	}
}

// after joins the end of a call with what had gone wrong before it, in a line.
func after(end, before error) error {
	if before == nil {
		return end
	}
	return fmt.Errorf("%w; before that: %w", end, before)
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// masked keeps err as it is unless its text shows a secret.
func masked(err error, secrets []string) error {
	text := err.Error()
	if clean := mask(text, secrets); clean != text {
		return errors.New(clean)
	}
	return err
}

// plainMessage finds the text in an error body of no documented shape:
// {"error":"text"}, {"message":"text"} and their like. A page of HTML has none.
func plainMessage(body []byte) string {
	var shape struct {
		Error, Message, Msg, Detail, Title json.RawMessage
	}
	if json.Unmarshal(body, &shape) != nil {
		return ""
	}
	for _, part := range []json.RawMessage{shape.Message, shape.Msg, shape.Error, shape.Detail, shape.Title} {
		var text string
		if json.Unmarshal(part, &text) == nil && text != "" {
			return oneLine(text)
		}
	}
	if len(shape.Error) > 0 && shape.Error[0] == '{' {
		return plainMessage(shape.Error)
	}
	return ""
}

// oneLine keeps a service's text from breaking a log line or filling a screen.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "") + "..."
	}
	return text
}
