package onchaindata

import (
	"cmp"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Error is the service's own refusal, in either of the two shapes in which it
// comes. What the codes mean is not documented. It unwraps to a
// *walletfi.ResponseError.
//
// Under an HTTP status of 2xx, errors.Is goes by the status that the body
// names, where it names one, and by walletfi.ErrRejected else. Under any other,
// it goes by that status, but for a 429 in the body.
type Error struct {
	Problems []Problem               // of {"errors": [...]}, nil in the other shape
	Code     string                  // error_code as text, empty in the first shape
	Message  string                  // error_message, or the titles
	Response *walletfi.ResponseError // the HTTP side
}

// Problem is one entry of an errors array.
type Problem struct {
	Status string `json:"status"` // as a rule the HTTP status, as text
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

// status is the HTTP status that the body names, 0 if none.
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
		resp.Kind = cmp.Or(kindOf(e.status()), resp.Kind)
	}
	return transport.Verdict{Err: e, RateLimited: limited}
}

// kindOf is the sentinel of a status that stands in the body, nil for 0.
func kindOf(status int) error {
	switch status {
	case 0:
		return nil
	case http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case http.StatusForbidden:
		return walletfi.ErrForbidden
	case http.StatusNotFound:
		return walletfi.ErrNotFound
	case http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	case http.StatusPaymentRequired, http.StatusConflict:
		return walletfi.ErrRejected
	}
	if status >= 500 || status == http.StatusRequestTimeout {
		return walletfi.ErrUnavailable
	}
	return walletfi.ErrInvalidRequest
}
