package smartaccount

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// The classes of calls, each with its own budget, as passed to Options.Limiter.
const (
	ClassAuthentication = "authentication" // 10 a minute: every route under /auth
	ClassRead           = "read"           // 100 a minute
	ClassWrite          = "write"          // 30 a minute: creations, changes, deletions
	ClassExecution      = "execution"      // 10 a minute: ExecuteTransaction

	// ClassRefresh limits refreshes to 5 a minute, half of ClassAuthentication; they
	// take a slot there too.
	ClassRefresh = "refresh"
)

// budgets are shared by all clients, and never changed.
var budgets = map[string][]ratelimit.Budget{
	ClassAuthentication: {{Requests: 10, Per: time.Minute}},
	ClassRead:           {{Requests: 100, Per: time.Minute}},
	ClassWrite:          {{Requests: 30, Per: time.Minute}},
	ClassExecution:      {{Requests: 10, Per: time.Minute}},
	ClassRefresh:        {{Requests: 5, Per: time.Minute}},
}

// refreshLimiter takes a slot of the budget for refreshes and then a slot of
// the authentication budget, because the service counts refreshes as
// authentication.
type refreshLimiter struct {
	clock  walletfi.Clock
	own    ratelimit.Limiter
	client *transport.Client // of the budgets
}

// authentication is the limiter of that class, made when it is first asked for.
func (l *refreshLimiter) authentication() ratelimit.Limiter {
	return l.client.Limiter(ClassAuthentication)
}

// addTo returns l in place of the limiter for ClassRefresh, and own for the other
// classes.
func (l *refreshLimiter) addTo(class string, own ratelimit.Limiter) ratelimit.Limiter {
	if class != ClassRefresh {
		return own
	}
	l.own = own
	return l
}

// Permit waits for both slots, together no longer than maxWait.
func (l *refreshLimiter) Permit(ctx context.Context, maxWait time.Duration) (func(context.Context, bool) error, error) {
	begun := clock.Now(l.clock)
	ownDone, err := l.own.Permit(ctx, maxWait)
	if err != nil || ownDone == nil {
		return nil, err
	}
	done, err := l.authentication().Permit(ctx, max(0, maxWait-clock.Since(l.clock, begun)))
	if err != nil || done == nil {
		// That it could not be given back is not worth more than the reason.
		_ = ownDone(ctx, false)
		return nil, transport.InClass(ClassAuthentication, err)
	}
	return func(ctx context.Context, sent bool) error {
		return errors.Join(done(ctx, sent), ownDone(ctx, sent))
	}, nil
}

// Hold holds all authentication, because the service refuses it as a whole.
func (l *refreshLimiter) Hold(ctx context.Context, until time.Time) error {
	return l.authentication().Hold(ctx, until)
}

// Tighten passes the service's count on to the authentication budget.
func (l *refreshLimiter) Tighten(ctx context.Context, remaining int, reset time.Time) error {
	return l.authentication().Tighten(ctx, remaining, reset)
}

// Doubt has all authentication doubt a wait.
func (l *refreshLimiter) Doubt(ctx context.Context, probe, until time.Time) error {
	return ratelimit.Doubt(ctx, l.authentication(), probe, until)
}

// Trust ends the doubt of all authentication.
func (l *refreshLimiter) Trust(ctx context.Context) error {
	return ratelimit.Trust(ctx, l.authentication())
}

// Held is that of the authentication budget.
func (l *refreshLimiter) Held(ctx context.Context) (time.Time, error) {
	if h, ok := l.authentication().(ratelimit.Holder); ok {
		return h.Held(ctx)
	}
	return time.Time{}, nil
}

// Lift ends the hold of all authentication.
func (l *refreshLimiter) Lift(ctx context.Context) error {
	if h, ok := l.authentication().(ratelimit.Holder); ok {
		return h.Lift(ctx)
	}
	return nil
}
