package smartaccount

import (
	"log/slog"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Code is the service's code for an error.
type Code string

// The codes. Three of them share HTTP 400, two HTTP 401.
const (
	CodeUnauthorized        Code = "UNAUTHORIZED"         // 401: the token is invalid or has expired; refreshed once
	CodeForbidden           Code = "FORBIDDEN"            // 403: the user lacks the permission
	CodeNotFound            Code = "NOT_FOUND"            // 404: no such resource
	CodeValidationError     Code = "VALIDATION_ERROR"     // 400: a parameter is invalid
	CodePolicyViolation     Code = "POLICY_VIOLATION"     // 400: a policy of the account forbids the transaction
	CodeInsufficientBalance Code = "INSUFFICIENT_BALANCE" // 400: the balance is too low
	CodeSessionExpired      Code = "SESSION_EXPIRED"      // 401: the session key has expired; a new token does not help
	CodeRateLimited         Code = "RATE_LIMITED"         // 429: a limit was exceeded
	CodeInternalError       Code = "INTERNAL_ERROR"       // 500: the service failed
)

var kinds = map[Code]error{
	CodeUnauthorized:        walletfi.ErrUnauthorized,
	CodeForbidden:           walletfi.ErrForbidden,
	CodeNotFound:            walletfi.ErrNotFound,
	CodeValidationError:     walletfi.ErrInvalidRequest,
	CodePolicyViolation:     walletfi.ErrRejected,
	CodeInsufficientBalance: walletfi.ErrRejected,
	CodeSessionExpired:      walletfi.ErrUnauthorized,
	CodeRateLimited:         walletfi.ErrRateLimited,
	CodeInternalError:       walletfi.ErrUnavailable,
}

// Error is an error that the service reports in its envelope. It unwraps to a
// [*walletfi.ResponseError].
type Error struct {
	Code     Code                    // one of the constants, or a new code
	Message  string                  // for people to read
	Details  walletfi.Document       // often empty; the shape is not documented
	Response *walletfi.ResponseError // the HTTP side
}

// Error names the call, the status, the code and the service's message.
func (e *Error) Error() string { return e.Response.Error() }

// Unwrap returns the HTTP side, and through it the sentinel.
func (e *Error) Unwrap() error { return e.Response }

// LogValue returns the fields by name, without the details.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("code", string(e.Code)),
		slog.Any("response", e.Response),
	)
}

// envelope reads {error: {code, message, details}}.
func envelope(resp *walletfi.ResponseError, _ http.Header, body []byte) transport.Verdict {
	var shape struct {
		Error struct {
			Code    Code              `json:"code" wire:"strict"`
			Message string            `json:"message"`
			Details walletfi.Document `json:"details"`
		} `json:"error"`
	}
	if !transport.Envelop(body, &shape) || shape.Error.Code == "" {
		return transport.Verdict{}
	}
	e := shape.Error
	if string(e.Details) == "null" {
		e.Details = nil
	}
	resp.Message = string(e.Code) + ": " + e.Message
	// With HTTP 200 the service is available and refuses, so this is not
	// ErrUnavailable.
	failed := e.Code == CodeInternalError && resp.StatusCode < http.StatusInternalServerError
	if kind := kinds[e.Code]; kind != nil && !failed {
		resp.Kind = kind
	}
	return transport.Verdict{
		Err:         &Error{e.Code, e.Message, e.Details, resp},
		RateLimited: e.Code == CodeRateLimited,
		KeepToken:   e.Code == CodeSessionExpired,
		NothingDone: kinds[e.Code] != nil && e.Code != CodeInternalError,
	}
}
