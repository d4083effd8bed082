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

// mostUrgent is the longest stated wait that an urgent call obeys: a close is not locked
// out for a day, although a class with a window of a day can mean one.
const mostUrgent = time.Hour

// heedWait notes how long an answer, such as a 429, asks to wait before a retry.
func (x *exchange) heedWait(a *answer) {
	if a.err != nil && a.status < 300 {
		return
	}
	wait, odd, stated := x.statedWait(a, x.client.minWait)
	obeyed, doubted := x.obeyed(wait, odd)
	a.wait, a.stated = obeyed, stated
	if doubted {
		a.until, a.probe = a.at.Add(wait), a.at.Add(obeyed)
		a.wait = x.untilProbe(obeyed)
	}
	x.noteOddWait(a)
}

// obeyed is for how long all calls obey a stated wait. If it is doubted, urgent ones may
// probe sooner. Past the class's bound any call may: a garbled header must not silence a
// client for good.
func (x *exchange) obeyed(wait time.Duration, odd bool) (obeyed time.Duration, doubted bool) {
	bound := x.client.bound(x.call.Class)
	return min(wait, bound), odd || wait > min(bound, mostUrgent)
}

// statedWait is the longer of Retry-After and the rate limit's reset, which is odd if no
// window of the class lasts so long. A time that has passed counts as floor.
func (x *exchange) statedWait(a *answer, floor time.Duration) (wait time.Duration, odd, stated bool) {
	after, okAfter := peer.RetryAfter(a.header, a.at, floor)
	reset, odd, okReset := x.untilReset(a, floor)
	return max(after, reset), odd && reset > after, okAfter || okReset
}

// untilReset is when a rate limit resets by the service's headers. One that the service
// does not document may mean anything. It counts for no longer than the class's longest
// window, and is odd if it is longer.
func (x *exchange) untilReset(a *answer, floor time.Duration) (wait time.Duration, odd, ok bool) {
	reset, ok := peer.UntilReset(a.header, a.at, floor)
	if longest := x.client.longest(x.call.Class); !x.client.rateHeaders && reset > longest {
		return longest, true, ok
	}
	return reset, false, ok
}

// untilProbe is how long a call waits before it may probe a wait that is doubted, which
// others obey for so long.
func (x *exchange) untilProbe(obeyed time.Duration) time.Duration {
	if _, probes := x.limiter.(ratelimit.Prober); probes && x.settings.Urgent {
		return min(ratelimit.UrgentProbe, obeyed)
	}
	return obeyed
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
		x.doubtWait(ctx, a.probe, a.until)
		return
	}
	x.limiterFailed(ctx, "hold", x.limiter.Hold(ctx, a.at.Add(a.wait)))
	x.trust(ctx) // this one can be meant
}

func (x *exchange) doubtWait(ctx context.Context, probe, until time.Time) {
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
	if odd == "" && a.until.After(a.probe) {
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
