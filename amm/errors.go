package amm

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// The documented reasons of an Error, for errors.Is.
var (
	// ErrNoRoute: no pools connect the two mints for this amount.
	ErrNoRoute = errors.New("no route found")
	// ErrSlippageExceeded: the price has moved further than the tolerance. Ask for
	// a new quote.
	ErrSlippageExceeded = errors.New("slippage exceeded")
	// ErrInvalidMint: the service does not know a token address.
	ErrInvalidMint = errors.New("invalid mint")
	// ErrSimulationFailed: the transaction would fail, for example because the
	// balance is too low.
	ErrSimulationFailed = errors.New("transaction simulation failed")
)

// reasons maps the beginning of a message, in lower case and with single
// spaces, to its reason.
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

// Error is an error that the service reports in its envelope. It unwraps to a
// [*walletfi.ResponseError], and to its reason if that is documented.
type Error struct {
	ID       string                  // of the request, for the service's support
	Message  string                  // the service's text
	Reason   error                   // a documented reason such as ErrNoRoute, or nil
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

// LogValue returns the fields by name.
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

// begins reports whether msg begins with the words of message, ignoring case
// and punctuation: NO_ROUTE_FOUND begins with "no route".
func begins(msg, message string) bool {
	words := strings.FieldsFunc(strings.ToLower(msg), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.HasPrefix(strings.Join(words, " ")+" ", message+" ")
}

// names are the envelope's member names.
type names struct{ id, success, msg, data string }

var neutralNames = names{"id", "success", "msg", "data"}

// liveAccept removes the envelope from the bytes as they arrived, so that the data
// can be echoed.
func liveAccept(body []byte, live func(name string) string) ([]byte, bool) {
	n := neutralNames
	return names{live(n.id), live(n.success), live(n.msg), live(n.data)}.accept(body)
}

// wrapped is an answer, split into its members.
type wrapped struct {
	id, msg string
	success *bool // nil if absent, or no boolean
	data    json.RawMessage
	null    json.RawMessage // in the place of data
}

// open splits an answer. It returns false if the answer is not a JSON object, or has
// a member twice.
func (n names) open(body []byte) (wrapped, bool) {
	members, err := wire.Members(body)
	if err != nil || members == nil {
		return wrapped{}, false
	}
	w := wrapped{id: text(members[n.id]), msg: text(members[n.msg]), data: json.RawMessage(members[n.data])}
	switch strings.ToLower(text(members[n.success])) {
	case "true", "1":
		w.success = new(true)
	case "false", "0":
		w.success = new(false)
	}
	if string(w.data) == "null" {
		w.data, w.null = nil, w.data
	}
	return w, true
}

// refused reports whether the answer says success:false, or has data or a message and does
// not say success:true.
func (w wrapped) refused() bool {
	if w.success != nil {
		return !*w.success
	}
	return w.data != nil || w.msg != ""
}

// accept is transport.Config.Accept. A body without an envelope is returned
// whole, so that decoding reports what is wrong with it.
func (n names) accept(body []byte) ([]byte, bool) {
	w, ok := n.open(body)
	switch {
	case !ok:
		return body, true
	case w.refused():
		return nil, false
	case w.data == nil && w.success == nil:
		return body, true
	case w.data == nil:
		return w.null, true
	}
	return w.data, true
}

// text returns a JSON scalar as text, and "" for null, an object or an array.
func text(raw []byte) string {
	var s string
	switch {
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || raw[0] == 'n':
		return ""
	case raw[0] != '"':
		return string(raw)
	case json.Unmarshal(raw, &s) != nil:
		return ""
	}
	return s
}
