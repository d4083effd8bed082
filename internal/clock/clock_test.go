package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/sandbox"
)

// TestRealTime: no clock is real time.
func TestRealTime(t *testing.T) {
	require.WithinDuration(t, time.Now(), clock.Now(nil), time.Minute)
	require.InDelta(t, time.Hour, clock.Since(nil, time.Now().Add(-time.Hour)), float64(time.Minute))
	require.InDelta(t, time.Hour, clock.Until(nil, time.Now().Add(time.Hour)), float64(time.Minute))
	require.NoError(t, clock.Wait(t.Context(), nil, time.Microsecond))
	timer := clock.NewTimer(nil, time.Microsecond)
	<-timer.C
	timer.Reset(time.Microsecond)
	<-timer.C
	timer.Stop()
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

	timer := clock.NewTimer(c, time.Hour)
	timer.Reset(3 * time.Hour)
	late := errors.New("too late")
	bounded, end := clock.WithDeadline(t.Context(), c, from.Add(2*time.Hour), late)
	defer end()
	waited := make(chan error, 1)
	go func() { waited <- clock.Wait(t.Context(), c, time.Hour) }()
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(waited) > 0 }))
	require.NoError(t, <-waited)
	require.Equal(t, time.Hour, clock.Since(c, from))
	require.Empty(t, timer.C, "it was reset")
	require.NoError(t, bounded.Err())
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return bounded.Err() != nil }))
	require.ErrorIs(t, context.Cause(bounded), late)
	require.NoError(t, s.AdvanceUntil(t.Context(), time.Hour, func() bool { return len(timer.C) > 0 }))
	require.Equal(t, 3*time.Hour, clock.Since(c, from))

	<-timer.C
	timer.Reset(0)
	<-timer.C
	timer.Reset(time.Hour)
	timer.Stop()
	past, end := clock.WithDeadline(t.Context(), c, from, late)
	defer end()
	require.Error(t, past.Err())
	require.Error(t, s.AdvanceUntil(t.Context(), 2*time.Hour, func() bool { return len(timer.C) > 0 }), "it was stopped")
	require.Equal(t, 5*time.Hour, clock.Since(c, from), "no further than asked for")
}
