package smartaccount

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// The classes of calls, each with a budget of its own, as Options.Limiter gets
// them.
const (
	ClassAuthentication = "authentication" // 10 a minute: every route under /auth
	ClassRead           = "read"           // 100 a minute
	ClassWrite          = "write"          // 30 a minute: creations, changes, deletions
	ClassExecution      = "execution"      // 10 a minute: ExecuteTransaction

	// ClassRefresh is at most half of ClassAuthentication, on top of counting
	// there. A limiter given for it by Options.Limiter stands alone.
	ClassRefresh = "refresh"
)

var refreshBudget = ratelimit.Budget{Requests: 5, Per: time.Minute}

func budgets() map[string][]ratelimit.Budget {
	return map[string][]ratelimit.Budget{
		ClassAuthentication: {{Requests: 10, Per: time.Minute}},
		ClassRead:           {{Requests: 100, Per: time.Minute}},
		ClassWrite:          {{Requests: 30, Per: time.Minute}},
		ClassExecution:      {{Requests: 10, Per: time.Minute}},
		ClassRefresh:        {refreshBudget},
	}
}

// refreshLimiter takes a slot of the refreshes' own budget and then one of the
// authentication's, which the service counts them under.
type refreshLimiter struct {
	own            *ratelimit.BudgetLimiter
	authentication ratelimit.Limiter
}

func newRefreshLimiter() *refreshLimiter {
	return &refreshLimiter{own: ratelimit.New(refreshBudget)}
}

// forClass is itself for ClassRefresh and leaves the others to their budgets.
func (l *refreshLimiter) forClass(class string) ratelimit.Limiter {
	if class == ClassRefresh {
		return l
	}
	return nil
}

// Permit waits for both, together no longer than maxWait.
func (l *refreshLimiter) Permit(ctx context.Context, maxWait time.Duration) (func(sent bool), error) {
	begun := time.Now()
	ownDone, err := l.own.Permit(ctx, maxWait)
	if err != nil {
		return nil, err
	}
	done, err := l.authentication.Permit(ctx, max(0, maxWait-time.Since(begun)))
	if err != nil {
		ownDone(false)
		return nil, ratelimit.InClass(ClassAuthentication, err)
	}
	return func(sent bool) {
		done(sent)
		ownDone(sent)
	}, nil
}

// Hold holds all of the authentication: the service refuses it as a whole.
func (l *refreshLimiter) Hold(until time.Time) { l.authentication.Hold(until) }

// Tighten passes the service's count on to the budget that it is about.
func (l *refreshLimiter) Tighten(remaining int, reset time.Time) {
	if t, ok := l.authentication.(interface{ Tighten(int, time.Time) }); ok {
		t.Tighten(remaining, reset)
	}
}
