package transport

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// exchange is one call on its way: the encoded request, which does not change, and the
// progress, which the stages note. Its outcome is what judge returns.
type exchange struct {
	client   *Client
	call     Call
	settings callopt.Settings
	limiter  ratelimit.Limiter
	request  encoded
	progress progress
	loop     looped
	reader   reader
	reading  reading // of the latest success
}

// progress is how far a call came.
type progress struct {
	attempts int
	renewals int           // attempts whose 401 a new token may cure: 0 or 1
	doubt    bool          // an attempt may have been carried out and no answer says so
	failure  error         // of the last attempt
	pause    time.Duration // before the next attempt, by the options' clock
	backoff  *backoffWatch // under way, nil if none is or nothing is observed
}

// retries is how often the call may be repeated.
func (x *exchange) retries() int {
	if x.settings.NoRetry {
		return 0
	}
	return x.client.retries
}

// row is the call's in the table of repeats.
func (x *exchange) row() Effect {
	if x.call.NoTimeoutRetry && x.call.Effect != Create {
		return paidRead
	}
	return x.call.Effect
}

// mask hides the secrets that an error of this call must not show.
func (x *exchange) mask(more ...string) *peer.Mask {
	if x.client.auth != nil {
		more = append(more, x.client.auth.Secrets()...)
	}
	more = append(more, x.client.dialect.Secrets()...)
	for name, values := range x.settings.Header {
		if isCredential(name) {
			more = append(more, values...)
		}
	}
	return peer.NewMask(append(more, x.call.Secrets...))
}

// isCredential guesses from its name whether a header of the caller's is secret.
func isCredential(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "authorization") || strings.HasSuffix(name, "key") ||
		strings.HasSuffix(name, "token") || strings.HasSuffix(name, "secret")
}

// Calling returns the call that the context of a request belongs to, its path's
// template and the type that its answer is decoded into, for tests that look at it
// from a round tripper.
func Calling(ctx context.Context) (service string, call Call, template string, result reflect.Type) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok {
		return "", Call{}, "", nil
	}
	return x.client.service, x.call, x.call.Path.template, x.call.result
}
