package amm

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// The documented reasons, for errors.Is.
var (
	// ErrNoRoute: no pools connect the two mints for this amount.
	ErrNoRoute = errors.New("no route found")
	// ErrSlippageExceeded: the price has moved further than the tolerance. A new
	// quote is due.
	ErrSlippageExceeded = errors.New("slippage exceeded")
	// ErrInvalidMint: a token address that the service does not know.
	ErrInvalidMint = errors.New("invalid mint")
	// ErrSimulationFailed: the transaction would fail, for want of balance or
	// otherwise.
	ErrSimulationFailed = errors.New("transaction simulation failed")
)

// reasons by the message they begin with, in small letters and blanks.
var reasons = []struct {
	message   string
	is, class error
}{
	{"no route found", ErrNoRoute, walletfi.ErrRejected},
	{"route not found", ErrNoRoute, walletfi.ErrRejected},
	{"slippage exceeded", ErrSlippageExceeded, walletfi.ErrRejected},
	{"invalid mint", ErrInvalidMint, walletfi.ErrInvalidRequest},
	{"transaction simulation failed", ErrSimulationFailed, walletfi.ErrRejected},
}

// Error is the service's own refusal. It unwraps to a *walletfi.ResponseError,
// and to its reason where that is documented.
type Error struct {
	ID       string                  // of the request, for the service's support
	Message  string                  // the service's text
	Reason   error                   // ErrNoRoute and its like, nil for any other message
	Response *walletfi.ResponseError // the HTTP side
}

// Error names the call, the status and the service's message.
func (e *Error) Error() string { return e.Response.Error() }

// Unwrap returns the HTTP side and the reason.
func (e *Error) Unwrap() []error {
	if e.Reason == nil {
		return []error{e.Response}
	}
	return []error{e.Response, e.Reason}
}

// LogValue gives slog the fields by name.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", e.ID),
		slog.String("message", e.Message),
		slog.Any("response", e.Response),
	)
}

// envelope reads {id, success, msg}.
func envelope(resp *walletfi.ResponseError, _ http.Header, body []byte) transport.Verdict {
	w, ok := neutralNames.open(body)
	if !ok || w.success == nil && w.msg == "" {
		return transport.Verdict{}
	}
	e := &Error{ID: w.id, Message: w.msg, Response: resp}
	if w.msg != "" {
		resp.Message = w.msg
	}
	for _, r := range reasons {
		if begins(w.msg, r.message) {
			e.Reason, resp.Kind = r.is, r.class
		}
	}
	return transport.Verdict{Err: e, Final: e.Reason != nil}
}

// begins reports whether msg, in whatever case and spelling (NO_ROUTE_FOUND),
// begins with the words of message.
func begins(msg, message string) bool {
	words := strings.FieldsFunc(strings.ToLower(msg), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.HasPrefix(strings.Join(words, " ")+" ", message+" ")
}
