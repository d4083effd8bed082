package ratelimit

import (
	"context"
	"time"
)

// Limiter keeps calls under a service's limit. [New] makes one; a program whose
// processes share a key supplies its own (see walletfi.Options.Limiter), and tests
// it with package limitertest. It is safe for concurrent use.
//
// An error that is neither an [*Error] nor that of ctx says that the limiter itself
// failed. The client reports it as a [*LimiterError].
type Limiter interface {
	// Permit waits for a slot, no longer than maxWait and ctx allow. It returns
	// done, which must be called exactly once when the answer arrived or the
	// attempt ended: with true if the request may have reached the service, with
	// false if it certainly did not, which frees the slot at once. If the wait
	// would be longer, Permit returns an [*Error] without waiting. A ctx marked by
	// [WithUrgent] is served before others.
	//
	// done gets the context of the call, and frees the slot even if that has ended.
	// An error of done loses nothing but time: the slot comes free later.
	Permit(ctx context.Context, maxWait time.Duration) (done func(ctx context.Context, sent bool) error, err error)
	// Hold lets nothing through until then. It never shortens a hold. It takes
	// effect even if ctx has ended.
	Hold(ctx context.Context, until time.Time) error
	// Tighten applies the service's own count: at most remaining more requests
	// until reset. It never adds slots. Requests under way are taken off
	// remaining, as the service may not have counted them; so it is called after
	// done of the call whose answer had the numbers. It takes effect even if ctx
	// has ended.
	Tighten(ctx context.Context, remaining int, reset time.Time) error
}

// Scope says which calls a limiter is for. All calls of a scope with the same key
// share its budgets, whichever process makes them.
type Scope struct {
	Service string        // package name of the client, such as "lending"
	Class   string        // a Class constant of that package; "" if the service has one class
	Tier    string        // plan of the key, such as "free"; "" if the service has no plans
	Budgets []Budget      // to be kept all at once; empty if the service documents none
	Pace    time.Duration // the least time between two requests; 0 if the service asks for none
}
