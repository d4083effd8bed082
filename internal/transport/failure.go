package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// refusal types an answer that is not a success: by the service's envelope,
// else by kind, else by status.
func (x *exchange) refusal(a *answer, kind error) Verdict {
	mask := x.mask()
	response := x.response(a, mask)
	if kind != nil {
		response.Kind = kind
	}
	// Masked before it is read, so that no part of the envelope shows a secret.
	body := mask.Failure(x.neutral(a))
	if x.call.SecretAnswer {
		body = nil
	}
	response.Message = plainMessage(body)
	var verdict Verdict
	if x.client.envelope != nil {
		verdict = x.client.envelope(response, a.header, body)
		response.Message = peer.OneLine(response.Message)
		if verdict.Final && !response.ResetAt.IsZero() { // no limit, and said as it is
			x.state(response, a, true)
		}
	}
	if verdict.Err == nil {
		verdict.Err = response
	}
	verdict.response = response
	return verdict
}

// response is what every failed answer has in common.
func (x *exchange) response(a *answer, mask *peer.Mask) *walletfi.ResponseError {
	r := &walletfi.ResponseError{
		Service: x.client.service, Op: x.call.Op, Method: x.request.method, Path: x.request.url.EscapedPath(),
		StatusCode: a.status, Attempts: x.progress.attempts, Kind: peer.Kind(a.status), Body: mask.Excerpt(a.body),
	}
	if x.call.SecretAnswer {
		r.Body = nil
	}
	if a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable {
		x.state(r, a, false)
	}
	return r
}

// state notes in r when to come back. If the wait is doubted, that is when the call may
// probe it.
func (x *exchange) state(r *walletfi.ResponseError, a *answer, final bool) {
	wait, odd, stated := x.statedWait(a, 0)
	if !stated {
		return
	}
	if obeyed, doubted := x.obeyed(wait, odd); doubted && !final {
		wait = x.untilProbe(obeyed)
	}
	r.RetryAfter, r.ResetAt = wait, a.at.Add(wait)
}

// broken types an attempt that brought no whole answer.
func (x *exchange) broken(a *answer) error {
	if a.status == 0 {
		return x.without(a.err)
	}
	// The head came and the body did not: the status is worth keeping.
	r := x.response(a, x.mask())
	r.Kind, r.Cause = walletfi.ErrDecode, a.err
	if _, slow := a.err.(attemptTimeout); slow {
		r.Kind = x.kept(walletfi.ErrUnavailable)
	}
	if peer.IsContext(a.err) {
		r.Kind = nil
	}
	return r
}

// unanswered types the end of a call before or between its attempts. Errors
// that say it themselves, such as a limit of ours, stay as they are.
func (x *exchange) unanswered(cause error) error {
	if !peer.IsContext(cause) {
		return cause
	}
	return x.without(cause)
}

func (x *exchange) without(cause error) error {
	t := &walletfi.TransportError{
		Service: x.client.service, Op: x.call.Op, Method: x.request.method, Path: x.request.url.EscapedPath(),
		Attempts: x.progress.attempts, Cause: cause,
	}
	if !peer.IsContext(cause) {
		t.Kind = x.kept(walletfi.ErrUnavailable)
	}
	return t
}

// undecodable types a success whose body cannot be used. The service answered
// 2xx, so it did what it was asked to do.
func (x *exchange) undecodable(a *answer, cause error) error {
	if x.call.SecretAnswer {
		cause = x.named(errSecretAnswer) // what does not fit may be quoted in cause
	}
	r := x.response(a, x.mask())
	r.Kind, r.Cause = walletfi.ErrDecode, cause
	x.progress.doubt = x.progress.doubt || x.call.Effect != Create || !wire.Usable(cause) // what it made is returned
	return r
}

var errSecretAnswer = errors.New("the answer was not understood; it may hold a secret, and is not shown")

// end marks the failure of a call that may have moved money.
func (x *exchange) end(err error) error {
	if !x.unknown() {
		return err
	}
	return &walletfi.OutcomeUnknownError{Signature: x.call.Signature, Cause: err}
}

// unknown reports a call that may have moved money. Its failures do not answer to
// ErrUnavailable, which promises that nothing was carried out.
func (x *exchange) unknown() bool {
	return x.progress.doubt && (x.call.Effect == Relay || x.call.Effect == Create)
}

// kept returns a kind if the call's failures may answer to it, else nil.
func (x *exchange) kept(kind error) error {
	if kind == walletfi.ErrUnavailable && x.unknown() {
		return nil
	}
	return kind
}

// beside returns what others failed with between two attempts, such as a renewal.
func (x *exchange) beside(err error) error {
	if err == nil || !x.unknown() {
		return err
	}
	return unpromising{err}
}

// unpromising is an error that does not answer to ErrUnavailable.
type unpromising struct{ error }

// Is hides the kind, whatever is wrapped.
func (e unpromising) Is(target error) bool {
	return target != walletfi.ErrUnavailable && errors.Is(e.error, target)
}

// As finds what is wrapped.
func (e unpromising) As(target any) bool { return errors.As(e.error, target) }

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
			return peer.OneLine(text)
		}
	}
	if bytes.HasPrefix(shape.Error, []byte("{")) {
		return plainMessage(shape.Error)
	}
	return ""
}

// Envelop decodes the body of a failure into v, a service's envelope. A member of
// another type than is documented stays zero, or as text if it is a number where
// a text was promised: a code says what happened whatever else is there. It is
// false if body is not JSON.
func Envelop[T any](body []byte, v *T) bool {
	err := wire.DecodeCreated(body, v)
	_, misfit := errors.AsType[*wire.FieldError](err)
	return err == nil || misfit
}
