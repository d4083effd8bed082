package transport

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// exchange is one call on its way, and the context of its requests, so that the
// stages find it there. What is asked for does not change; how far the call
// came, the stages return and judge notes.
type exchange struct {
	context.Context
	first    retryablehttp.Request // is repeated; each attempt makes its own of it
	client   *Client
	call     Call
	settings callopt.Settings
	request  encoded
	limiter  ratelimit.Limiter

	attempts  int               // that were tried
	pause     time.Duration     // before the next attempt, by the options' clock
	renewals  int               // attempts whose 401 a new token may cure: 0 or 1
	ambiguous bool              // an attempt may have been carried out and no answer says so
	last      judged            // the last attempt
	fast      func([]byte) bool // of the call's reader; nil if it has none or was tried
	taken     bool              // it has taken the body of a success

	walk lenient.Walk // over the body of a success

	backoff *backoffWatch // under way, nil if none is or nothing is observed
}

// exchangeKey finds the exchange in its requests' context.
type exchangeKey struct{}

// Value finds the exchange itself, and what the call's context has.
func (x *exchange) Value(key any) any {
	if key == (exchangeKey{}) {
		return x
	}
	return x.Context.Value(key)
}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// blank is what requests are made of: only WithContext sets a context.
var blank http.Request

// noHeader is the header of requests without cookies: nothing writes to it.
var noHeader = http.Header{}

// begin makes the request that go-retryablehttp repeats.
func (x *exchange) begin(ctx context.Context) *retryablehttp.Request {
	if x.settings.Urgent {
		ctx = ratelimit.WithUrgent(ctx)
	}
	x.Context = ctx
	request := blank.WithContext(x)
	request.Method, request.URL, request.Header = x.request.method, &x.request.url, noHeader
	if x.client.loop.HTTPClient.Jar != nil {
		request.Header = http.Header{}
	}
	x.first.Request = request
	return &x.first
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
