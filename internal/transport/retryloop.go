package transport

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// repeater makes the attempts of a client's calls, in a loop. No other file knows
// which.
type repeater = retryablehttp.Client

// looped is what the loop holds of a call. It is the context of the requests, so that
// the loop's functions find the call there.
type looped struct {
	context.Context
	of    *exchange
	first retryablehttp.Request // is repeated; each attempt makes its own of it
	last  outcome
}

// exchangeKey finds the exchange in its requests' context.
type exchangeKey struct{}

// Value finds the exchange itself, and what the call's context has.
func (l *looped) Value(key any) any {
	if key == (exchangeKey{}) {
		return l.of
	}
	return l.Context.Value(key)
}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// blank is what requests are made of: only WithContext sets a context.
var blank http.Request

// noHeader is the header of requests without cookies: nothing writes to it.
var noHeader = http.Header{}

// attempts makes the attempts of a call and returns what the last one came to.
func (x *exchange) attempts(ctx context.Context) outcome {
	response, _ := x.client.loop.Do(x.begin(ctx)) // the error is the outcome's, which says more
	x.endBackoff(ctx)
	last := x.loop.last
	last.answer = answerOf(response)
	if ended := ctx.Err(); ended != nil && response == nil && !errors.Is(last.failure, ended) {
		// It ended in the wait for a repeat: the last failure is worth knowing too.
		last.failure = x.unanswered(peer.After(ended, last.failure))
	}
	return last
}

// begin makes the request that go-retryablehttp repeats.
func (x *exchange) begin(ctx context.Context) *retryablehttp.Request {
	if x.settings.Urgent {
		ctx = ratelimit.WithUrgent(ctx)
	}
	x.loop.Context, x.loop.of = ctx, x
	request := blank.WithContext(&x.loop)
	request.Method, request.URL, request.Header = x.request.method, &x.request.url, noHeader
	if x.client.loop.HTTPClient.Jar != nil {
		request.Header = http.Header{}
	}
	x.loop.first.Request = request
	return &x.loop.first
}

// attempting is shared by all clients without a cookie jar.
var attempting = &http.Client{Transport: attempt{}}

// newLoop returns the loop of a client, with the cookies of the caller's. Its policy
// is ours: its own repeats POSTs, and waits a day if a service says so. It never runs
// out of repeats, since checkRetry counts them. It gets no logger, since it would log
// queries.
func (c *Client) newLoop(own *http.Client) *repeater {
	loop := &repeater{
		HTTPClient:   attempting,
		RetryMax:     math.MaxInt,
		CheckRetry:   checkRetry,
		Backoff:      c.backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	if own != nil && own.Jar != nil {
		loop.HTTPClient = &http.Client{Transport: attempt{}, Jar: own.Jar}
		loop.PrepareRetry = forgetCookies
	}
	return loop
}

// checkRetry is go-retryablehttp's CheckRetry. It judges an attempt and keeps the
// outcome.
func checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	x, a := exchangeOf(ctx), attempted(response, err)
	if u, ok := err.(*url.Error); ok {
		err = u.Err
	}
	last := x.judge(ctx, a, err)
	x.loop.last, x.progress.failure = last, last.failure
	if last.again {
		x.startBackoff(ctx, a)
	}
	if c := x.client; last.again && c.clock != nil {
		x.progress.pause = c.wait(x.progress.attempts-1, a)
	}
	return last.again, nil
}

// backoff is go-retryablehttp's Backoff. The library waits in real time: a pause on
// another clock is the next attempt's to wait for.
func (c *Client) backoff(_, _ time.Duration, n int, response *http.Response) time.Duration {
	if c.clock != nil {
		return 0
	}
	return c.wait(n, answerOf(response))
}

// forgetCookies is go-retryablehttp's PrepareRetry: net/http adds the cookies
// to the same request once more.
func forgetCookies(r *http.Request) error {
	r.Header.Del("Cookie")
	return nil
}
