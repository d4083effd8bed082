package amm

import (
	"encoding/json"
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

// names are the envelope's member names.
type names struct{ id, success, msg, data string }

var neutralNames = names{"id", "success", "msg", "data"}

// liveNames are the names before translation: the envelope is taken off the
// bytes as they came, so that what it holds can be echoed.
func liveNames(v walletfi.Vocabulary) names {
	live := func(name string) string {
		if word := v.Keys[name]; word != "" {
			return word
		}
		return name
	}
	n := neutralNames
	return names{live(n.id), live(n.success), live(n.msg), live(n.data)}
}

// wrapped is an answer taken apart.
type wrapped struct {
	id, msg string
	success *bool // nil where it is not said
	data    json.RawMessage
}

// open takes an answer apart; false where it is no JSON object.
func (n names) open(body []byte) (wrapped, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return wrapped{}, false
	}
	w := wrapped{id: text(members[n.id]), msg: text(members[n.msg]), data: members[n.data]}
	switch strings.ToLower(text(members[n.success])) {
	case "true", "1":
		w.success = new(true)
	case "false", "0":
		w.success = new(false)
	}
	if string(w.data) == "null" {
		w.data = nil
	}
	return w, true
}

// refused: said so, or a message stands where the data is due.
func (w wrapped) refused() bool {
	if w.success != nil {
		return !*w.success
	}
	return w.data == nil && w.msg != ""
}

// accept is transport.Config.Accept. What is no envelope is passed on whole, so
// that whoever decodes it says what is wrong.
func (n names) accept(body []byte) ([]byte, bool) {
	w, ok := n.open(body)
	switch {
	case !ok:
		return body, true
	case w.refused():
		return nil, false
	case w.data == nil && w.success == nil:
		return body, true
	}
	return w.data, true
}

// text is a JSON scalar as text, empty for null, an object or an array.
func text(raw json.RawMessage) string {
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
