package lending

import (
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Code is the service's name of an error.
type Code string

// The codes, with their HTTP status.
const (
	CodeBadRequest          Code = "BAD_REQUEST"          // 400: a parameter or the body is invalid
	CodeUnauthorized        Code = "UNAUTHORIZED"         // 401: the API key is missing or invalid
	CodeNotFound            Code = "NOT_FOUND"            // 404: the account, pool or other resource does not exist
	CodeRateLimited         Code = "RATE_LIMITED"         // 429: the tier's limit was exceeded
	CodeInternalError       Code = "INTERNAL_ERROR"       // 500: the service failed
	CodeInsufficientBalance Code = "INSUFFICIENT_BALANCE" // 400: the balance does not cover the operation
	CodeCooldownActive      Code = "COOLDOWN_ACTIVE"      // 400: a boosted withdrawal is still cooling down
	CodeCapacityExceeded    Code = "CAPACITY_EXCEEDED"    // 400: the pool is full
)

var kinds = map[Code]error{
	CodeBadRequest:          walletfi.ErrInvalidRequest,
	CodeUnauthorized:        walletfi.ErrUnauthorized,
	CodeNotFound:            walletfi.ErrNotFound,
	CodeRateLimited:         walletfi.ErrRateLimited,
	CodeInternalError:       walletfi.ErrUnavailable,
	CodeInsufficientBalance: walletfi.ErrRejected,
	CodeCooldownActive:      walletfi.ErrRejected,
	CodeCapacityExceeded:    walletfi.ErrRejected,
}

// Error is an error of the service. It unwraps to a [*walletfi.ResponseError],
// and so to one of the sentinels of package walletfi.
type Error struct {
	Code      Code                    // one of the constants, or a new code
	Message   string                  // for people to read
	RequestID string                  // for the service's support
	Response  *walletfi.ResponseError // the HTTP side
}

// Error names the call, the status, the code and the service's message.
func (e *Error) Error() string { return e.Response.Error() }

// Unwrap returns e.Response.
func (e *Error) Unwrap() error { return e.Response }

// LogValue gives slog the fields by name.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("code", string(e.Code)),
		slog.String("requestId", e.RequestID),
		slog.Any("response", e.Response),
	)
}

// envelope decodes {error: {code, message, requestId}}. Without a code the HTTP
// status alone decides.
func envelope(resp *walletfi.ResponseError, _ http.Header, body []byte) transport.Verdict {
	var shape struct {
		Error struct {
			Code      Code   `json:"code" wire:"strict"`
			Message   string `json:"message"`
			RequestID string `json:"requestId"`
		} `json:"error"`
	}
	if !transport.Envelop(body, &shape) || shape.Error.Code == "" {
		return transport.Verdict{}
	}
	e := shape.Error
	resp.Message = string(e.Code) + ": " + e.Message
	if kind := kinds[e.Code]; kind != nil {
		resp.Kind = kind
	}
	return transport.Verdict{
		Err:         &Error{e.Code, e.Message, e.RequestID, resp},
		RateLimited: e.Code == CodeRateLimited,
	}
}
