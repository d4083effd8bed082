package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// faulty is a shared limiter that fails while it is down.
type faulty struct {
	ratelimit.Limiter
	down func() bool
}

func (f faulty) Permit(ctx context.Context, maxWait time.Duration) (func(context.Context, bool) error, error) {
	if f.down() {
		return nil, errors.New("no connection")
	}
	return f.Limiter.Permit(ctx, maxWait)
}

func TestFallbackShare(t *testing.T) {
	minute := func(n int) ratelimit.Budget { return ratelimit.Budget{Requests: n, Per: time.Minute} }
	for _, c := range []struct {
		fallback ratelimit.Fallback
		budget   ratelimit.Budget
		want     int
	}{
		{ratelimit.Fallback{}, minute(60), 0},
		{ratelimit.Fallback{Processes: 16, Part: 0.5}, minute(60), 1},
		{ratelimit.Fallback{Processes: 16, Part: 0.2}, minute(60), 0},
		{ratelimit.Fallback{Processes: 4, Part: 0.2}, minute(60), 3},
		{ratelimit.Fallback{Processes: 1, Part: 0.999999999999}, minute(1), 0},
		{ratelimit.Fallback{Processes: 1, Part: 0.999999999999}, minute(1_000_000_000), 999_999_999},
		{ratelimit.Fallback{Processes: 3, Part: 0.1}, minute(30), 1},
	} {
		require.Equal(t, c.want, c.fallback.Share(c.budget), "%+v of %+v", c.fallback, c.budget)
	}
}

func TestFallbackValidate(t *testing.T) {
	for field, wrong := range map[string][]ratelimit.Fallback{
		"Fallback.Processes": {{Processes: -1, Part: 0.5}, {Part: 0.5}},
		"Fallback.Part":      {{Processes: 1}, {Processes: 1, Part: 1}, {Processes: 1, Part: -1}, {Processes: 1, Part: math.NaN()}},
	} {
		for _, f := range wrong {
			var of *ratelimit.BudgetError
			require.ErrorAs(t, f.Validate(), &of, "%+v", f)
			require.Equal(t, field, of.Field)
		}
	}
	require.NoError(t, ratelimit.Fallback{}.Validate())
}

// TestFallbackIsNeverOver: a fleet whose processes lose the shared limiter at any
// moment, one by one or all together, is never over, and goes on meanwhile.
func TestFallbackIsNeverOver(t *testing.T) {
	for name, down := range map[string]func(process int, since time.Duration) bool{
		"all at once":    func(_ int, since time.Duration) bool { return since > 3*time.Minute && since < 7*time.Minute },
		"half of them":   func(p int, since time.Duration) bool { return p%2 == 0 && since > 3*time.Minute },
		"in turn":        func(p int, since time.Duration) bool { return int(since/(17*time.Second))%4 == p },
		"from the start": func(int, time.Duration) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const processes, minutes = 4, 10
				begun, budget := time.Now(), ratelimit.Budget{Requests: 60, Per: time.Minute}
				scope := ratelimit.Scope{Service: "lending", Budgets: []ratelimit.Budget{budget}}
				fallback := ratelimit.Fallback{Processes: processes, Part: 0.2}
				s := newService(1, &slidingLog{requests: 60, per: time.Minute})
				var shared ratelimit.Limiter
				ctx, cancel := context.WithTimeout(t.Context(), minutes*time.Minute)
				defer cancel()
				var all sync.WaitGroup
				for p := range processes {
					l := fallback.Limiter(scope, func(told ratelimit.Scope) ratelimit.Limiter {
						require.Equal(t, 48, told.Budgets[0].Requests)
						if shared == nil {
							shared = ratelimit.New(told.Budgets...)
						}
						return faulty{shared, func() bool { return down(p, time.Since(begun)) }}
					})
					all.Go(func() { saturate(ctx, l, s, 20) })
				}
				all.Wait()
				require.Zero(t, s.refused)
				require.GreaterOrEqual(t, s.reached, 12*(minutes-2), "the share alone is 12 a minute")
			})
		})
	}
}

// TestFallbackOpensLate: the process may have been restarted, so that its share was
// used up a moment ago.
func TestFallbackOpensLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		scope := ratelimit.Scope{Budgets: []ratelimit.Budget{{Requests: 60, Per: time.Minute}}}
		l := ratelimit.Fallback{Processes: 4, Part: 0.2}.Limiter(scope, func(ratelimit.Scope) ratelimit.Limiter {
			return faulty{ratelimit.New(), func() bool { return true }}
		})
		_, err := l.Permit(t.Context(), 59*time.Second)
		require.ErrorIs(t, err, ratelimit.ErrLimited)
		pause(61 * time.Second)
		requireFree(t, l, 3)
	})
}

// TestNoShareFailsClosed: what cannot be divided is refused by the limiter's failure.
func TestNoShareFailsClosed(t *testing.T) {
	for name, scope := range map[string]ratelimit.Scope{
		"too few requests": {Budgets: []ratelimit.Budget{{Requests: 4, Per: time.Second}}},
		"one of two":       {Budgets: []ratelimit.Budget{{Requests: 1000, Per: time.Hour}, {Requests: 4, Per: time.Second}}},
		"a pace":           {Pace: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			l := ratelimit.Fallback{Processes: 16, Part: 0.5}.Limiter(scope, func(told ratelimit.Scope) ratelimit.Limiter {
				require.Equal(t, scope, told, "nothing is set aside")
				return faulty{ratelimit.New(), func() bool { return true }}
			})
			_, err := l.Permit(t.Context(), time.Hour)
			require.EqualError(t, err, "no connection")
		})
	}
}

// TestFallbackObeysHolds: what a service said before the outage counts during it.
func TestFallbackObeysHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		isDown := false
		scope := ratelimit.Scope{Budgets: []ratelimit.Budget{{Requests: 60, Per: time.Second}}}
		l := ratelimit.Fallback{Processes: 4, Part: 0.2}.Limiter(scope, func(told ratelimit.Scope) ratelimit.Limiter {
			return faulty{ratelimit.New(told.Budgets...), func() bool { return isDown }}
		})
		pause(2 * time.Second)
		require.NoError(t, l.Hold(t.Context(), time.Now().Add(time.Minute)))
		isDown = true
		requireRefused(t, l, time.Minute)
		require.NoError(t, l.(ratelimit.Holder).Lift(t.Context()))
		requireFree(t, l, 3)
	})
}

// A refusal is told from a broken limiter, and a limiter's own timeout from the
// call's deadline.
func TestLimiterError(t *testing.T) {
	cause := errors.New("connection refused")
	err := error(&ratelimit.LimiterError{Service: "lending", Cause: cause})
	require.ErrorIs(t, err, walletfi.ErrLimiter)
	require.ErrorIs(t, err, cause)
	require.NotErrorIs(t, err, walletfi.ErrRateLimited)
	require.EqualError(t, err, "lending: the rate limiter failed, nothing was sent: connection refused")
	err = &ratelimit.LimiterError{Service: "socialsearch", Class: "users", Cause: fmt.Errorf("redis: %w", context.DeadlineExceeded)}
	require.ErrorIs(t, err, walletfi.ErrLimiter)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "socialsearch (users): ")
	require.NotErrorIs(t, &ratelimit.Error{}, walletfi.ErrLimiter)
}
