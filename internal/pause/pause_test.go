package pause_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/pause"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.NoError(t, pause.For(t.Context(), time.Hour))
		require.Equal(t, time.Hour, time.Since(begun))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, pause.For(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Hour+time.Second, time.Since(begun))
	})
}

// TestJitter: drawn evenly under a bound that doubles.
func TestJitter(t *testing.T) {
	for n, bound := range []time.Duration{100, 200, 400, 800, 1000, 1000} {
		bound *= time.Millisecond
		var longest, sum time.Duration
		const draws = 2000
		for range draws {
			wait := pause.Jitter(100*time.Millisecond, time.Second, n)
			require.GreaterOrEqual(t, wait, time.Duration(0))
			longest, sum = max(longest, wait), sum+wait
		}
		require.LessOrEqual(t, longest, bound)
		require.Greater(t, longest, bound*9/10, "drawn up to the bound")
		require.InDelta(t, 0.5, float64(sum)/draws/float64(bound), 0.05, "drawn evenly")
	}
	for _, n := range []int{60, 1000} {
		require.GreaterOrEqual(t, pause.Jitter(time.Hour, 1<<62, n), time.Duration(0), "never wraps")
	}
	require.LessOrEqual(t, pause.Jitter(time.Hour, time.Second, 0), time.Second, "most goes before least")
}
