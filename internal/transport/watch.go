package transport

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// watchAttempt tells the observer that an attempt begins. The request is sent in the
// context that it returns, so that a trace goes on in it.
func (x *exchange) watchAttempt(ctx context.Context, queued time.Duration) (context.Context, func(*answer)) {
	c := x.client
	inside, span := observing.Start(ctx, c.observer, observe.Attempt{
		Service: c.service, Op: x.call.Op, Method: x.request.method, Server: c.base.Host,
		Route: x.call.Path.template, Path: x.request.url.EscapedPath(), Number: x.progress.attempts, Queued: queued,
	})
	return inside, func(a *answer) {
		err := a.err
		if err == nil && a.status == 0 {
			err = observing.ErrPanicked
		}
		observing.End(span, observe.AttemptEnd{StatusCode: a.status, Duration: a.took, Err: err})
		x.tellUsage(ctx)
	}
}

// usageTeller is a limiter that says how much of its budgets is used.
type usageTeller interface {
	Usage() []ratelimit.Usage
}

func (x *exchange) tellUsage(ctx context.Context) {
	limiter, ok := x.limiter.(usageTeller)
	if !ok {
		return
	}
	for _, u := range limiter.Usage() {
		observing.Tell(ctx, x.client.observer, observe.LimiterState{
			Service: x.client.service, Class: x.call.Class, Requests: u.Requests, Per: u.Per, Used: u.Used,
		})
	}
}

// backoffWatch is a wait before a repeat that an observer was told of.
type backoffWatch struct {
	span  observing.Span
	begun time.Time
}

// startBackoff tells the observer that a repeat will come. go-retryablehttp waits
// between checkRetry and the next attempt.
func (x *exchange) startBackoff(ctx context.Context, a *answer) {
	if x.client.observer == nil {
		return
	}
	_, span := observing.Start(ctx, x.client.observer, observe.Backoff{
		Service: x.client.service, Op: x.call.Op, Number: x.progress.attempts, StatusCode: a.status,
	})
	x.progress.backoff = &backoffWatch{span, x.client.Now()}
}

// endBackoff ends the wait, if there is one.
func (x *exchange) endBackoff(ctx context.Context) {
	b := x.progress.backoff
	if b == nil {
		return
	}
	observing.End(b.span, observe.BackoffEnd{Waited: clock.Since(x.client.clock, b.begun), Err: ctx.Err()})
	x.progress.backoff = nil
}
