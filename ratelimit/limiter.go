package ratelimit

import (
	"context"
	"time"
)

// Limiter keeps calls under a service's limit. [New] makes one; a program whose
// processes share a key brings its own (see walletfi.Options.Limiter). It is
// safe for concurrent use.
type Limiter interface {
	// Permit waits for a slot, no longer than maxWait and ctx allow, and returns
	// done, which must be called exactly once when the answer arrived or the
	// attempt ended: with true if the request may have reached the service, with
	// false if it certainly did not, which frees the slot at once. If the wait
	// would be longer, it returns an [*Error] without waiting. A ctx marked by
	// [WithUrgent] is served before others.
	Permit(ctx context.Context, maxWait time.Duration) (done func(sent bool), err error)
	// Hold lets nothing through until then. It never shortens a hold.
	Hold(until time.Time)
}
