package transport

import (
	"time"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// maxHold bounds for how long one answer keeps all calls back: a garbled
// header must not silence a client for good. A wait that no service means, such
// as a century, counts as this.
const maxHold = 24 * time.Hour

// heedWait notes how long an answer, such as a 429, asks to wait before a retry. A rate header that the service
// does not document may mean anything, such as a reset in milliseconds, so that
// it counts for no longer than the class's longest window.
func (x *exchange) heedWait(a *answer) {
	if a.err != nil && a.status < 300 {
		return
	}
	floor := x.client.minWait
	after, okAfter := peer.RetryAfter(a.header, a.at, floor)
	reset, okReset := x.untilReset(a, floor)
	a.wait, a.stated = max(sane(after), reset), okAfter || okReset
}

// untilReset is when a rate limit resets by the service's headers.
func (x *exchange) untilReset(a *answer, floor time.Duration) (time.Duration, bool) {
	reset, ok := peer.UntilReset(a.header, a.at, floor)
	if !x.client.rateHeaders {
		reset = min(reset, x.client.longest(x.call.Class))
	}
	return sane(reset), ok
}

func sane(wait time.Duration) time.Duration {
	if wait >= peer.Far {
		return maxHold
	}
	return wait
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
