package rpcnode

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Error is what the node answered in place of a result.
type Error struct {
	Method     string            // JSON-RPC method, such as "sendTransaction"
	StatusCode int               // HTTP status
	Code       int               // JSON-RPC error code, 0 where the answer held none
	Message    string            // the node's words, or what was wrong with its answer
	Data       walletfi.Document // what the node added: logs, the transaction's error
	RetryAfter time.Duration     // what the node asked to wait, 0 if it did not say
	Kind       error             // the sentinel that errors.Is finds
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
		Method: method, StatusCode: resp.status, Code: r.Code, Message: w.mask.text(r.Message),
		Data: walletfi.Document(w.mask.text(string(r.Data))), RetryAfter: retryAfter(resp.header), Kind: kind,
	}
}

// unreadable is the error for an answer that is not what JSON-RPC says.
func (w *wire) unreadable(method string, resp *response) error {
	e := &Error{Method: method, StatusCode: resp.status, Message: "the answer was not understood", RetryAfter: retryAfter(resp.header), Kind: walletfi.ErrDecode}
	if resp.status >= 300 {
		e.Kind, e.Message = kindOfStatus(resp.status), http.StatusText(resp.status)
	}
	return e
}

// broken is the error for a call that got no whole answer. What the caller
// waited for ended or was cancelled stays a context error.
func (w *wire) broken(ctx context.Context, method string, err error, trace *connection) error {
	e := &callError{TransportError: walletfi.TransportError{
		Service: "rpcnode", Op: method, Method: http.MethodPost, Path: "/", Attempts: 1, Kind: walletfi.ErrUnavailable,
	}, unsent: trace.never(err)}
	var link *url.Error
	if errors.As(err, &link) {
		err = link.Err
	}
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Cause = nil, ctx.Err()
	case errors.Is(err, walletfi.ErrRedirect):
		e.Kind, e.Cause, e.unsent = nil, walletfi.ErrRedirect, true
	case errors.Is(err, context.DeadlineExceeded):
		e.Cause = errors.New("no answer within the HTTP client's timeout")
	default:
		e.Cause = w.mask.error(err)
	}
	return e
}

// callError is a TransportError that knows whether anything was sent.
type callError struct {
	walletfi.TransportError
	unsent bool
}

// Unwrap gives errors.As the TransportError, and errors.Is what it answers to.
func (e *callError) Unwrap() error { return &e.TransportError }

// Is lets errors.Is find what the cause answers to, such as
// syscall.ECONNREFUSED.
func (e *maskedError) Is(target error) bool { return errors.Is(e.cause, target) }

// connection watches one request for the moment from which it may have been
// read. A RoundTripper that fires no trace counts as having sent.
type connection struct{ asked, got atomic.Bool }

func (c *connection) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { c.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { c.got.Store(true) },
	})
}

// never reports that no byte of the request left.
func (c *connection) never(err error) bool {
	if c.got.Load() {
		return false
	}
	var name *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	return c.asked.Load() || errors.As(err, &name) || errors.As(err, &certificate) || errors.As(err, &op) && op.Op == "dial"
}

// retryAfter reads the header of that name, in seconds or as a date.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, float64(24*time.Hour/time.Second)) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
