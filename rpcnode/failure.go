package rpcnode

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// Error is an answer of the node that is not a result.
type Error struct {
	Method     string            // JSON-RPC method, such as "sendTransaction"
	StatusCode int               // HTTP status
	Code       int               // JSON-RPC error code, 0 if the answer held none
	Message    string            // the node's words, or what was wrong with its answer
	Data       walletfi.Document // what the node added: logs, the transaction's error
	RetryAfter time.Duration     // what the node asked to wait, 0 if it did not say
	Kind       error             // the sentinel that errors.Is finds

	reason string // why preflight failed, if that is known
	cut    bool   // the connection broke within the answer
}

// Error is one line. It never shows the node's URL, which can hold a key.
func (e *Error) Error() string {
	if e.Code == 0 && e.StatusCode >= 300 {
		return "rpcnode: " + e.Method + ": HTTP " + strconv.Itoa(e.StatusCode) + ": " + e.Message
	}
	return "rpcnode: " + e.Method + ": " + e.Message
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Kind }

// refused is the error for a JSON-RPC error object.
func (w *wire) refused(method string, r *rpcRefusal, resp *response) error {
	kind := kindOfCode(r.Code)
	if resp.status == http.StatusTooManyRequests {
		kind = walletfi.ErrRateLimited
	}
	return &Error{
		Method: method, StatusCode: resp.status, Code: r.Code, Message: w.words(r.Message),
		Data: w.data(r.Data), RetryAfter: resp.wait(kind), Kind: kind, reason: reasonOf(r),
	}
}

// words are a node's own, masked and in one line.
func (w *wire) words(text string) string { return peer.OneLine(string(w.mask.Failure([]byte(text)))) }

// data returns the data of a node's error, masked. More than is read of any
// failure is left out, since a cut one would not be JSON.
func (w *wire) data(raw json.RawMessage) walletfi.Document {
	if len(raw) > peer.MaxFailure {
		return nil
	}
	return w.mask.Failure(raw)
}

// unreadable is the error for an answer that is not what JSON-RPC says.
func (w *wire) unreadable(method string, resp *response) error {
	e := &Error{
		Method: method, StatusCode: resp.status, Message: "the answer was not understood", Kind: walletfi.ErrDecode,
	}
	if resp.status >= 300 {
		e.Kind, e.Message = kindOfStatus(resp.status), http.StatusText(resp.status)
	}
	if e.RetryAfter = resp.wait(e.Kind); resp.err != nil && resp.status < 300 {
		e.Message, e.cut = "the answer ended early", true
	}
	return e
}

// wait returns how long the node asks to wait, if it is busy or away.
func (r *response) wait(kind error) time.Duration {
	if kind != walletfi.ErrRateLimited && kind != walletfi.ErrUnavailable {
		return 0
	}
	wait, _ := peer.Wait(r.header, r.at, 0)
	return wait
}

// broken is the error for a call that got no answer. The end of the caller's
// context stays a context error.
func (w *wire) broken(ctx context.Context, method string, err error, trace *peer.Trace) error {
	sent, final := peer.Reached(trace, err)
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Attempts: 1, Kind: walletfi.ErrUnavailable,
	}, unsent: !sent, final: final}
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Cause = nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		e.Cause = errors.New("no answer within the HTTP client's timeout")
	default:
		e.Cause = w.mask.Error(peer.WithoutURL(err))
	}
	return e
}

// callError is a TransportError that knows whether anything was sent, and
// whether sending it again is of no use.
type callError struct {
	walletfi.TransportError
	unsent, final bool
}

// Unwrap gives errors.As and errors.Is the TransportError.
func (e *callError) Unwrap() error { return &e.TransportError }
