package smartaccount

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// The classes of calls, each with its own budget, as passed to Options.Limiter.
const (
	ClassAuthentication = "authentication" // 10 a minute: every route under /auth
	ClassRead           = "read"           // 100 a minute
	ClassWrite          = "write"          // 30 a minute: creations, changes, deletions
	ClassExecution      = "execution"      // 10 a minute: ExecuteTransaction

	// ClassRefresh limits refreshes to half of ClassAuthentication; they count
	// there too. A limiter that Options.Limiter returns for it is used alone.
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

// refreshLimiter takes a slot of the budget for refreshes and then a slot of
// the authentication budget, because the service counts refreshes as
// authentication.
type refreshLimiter struct {
	own            *ratelimit.BudgetLimiter
	authentication ratelimit.Limiter
}

func newRefreshLimiter() *refreshLimiter {
	return &refreshLimiter{own: ratelimit.New(refreshBudget)}
}

// forClass returns the limiter for ClassRefresh, and nil for the other classes.
func (l *refreshLimiter) forClass(class string) ratelimit.Limiter {
	if class == ClassRefresh {
		return l
	}
	return nil
}

// Permit waits for both slots, together no longer than maxWait.
func (l *refreshLimiter) Permit(ctx context.Context, maxWait time.Duration) (func(sent bool), error) {
	begun := time.Now()
	ownDone, err := l.own.Permit(ctx, maxWait)
	if err != nil {
		return nil, err
	}
	done, err := l.authentication.Permit(ctx, max(0, maxWait-time.Since(begun)))
	if err != nil {
		ownDone(false)
		return nil, transport.InClass(ClassAuthentication, err)
	}
	return func(sent bool) {
		done(sent)
		ownDone(sent)
	}, nil
}

// Hold holds all authentication, because the service refuses it as a whole.
func (l *refreshLimiter) Hold(until time.Time) { l.authentication.Hold(until) }

// Tighten passes the service's count on to the authentication budget.
func (l *refreshLimiter) Tighten(remaining int, reset time.Time) {
	if t, ok := l.authentication.(interface{ Tighten(int, time.Time) }); ok {
		t.Tighten(remaining, reset)
	}
}

// Held and Lift are those of the authentication budget.
func (l *refreshLimiter) Held() time.Time {
	if h, ok := l.authentication.(ratelimit.Holder); ok {
		return h.Held()
	}
	return time.Time{}
}

// Lift ends the hold of all authentication.
func (l *refreshLimiter) Lift() {
	if h, ok := l.authentication.(ratelimit.Holder); ok {
		h.Lift()
	}
}
