package walletfi

import (
	"context"
	"strconv"
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
	Requests int           // 1 or more
	Per      time.Duration // above 0, at most 100 years
}

// maxPer keeps sums of instants within an int64 of nanoseconds.
const maxPer = 100 * 366 * 24 * time.Hour

// Validate returns a *ValidationError where b cannot be a limit. A client that
// takes budgets from its configuration asks it before it calls NewLimiter. No
// limit at all is said by giving no budget, never by a zero.
func (b Budget) Validate() error {
	switch {
	case b.Requests < 1:
		return &ValidationError{Field: "Budget.Requests", Problem: "must be 1 or more, is " + strconv.Itoa(b.Requests)}
	case b.Per <= 0 || b.Per > maxPer:
		return &ValidationError{Field: "Budget.Per", Problem: "must be above 0 and at most 100 years, is " + b.Per.String()}
	}
	return nil
}
