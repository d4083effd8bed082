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
	"github.com/walletfi/walletfi-go/internal/wiretest"
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
		{ratelimit.Fallback{Processes: 1, Part: 0.5}, minute(10), 5},
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
			of := wiretest.As[*ratelimit.BudgetError](t, f.Validate(), "%+v", f)
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
		require.ErrorIs(t, wiretest.Error(l.Permit(t.Context(), 59*time.Second)), ratelimit.ErrLimited)
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
		"a small pace":     {Pace: 1, Budgets: []ratelimit.Budget{{Requests: 1000, Per: time.Hour}}},
	} {
		t.Run(name, func(t *testing.T) {
			l := ratelimit.Fallback{Processes: 16, Part: 0.5}.Limiter(scope, func(told ratelimit.Scope) ratelimit.Limiter {
				require.Equal(t, scope, told, "nothing is set aside")
				return faulty{ratelimit.New(), func() bool { return true }}
			})
			require.EqualError(t, wiretest.Error(l.Permit(t.Context(), time.Hour)), "no connection")
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

func TestFallbackThatIsNotValid(t *testing.T) {
	require.PanicsWithValue(t, "ratelimit.Fallback: Fallback.Part: must be above 0 and below 1", func() {
		ratelimit.Fallback{Processes: 1}.Limiter(ratelimit.Scope{}, func(ratelimit.Scope) ratelimit.Limiter { return ratelimit.New() })
	})
}

// scripted is a shared limiter whose Permit is given, and whose other answers fail.
type scripted struct {
	permit func() (func(context.Context, bool) error, error)
	asked  []string
	err    error
}

func (s *scripted) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return s.permit()
}

func (s *scripted) Hold(context.Context, time.Time) error {
	s.asked = append(s.asked, "hold")
	return s.err
}

func (s *scripted) Tighten(_ context.Context, remaining int, _ time.Time) error {
	s.asked = append(s.asked, fmt.Sprint("tighten ", remaining))
	return s.err
}

// holding is a scripted limiter that can say what holds it.
type holding struct{ *scripted }

func (h holding) Held(context.Context) (time.Time, error) { return time.Unix(7, 0), h.err }

func (h holding) Lift(context.Context) error {
	h.asked = append(h.asked, "lift")
	return h.err
}

func behind(shared ratelimit.Limiter) ratelimit.Holder {
	scope := ratelimit.Scope{Budgets: []ratelimit.Budget{{Requests: 10, Per: time.Minute}}}
	l := ratelimit.Fallback{Processes: 1, Part: 0.5}.Limiter(scope, func(ratelimit.Scope) ratelimit.Limiter { return shared })
	return l.(ratelimit.Holder)
}

// TestFallbackAsksTheShare: only if the shared limiter fails, or answers nothing, and
// the caller still waits. The time that the failure took is off the caller's patience.
func TestFallbackAsksTheShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := errors.New("no connection")
		s := &scripted{permit: func() (func(context.Context, bool) error, error) { return nil, nil }}
		l := behind(s)
		pause(61 * time.Second) // the share is open
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		require.NotNil(t, done, "a limiter that permits without a done has not answered")

		ended, cancel := context.WithCancel(t.Context())
		s.permit = func() (func(context.Context, bool) error, error) { cancel(); return nil, down }
		_, err = l.Permit(ended, time.Minute)
		require.Equal(t, down, err, "the caller has gone")

		for range 4 {
			s.permit = func() (func(context.Context, bool) error, error) { return nil, down }
			done, err := l.Permit(t.Context(), 0)
			require.NoError(t, err)
			require.NoError(t, done(t.Context(), true))
		}
		require.NoError(t, done(t.Context(), true))
		s.permit = func() (func(context.Context, bool) error, error) { pause(50 * time.Second); return nil, down }
		_, err = l.Permit(t.Context(), 55*time.Second)
		require.ErrorIs(t, err, ratelimit.ErrLimited, "5 seconds are left, 10 are needed")
		pause(time.Minute)
		require.NoError(t, wiretest.Error(l.Permit(t.Context(), time.Minute)))
	})
}

// TestFallbackTellsBoth: a hold, a count and their end reach both limiters, and the
// failure of the shared one is told.
func TestFallbackTellsBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, until := errors.New("no connection"), time.Now().Add(time.Hour)
		s := &scripted{err: down}
		plain := behind(s)
		require.Equal(t, time.Time{}, first(t, plain, nil))
		require.ErrorIs(t, plain.Hold(t.Context(), until), down)
		require.Equal(t, until, first(t, plain, nil), "the share's word, if the shared limiter has none")
		require.NoError(t, plain.Lift(t.Context()))
		require.ErrorIs(t, plain.Tighten(t.Context(), 0, until), down)
		require.Equal(t, until, first(t, plain, nil))
		require.Equal(t, []string{"hold", "tighten 0"}, s.asked)

		s = &scripted{err: down}
		told := behind(holding{s})
		require.Equal(t, time.Unix(7, 0), first(t, told, down))
		require.ErrorIs(t, told.Lift(t.Context()), down)
		require.Equal(t, []string{"lift"}, s.asked)
	})
}

func first(t *testing.T, h ratelimit.Holder, want error) time.Time {
	t.Helper()
	until, err := h.Held(t.Context())
	require.ErrorIs(t, err, want)
	return until
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

// doubted is a shared limiter whose doubts cannot be ended.
type doubted struct{ ratelimit.Limiter }

var errDoubt = errors.New("no connection")

func (doubted) Doubt(context.Context, time.Time, time.Time) error { return errDoubt }

func (doubted) Trust(context.Context) error { return errDoubt }

// TestFallbackProbes: an error of the shared limiter's is told.
func TestFallbackProbes(t *testing.T) {
	scope := ratelimit.Scope{Budgets: []ratelimit.Budget{{Requests: 100, Per: time.Minute}}}
	limiter := ratelimit.Fallback{Processes: 2, Part: 0.5}.Limiter(scope, func(s ratelimit.Scope) ratelimit.Limiter {
		return doubted{ratelimit.New(s.Budgets...)}
	})
	now := time.Now()
	require.ErrorIs(t, ratelimit.Doubt(t.Context(), limiter, now, now.Add(time.Hour)), errDoubt)
	require.ErrorIs(t, ratelimit.Trust(t.Context(), limiter), errDoubt)
}
