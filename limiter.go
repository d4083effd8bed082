package walletfi

import (
	"context"
	"time"
)

// Limiter keeps calls under a service's limit. NewLimiter makes one; a program
// whose processes share a key brings its own (see Options.Limiter). It is safe
// for concurrent use.
type Limiter interface {
	// Permit waits for a slot, no longer than maxWait and ctx allow, and returns
	// done, which must be called exactly once when the answer arrived or the
	// attempt ended: with true if the request may have reached the service, with
	// false if it certainly did not, which frees the slot at once. Where the
	// wait would be longer, it returns a *RateLimitError without waiting. A ctx
	// marked by ContextUrgent is served before others.
	Permit(ctx context.Context, maxWait time.Duration) (done func(sent bool), err error)
	// Hold lets nothing through until then. It never shortens a hold.
	Hold(until time.Time)
}

// Budget is a limit: at most Requests in any window of the length Per.
type Budget struct {
	Requests int
	Per      time.Duration
}
