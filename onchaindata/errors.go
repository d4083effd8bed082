package onchaindata

import (
	"bytes"
	"cmp"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Error is a refusal of the service, in either of its two shapes. The meaning of
// the codes is not documented. It unwraps to a [*walletfi.ResponseError].
//
// The sentinel that errors.Is finds follows from the HTTP status, except for a 429
// in the body. If the HTTP status is 2xx, it follows from the status in the body,
// and is [walletfi.ErrRejected] if the body has none.
type Error struct {
	Problems []Problem               // of {"errors": [...]}, nil in the other shape
	Code     string                  // error_code as text, empty in the first shape
	Message  string                  // error_message, or the joined titles
	Response *walletfi.ResponseError // the HTTP side
}

// Problem is one entry of an errors array.
type Problem struct {
	Status string `json:"status"` // usually the HTTP status, as text
	Title  string `json:"title"`
	Detail string `json:"detail"`
}

// Error names the call, the status, the code and the service's message.
func (e *Error) Error() string { return e.Response.Error() }

// Unwrap returns the HTTP side, and through it the sentinel.
func (e *Error) Unwrap() error { return e.Response }

// LogValue gives slog the fields by name.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("code", e.Code),
		slog.String("message", e.Message),
		slog.Any("response", e.Response),
	)
}

// status returns the HTTP status in the body, 0 if there is none.
func (e *Error) status() int {
	text := e.Code
	if len(e.Problems) > 0 {
		text = e.Problems[0].Status
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

// envelope is transport.Config.Envelope.
func envelope(resp *walletfi.ResponseError, _ http.Header, body []byte) transport.Verdict {
	e := readRefusal(body)
	if e == nil {
		return transport.Verdict{}
	}
	e.Response = resp
	if e.Message != "" {
		resp.Message = e.Message
	}
	if e.Code != "" {
		resp.Message = strings.TrimSuffix(e.Code+": "+e.Message, ": ")
	}
	limited := e.status() == http.StatusTooManyRequests
	if resp.StatusCode < 300 || limited {
		if status := e.status(); status != 0 {
			resp.Kind = peer.Kind(status)
		}
	}
	return transport.Verdict{Err: e, RateLimited: limited}
}

// readRefusal returns the refusal in body, without its HTTP side, or nil. An empty
// errors array and an error_code of 0 are not refusals.
func readRefusal(body []byte) *Error {
	var shape struct {
		Errors json.RawMessage `json:"errors"`
		Status json.RawMessage `json:"status"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return nil
	}
	return cmp.Or(listedErrors(shape.Errors), statusError(shape.Status))
}

// listedErrors reads [{status, title}], or a string or strings instead.
func listedErrors(raw json.RawMessage) *Error {
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "", "null", "[]", "{}", `""`, "false":
		return nil
	}
	var list wire.Many[Problem]
	if wire.Unmarshal(raw, &list) == nil {
		return &Error{Problems: list.Items(), Message: titles(list.Items())}
	}
	var texts wire.Many[string]
	if wire.Usable(wire.Unmarshal(raw, &texts)) {
		return &Error{Message: strings.Join(texts.Items(), "; ")}
	}
	var text string
	_ = json.Unmarshal(raw, &text) // any other value is a refusal too
	return &Error{Message: text}
}

func titles(list []Problem) string {
	texts := make([]string, 0, len(list))
	for _, p := range list {
		if text := cmp.Or(p.Title, p.Detail, p.Status); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}

// statusError reads {error_code, error_message}.
func statusError(raw json.RawMessage) *Error {
	var shape struct {
		Code    string `json:"error_code"`
		Message string `json:"error_message"`
	}
	if len(raw) == 0 || wire.Unmarshal(raw, &shape) != nil {
		return nil
	}
	if shape.Code == "0" {
		shape.Code = ""
	}
	if shape.Code == "" && shape.Message == "" {
		return nil
	}
	return &Error{Code: shape.Code, Message: shape.Message}
}
