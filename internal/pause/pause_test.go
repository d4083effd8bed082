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

// TestBound: it doubles.
func TestBound(t *testing.T) {
	for n, bound := range []time.Duration{100, 200, 400, 800, 1000, 1000} {
		require.Equal(t, bound*time.Millisecond, pause.Bound(100*time.Millisecond, time.Second, n))
	}
	for _, n := range []int{60, 1000} {
		require.GreaterOrEqual(t, pause.Bound(time.Hour, 1<<62, n), time.Duration(0), "never wraps")
	}
	require.Equal(t, time.Second, pause.Bound(time.Hour, time.Second, 0), "most goes before least")
}
