package sandbox_test

import (
	"context"
	"os"
	"os/signal"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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

// TestAdvanceUntilWithSignals: a program that waits for signals has a goroutine in a
// system call for ever, which no step waits for.
func TestAdvanceUntilWithSignals(t *testing.T) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	require.NoError(t, err)
	defer s.Close()
	const steps = 300
	fired := make(chan struct{}, steps)
	for i := range steps {
		s.Options().Clock.AfterFunc(time.Duration(i+1)*time.Minute, func() { fired <- struct{}{} })
	}
	begun := time.Now()
	require.NoError(t, s.AdvanceUntil(t.Context(), 24*time.Hour, func() bool { return len(fired) == steps }))
	require.Less(t, time.Since(begun), 5*time.Second, "a step that waits for the goroutine takes 50 ms, all of them 15 s")
}
