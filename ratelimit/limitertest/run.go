// Package limitertest tests an implementation of ratelimit.Limiter.
//
//	func TestLimiter(t *testing.T) {
//		limitertest.Run(t, func(t *testing.T, scope ratelimit.Scope) limitertest.Fleet {
//			fleet := newFleet(t, scope.Budgets)
//			return limitertest.Fleet{Open: func(t *testing.T) ratelimit.Limiter { return fleet.open(t) }}
//		})
//	}
//
// It runs on the clock of the machine, a few seconds in all.
package limitertest

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// Fleet is the processes that share the budgets of one scope.
type Fleet struct {
	// Open returns a limiter of the fleet, as a further process would open it. It
	// closes it when the test ends. A limiter for one process returns itself again.
	Open func(t *testing.T) ratelimit.Limiter
}

// window is long enough for a machine that is busy.
const window = 600 * time.Millisecond

// inTime runs one test. This package's own tests, which use no other process, replace it
// by synctest.Test, so that they wait for no real clock.
var inTime = func(t *testing.T, test func(t *testing.T)) { test(t) }

// Run runs all tests, each on a new fleet of which nothing was used.
func Run(t *testing.T, fresh func(t *testing.T, scope ratelimit.Scope) Fleet) {
	once := []ratelimit.Budget{{Requests: 1, Per: window}}
	for _, c := range []struct {
		name    string
		budgets []ratelimit.Budget
		run     func(t *testing.T, f Fleet)
	}{
		{"the whole budget at once and no more", []ratelimit.Budget{{Requests: 3, Per: window}}, wholeBudget},
		{"a slot comes free a window after the answer", once, afterTheAnswer},
		{"what was not sent frees its slot at once", once, unsent},
		{"all budgets are kept", []ratelimit.Budget{
			{Requests: 3, Per: 2 * window}, {Requests: 2, Per: window / 4},
		}, allBudgets},
		{"a wait that is too long is refused at once", once, refusedAtOnce},
		{"a deadline that is too near is refused at once", once, refusedByDeadline},
		{"a caller that gives up costs no slot", once, givesUp},
		{"an ended context gets no slot", once, endedContext},
		{"a slot is freed although the context ended", once, freedAnyway},
		{"first come first served", once, inOrder},
		{"urgent calls go first", once, urgentFirst},
		{"a hold lets nothing through", nil, held},
		{"a hold is never shortened", nil, heldLonger},
		{"the service's count tightens", []ratelimit.Budget{{Requests: 5, Per: window}}, tightened},
		{"the service's count never loosens", once, neverLoosened},
		{"requests under way are taken off the count", nil, underWay},
		{"exact under load", []ratelimit.Budget{{Requests: 10, Per: window / 3}}, exact},
		{"two processes share a budget", []ratelimit.Budget{{Requests: 4, Per: window}}, shared},
		{"two processes share holds and counts", nil, sharedWord},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			inTime(t, func(t *testing.T) {
				c.run(t, fresh(t, ratelimit.Scope{Service: "limitertest", Budgets: c.budgets}))
			})
		})
	}
}
