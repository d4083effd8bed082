package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// repeats says after which events a call is made again, by its effect. A Relay
// sends the same bytes again. Any other event ends the call.
var repeats = [...]map[event]bool{
	Read:     {unsent: true, limited: true, limitedByCode: true, unserved: true, failed: true, lost: true},
	Build:    {unsent: true, limited: true, limitedByCode: true, unserved: true, failed: true, lost: true},
	Set:      {unsent: true, limited: true, limitedByCode: true, unserved: true, failed: true, lost: true},
	Relay:    {unsent: true, limited: true, limitedByCode: true, unserved: true, failed: true, lost: true},
	Create:   {unsent: true, limitedByCode: true},
	paidRead: {unsent: true, limited: true, limitedByCode: true, unserved: true},
}

// repeatable reports whether the call is made again after an attempt. tooLong
// is the error for a wait that the policy or ctx's deadline does not allow. A
// wait that a rate limit states costs nothing of the quota, since the repeat
// then asks for no more than the service grants. A wait of nothing states none.
func (x *exchange) repeatable(ctx context.Context, what event, a *answer) (again bool, tooLong error) {
	if !repeats[x.row()][what] {
		return false, nil
	}
	wait, stated := a.wait, a.stated
	if stated && (wait > x.client.maxAfter || clock.Ends(ctx, x.client.clock, wait)) {
		return false, peer.TooLong(wait)
	}
	if x.attempts-x.renewals > x.retries() {
		return false, nil
	}
	free := stated && wait > x.client.loop.RetryWaitMin && (what == limited || what == limitedByCode)
	return free || x.client.quota.spend(), nil
}

// checkRetry is go-retryablehttp's CheckRetry. It judges an attempt and keeps
// the judgement in the exchange.
func checkRetry(ctx context.Context, response *http.Response, err error) (bool, error) {
	x := exchangeOf(ctx)
	x.last = x.judge(ctx, response, err)
	x.startBackoff(ctx, response, err)
	if c := x.client; x.last.again && c.clock != nil {
		x.pause = c.wait(c.loop.RetryWaitMin, c.loop.RetryWaitMax, x.attempts-1, response)
	}
	return x.last.again, nil
}

// backoff is go-retryablehttp's Backoff. The library waits in real time: a pause on
// another clock is the door's to wait for.
func (c *Client) backoff(least, most time.Duration, n int, response *http.Response) time.Duration {
	if c.clock != nil {
		return 0
	}
	return c.wait(least, most, n, response)
}

// wait is the pause before repeat n, counted from 0: what the service asked for,
// else full jitter. After a 401 the token is new.
func (c *Client) wait(least, most time.Duration, n int, response *http.Response) time.Duration {
	if a := answerOf(response); a != nil {
		if a.status == http.StatusUnauthorized {
			return 0
		}
		if a.stated {
			return a.wait
		}
	}
	return clock.Jitter(c.clock, least, most, n)
}
