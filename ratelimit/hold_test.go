package ratelimit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHoldIsSeenAndLifted: by each limiter, and waiting callers go at once.
func TestHoldIsSeenAndLifted(t *testing.T) {
	for name, c := range map[string]struct {
		limiter func() Holder
		hold    func(Holder, time.Time)
	}{
		"a hold":          {func() Holder { return New(Budget{5, time.Minute}) }, func(h Holder, at time.Time) { h.Hold(t.Context(), at) }},
		"a count":         {func() Holder { return New() }, func(h Holder, at time.Time) { h.Tighten(t.Context(), 0, at) }},
		"a pacer's":       {func() Holder { return NewPacer(0) }, func(h Holder, at time.Time) { h.Hold(t.Context(), at) }},
		"a pacer's count": {func() Holder { return NewPacer(0) }, func(h Holder, at time.Time) { h.Tighten(t.Context(), 0, at) }},
		"without more":    {func() Holder { return New() }, func(h Holder, at time.Time) { h.Hold(t.Context(), at) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limiter, until := c.limiter(), time.Now().Add(time.Hour)
				require.Zero(t, heldUntil(t, limiter))
				c.hold(limiter, until)
				require.Equal(t, until, heldUntil(t, limiter))
				admitted := make(chan time.Time, 1)
				go func() {
					done, err := limiter.Permit(context.Background(), 2*time.Hour)
					if assert.NoError(t, err) {
						done(t.Context(), true)
					}
					admitted <- time.Now()
				}()
				<-time.After(time.Minute)
				limiter.Lift(t.Context())
				require.Zero(t, heldUntil(t, limiter))
				require.Equal(t, until.Add(-59*time.Minute), <-admitted)
			})
		})
	}
}

// TestLiftKeepsTheBudget: what the limiter itself counted stays.
func TestLiftKeepsTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Budget{1, time.Minute})
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		done(t.Context(), true)
		l.Hold(t.Context(), time.Now().Add(time.Hour))
		l.Lift(t.Context())
		_, err = l.Permit(t.Context(), 0)
		require.ErrorIs(t, err, ErrLimited)
		require.Zero(t, heldUntil(t, l), "the budget is no hold")
	})
}

func heldUntil(t *testing.T, h Holder) time.Time {
	t.Helper()
	at, err := h.Held(t.Context())
	require.NoError(t, err)
	return at
}
