package socialsearch

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// ErrUsageCap means that the plan's usage is exhausted: a 429 although the rate
// limit has requests left. Waiting for the rate limit's reset does not help.
var ErrUsageCap = errors.New("the usage cap of the plan is reached")

// UsageCapError is a refusal because of the plan's usage. It unwraps to
// [ErrUsageCap] and to a [*walletfi.ResponseError] of kind
// [walletfi.ErrRateLimited].
type UsageCapError struct {
	Response *walletfi.ResponseError // the HTTP side
}

// Error names the call and the cap.
func (e *UsageCapError) Error() string { return e.Response.Error() + ": " + ErrUsageCap.Error() }

// Unwrap returns ErrUsageCap and the HTTP side.
func (e *UsageCapError) Unwrap() []error { return []error{ErrUsageCap, e.Response} }

// envelope tells a usage cap from a rate limit. No error body is documented, so
// the status decides everything else.
func envelope(resp *walletfi.ResponseError, header http.Header, _ []byte) transport.Verdict {
	if resp.StatusCode != http.StatusTooManyRequests {
		return transport.Verdict{}
	}
	remaining, err := strconv.Atoi(header.Get("x-rate-limit-remaining"))
	if err != nil || remaining <= 0 {
		return transport.Verdict{}
	}
	return transport.Verdict{Err: &UsageCapError{resp}, Final: true}
}
