package ratelimit

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLimiterCancelAfterTheSlotWasGiven: the context ends after the waiter got
// its slot and before its goroutine ran.
func TestLimiterCancelAfterTheSlotWasGiven(t *testing.T) {
	l := New(Budget{Requests: 1, Per: time.Hour})
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	first, second := enqueue(t, l), enqueue(t, l)
	done(t.Context(), false)
	require.NotNil(t, first.permit)
	assert.Nil(t, second.permit)
	l.queue.cancel(first)
	require.NotNil(t, second.permit, "the slot went on to the next")
	second.permit.done(t.Context(), false)
	assert.Zero(t, l.budgets.stated.underWay)
	assert.Zero(t, l.queue.waiters.len)
	assert.False(t, l.queue.armed, "an idle limiter has no timer")
}

func TestLimiterWithoutWaitersHasNoTimer(t *testing.T) {
	l := New(Budget{Requests: 1, Per: time.Hour})
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	done(t.Context(), true)
	first, second := enqueue(t, l), enqueue(t, l)
	l.queue.cancel(first)
	assert.True(t, l.queue.armed)
	l.queue.cancel(second)
	assert.False(t, l.queue.armed)
	assert.False(t, l.queue.timer.Stop(), "stopped already")
}

// TestLimiterNewcomerDoesNotOvertake: a slot came free and its timer has not
// run yet. A new call does not get it before the waiter.
func TestLimiterNewcomerDoesNotOvertake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Budget{Requests: 1, Per: time.Hour})
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		done(t.Context(), true)
		first := enqueue(t, l)
		l.queue.timer.Stop()
		<-time.After(2 * time.Hour)
		_, err = l.Permit(t.Context(), 0)
		require.ErrorIs(t, err, ErrLimited)
		l.queue.wake()
		require.NotNil(t, first.permit)
		first.permit.done(t.Context(), true)
	})
}

// enqueue adds a waiter without a goroutine.
func enqueue(t *testing.T, l *BudgetLimiter) *waiter {
	t.Helper()
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	w, err := l.queue.enqueue(t.Context(), l.queue.now(), 3*time.Hour)
	require.NoError(t, err)
	return w
}

// TestLimiterKeepsFewIdlePermits: a burst does not stay in memory.
func TestLimiterKeepsFewIdlePermits(t *testing.T) {
	l := New()
	var dones []func(context.Context, bool) error
	for range 10 * maxIdlePermits {
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		dones = append(dones, done)
	}
	for _, done := range dones {
		done(t.Context(), true)
	}
	assert.Equal(t, maxIdlePermits, l.queue.permits.count)
	count := 0
	for p := l.queue.permits.first; p != nil; p = p.next {
		count++
	}
	assert.Equal(t, maxIdlePermits, count)
}

func TestPacerEarliestDoesNotOverflow(t *testing.T) {
	p := NewPacer(time.Duration(1<<63 - 1))
	p.pace.reserve(0)
	assert.Equal(t, maxPer, p.pace.earliest(0, 0))
	assert.Equal(t, never, p.pace.earliest(0, 1))
	assert.Equal(t, never, p.pace.earliest(0, math.MaxInt))
}
