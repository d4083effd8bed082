package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestRealTime: no clock is real time.
func TestRealTime(t *testing.T) {
	require.WithinDuration(t, time.Now(), clock.Now(nil), time.Minute)
	require.InDelta(t, time.Hour, clock.Since(nil, time.Now().Add(-time.Hour)), float64(time.Minute))
	require.InDelta(t, time.Hour, clock.Until(nil, time.Now().Add(time.Hour)), float64(time.Minute))
	require.NoError(t, clock.Wait(t.Context(), nil, time.Microsecond))
	over := make(chan struct{})
	clock.AfterFunc(nil, time.Microsecond, func() { close(over) })
	<-over
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.True(t, clock.Ends(soon, nil, time.Hour))
	require.False(t, clock.Ends(soon, nil, time.Second))
	require.False(t, clock.Ends(t.Context(), nil, time.Hour))
}

// TestAnotherClock: everything waits for a clock that is moved by hand.
func TestAnotherClock(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	c, from := s.Options().Clock, s.Now()
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.False(t, clock.Ends(soon, c, time.Hour), "a deadline is real time")

	fired := make(chan struct{}, 1)
	clock.AfterFunc(c, 3*time.Hour, func() { fired <- struct{}{} })
	late := errors.New("too late")
	bounded, end := clock.WithDeadline(t.Context(), c, from.Add(2*time.Hour), late)
	defer end()
	waited := make(chan error, 1)
	walletfi.Go(t.Context(), c, func(ctx context.Context) { waited <- clock.Wait(ctx, c, time.Hour) })
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(waited) > 0 }))
	require.NoError(t, <-waited)
	require.Equal(t, time.Hour, clock.Since(c, from))
	require.NoError(t, bounded.Err())
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return bounded.Err() != nil }))
	require.ErrorIs(t, context.Cause(bounded), late)
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(fired) > 0 }))
	require.Equal(t, 3*time.Hour, clock.Since(c, from))

	past, end := clock.WithDeadline(t.Context(), c, from, late)
	defer end()
	require.Error(t, past.Err())
}

// TestJitter: drawn evenly under the bound; a sandbox's clock draws by its seed and
// the time, so that the same run has the same pauses.
func TestJitter(t *testing.T) {
	box, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer box.Close()
	twin, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer twin.Close()
	for _, c := range []walletfi.Clock{nil, box.Options().Clock} {
		for n, bound := range []time.Duration{100, 200, 400} {
			bound *= time.Millisecond
			var longest, sum time.Duration
			const draws = 2000
			for range draws {
				wait := clock.Jitter(c, 100*time.Millisecond, time.Second, n)
				require.GreaterOrEqual(t, wait, time.Duration(0))
				longest, sum = max(longest, wait), sum+wait
				if c != nil {
					require.Equal(t, wait, clock.Draw(twin.Options().Clock, bound))
					box.Advance(time.Millisecond)
					twin.Advance(time.Millisecond)
				}
			}
			require.LessOrEqual(t, longest, bound)
			require.Greater(t, longest, bound*9/10, "drawn up to the bound")
			require.InDelta(t, 0.5, float64(sum)/draws/float64(bound), 0.05, "drawn evenly")
		}
	}
}
