package transport

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// leastBound is the longest wait that is obeyed of a class whose windows are shorter.
const leastBound = 15 * time.Minute

// heedWait notes how long an answer, such as a 429, asks to wait before a retry. A wait
// past the class's bound is doubted: a garbled header must not silence a client for good.
func (x *exchange) heedWait(a *answer) {
	if a.err != nil && a.status < 300 {
		return
	}
	a.wait, a.stated = x.statedWait(a, x.client.minWait)
	if bound := x.client.bound(x.call.Class); a.wait > bound {
		a.until = a.at.Add(a.wait)
		a.wait = x.untilProbe(bound)
	}
	x.noteOddWait(a)
}

// statedWait is the longer of Retry-After and the rate limit's reset. A time that has
// passed counts as floor.
func (x *exchange) statedWait(a *answer, floor time.Duration) (wait time.Duration, stated bool) {
	after, okAfter := peer.RetryAfter(a.header, a.at, floor)
	reset, okReset := x.untilReset(a, floor)
	return max(after, reset), okAfter || okReset
}

// untilReset is when a rate limit resets by the service's headers. One that the service
// does not document may mean anything, and counts for no longer than the class's
// longest window.
func (x *exchange) untilReset(a *answer, floor time.Duration) (time.Duration, bool) {
	reset, ok := peer.UntilReset(a.header, a.at, floor)
	if !x.client.rateHeaders {
		reset = min(reset, x.client.longest(x.call.Class))
	}
	return reset, ok
}

// untilProbe is how long a call waits before it may probe a wait that is doubted.
func (x *exchange) untilProbe(bound time.Duration) time.Duration {
	if _, probes := x.limiter.(ratelimit.Prober); probes && x.settings.Urgent {
		return ratelimit.UrgentProbe
	}
	return bound
}

// longest is the longest window of a class's budgets, a minute if it has none.
func (c *Client) longest(class string) time.Duration {
	var window time.Duration
	for _, b := range c.limiters.limits[class] {
		window = max(window, b.Per)
	}
	if window == 0 {
		return time.Minute
	}
	return window
}

// bound is the longest stated wait of a class that is obeyed whole.
func (c *Client) bound(class string) time.Duration { return max(leastBound, c.longest(class)) }

// hold lets no other call ask while a rate limit lasts, by what its answer states.
func (x *exchange) hold(ctx context.Context, a *answer) {
	if !a.until.IsZero() {
		x.doubtWait(ctx, a, a.until)
		return
	}
	x.limiterFailed(ctx, "hold", x.limiter.Hold(ctx, a.at.Add(a.wait)))
	x.trust(ctx) // this one can be meant
}

func (x *exchange) doubtWait(ctx context.Context, a *answer, until time.Time) {
	probe := a.at.Add(x.client.bound(x.call.Class))
	x.limiterFailed(ctx, "doubt", ratelimit.Doubt(ctx, x.limiter, probe, until))
}

// trust ends a doubt: what the service answered is not that wait.
func (x *exchange) trust(ctx context.Context) {
	x.limiterFailed(ctx, "trust", ratelimit.Trust(ctx, x.limiter))
}

// noteOddWait tells the observer of a wait or a reset that is not as documented, once a
// route.
func (x *exchange) noteOddWait(a *answer) {
	c := x.client
	if c.drift == nil || a.header == nil {
		return
	}
	member, odd := peer.OddReset(a.header, a.at)
	if odd == "" && !a.until.IsZero() {
		odd = "past any limit"
		if after, _ := peer.RetryAfter(a.header, a.at, 0); after > x.client.bound(x.call.Class) {
			member = "Retry-After"
		}
	}
	if route := x.request.method + " " + x.call.Path.template; odd != "" && c.drift.First(route, member, odd) {
		observing.Tell(x.loop.Context, c.observer, observe.Drift{
			Service: c.service, Op: x.call.Op, Route: x.call.Path.template, Member: member, Value: odd,
		})
	}
}
