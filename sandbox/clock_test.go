package sandbox_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestAdvanceUntil: the clock goes from timer to timer, each fires once and at its
// own time, also one that a timer sets, and a stopped one never.
func TestAdvanceUntil(t *testing.T) {
	for _, manual := range []bool{true, false} {
		s, err := sandbox.Start(sandbox.Config{ManualClock: manual})
		require.NoError(t, err)
		clock, from := s.Options().Clock, s.Now()
		require.NotNil(t, s.Options().Clock)
		fired := make(chan time.Duration, 10)
		fire := func() { fired <- s.Now().Sub(from).Truncate(time.Minute) }
		clock.AfterFunc(3*time.Hour, fire)
		clock.AfterFunc(time.Hour, func() {
			fire()
			clock.AfterFunc(time.Hour, fire)
		})
		stop := clock.AfterFunc(90*time.Minute, fire)
		require.True(t, stop())
		require.False(t, stop(), "it was stopped before")
		require.NoError(t, s.AdvanceUntil(t.Context(), 4*time.Hour, func() bool { return len(fired) == 3 }))
		for _, want := range []time.Duration{time.Hour, 2 * time.Hour, 3 * time.Hour} {
			require.Equal(t, want, <-fired)
		}
		at := s.Now()
		require.ErrorContains(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return false }), "does not hold after 1h0m0s")
		require.InDelta(t, time.Hour, s.Now().Sub(at), float64(time.Minute))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, s.AdvanceUntil(ended, time.Hour, func() bool { return false }), context.Canceled)
		require.False(t, clock.AfterFunc(-time.Hour, fire)(), "it fires at once")
		<-fired
		s.Close()
	}
}

// TestTheClockStandsForWork: no time passes while a goroutine that has joined computes,
// or waits for the work of another one, however long that takes and whoever else waits
// for the clock.
func TestTheClockStandsForWork(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	clock, from := s.Options().Clock, s.Now()
	var tick func()
	tick = func() { clock.AfterFunc(time.Minute, tick) }
	tick()
	const steps = 10
	var wrong []time.Duration
	work := func(ctx context.Context, after time.Duration) {
		if err := walletfi.Sleep(ctx, clock, after); err != nil {
			t.Error(err)
		}
		for real := time.Now(); time.Since(real) < 5*time.Millisecond; { // the machine is busy
			runtime.Gosched()
		}
	}
	ended := make(chan struct{})
	walletfi.Go(t.Context(), clock, func(ctx context.Context) {
		defer close(ended)
		for n := range steps {
			work(ctx, 90*time.Second)
			other := walletfi.Go(ctx, clock, func(ctx context.Context) { work(ctx, 30*time.Second) })
			if err := other(ctx); err != nil {
				t.Error(err)
			}
			work(ctx, 0)
			if at := s.Now().Sub(from); at != time.Duration(n+1)*2*time.Minute {
				wrong = append(wrong, at)
			}
		}
	})
	require.NoError(t, s.AdvanceUntil(t.Context(), 24*time.Hour, func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}))
	require.Empty(t, wrong)
}
