package walletfi_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestSleep: in real time where there is no clock.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		require.Equal(t, begun, walletfi.Now(nil))
		require.NoError(t, walletfi.Sleep(t.Context(), nil, time.Hour))
		require.Equal(t, begun.Add(time.Hour), walletfi.Now(nil))
		for _, none := range []time.Duration{0, -time.Hour} {
			require.NoError(t, walletfi.Sleep(t.Context(), nil, none))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, walletfi.Sleep(ctx, nil, time.Hour), context.DeadlineExceeded)
		require.ErrorIs(t, walletfi.Sleep(ctx, nil, 0), context.DeadlineExceeded, "it has ended")
		require.Equal(t, begun.Add(time.Hour+time.Minute), walletfi.Now(nil), "nothing else waited")
	})
}

// TestSleepOnAClock: a sandbox's clock goes to the end of the wait, and no further.
func TestSleepOnAClock(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	c, begun := s.Options().Clock, s.Now()
	ended := make(chan error, 1)
	walletfi.Go(t.Context(), c, func(ctx context.Context) { ended <- walletfi.Sleep(ctx, c, 3*time.Hour) })
	require.NoError(t, s.AdvanceUntil(t.Context(), 10*time.Hour, func() bool { return len(ended) > 0 }))
	require.NoError(t, <-ended)
	require.Equal(t, begun.Add(3*time.Hour), walletfi.Now(c))

	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- walletfi.Sleep(ctx, c, time.Hour) }()
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.ErrorIs(t, walletfi.Sleep(ctx, c, -1), context.Canceled)
	require.Equal(t, begun.Add(3*time.Hour), walletfi.Now(c))
}
