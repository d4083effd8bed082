package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// repeats says after which events a call is retried, by its effect: limited is a 429.
// A Relay sends the same bytes again. Any other event ends the call.
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
	if x.progress.attempts-x.progress.renewals > x.retries() {
		return false, nil
	}
	free := stated && wait > x.client.minWait && (what == limited || what == limitedByCode)
	return free || x.client.quota.spend(), nil
}

// wait is the pause before repeat n, counted from 0: what the service asked for,
// else full jitter. After a 401 the token is new.
func (c *Client) wait(n int, a *answer) time.Duration {
	switch {
	case a != nil && a.status == http.StatusUnauthorized:
		return 0
	case a != nil && a.stated:
		return a.wait
	}
	return clock.Jitter(c.clock, c.minWait, c.maxWait, n)
}
