package ratelimit

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// handClock is a clock that a test moves.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*handTimer
}

type handTimer struct {
	at time.Time
	f  func()
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	timer := &handTimer{c.now.Add(d), f}
	c.timers = append(c.timers, timer)
	return func() bool { return c.remove(timer) }
}

func (c *handClock) remove(t *handTimer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.timers, t)
	if i < 0 {
		return false
	}
	c.timers = slices.Delete(c.timers, i, i+1)
	return true
}

func (c *handClock) set(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	due := slices.DeleteFunc(slices.Clone(c.timers), func(t *handTimer) bool { return t.at.After(c.now) })
	c.mu.Unlock()
	for _, timer := range due {
		if c.remove(timer) {
			timer.f()
		}
	}
}

func (c *handClock) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}

func newHandClock() *handClock { return &handClock{now: time.Unix(1_000_000, 0)} }

// TestLimiterOnAClock: slots, holds, refusals and timers of a limiter are its clock's,
// not the machine's, and a ctx's deadline does not refuse a call ahead.
func TestLimiterOnAClock(t *testing.T) {
	clock := newHandClock()
	l := New(Budget{1, time.Hour}).WithClock(clock)
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, done(t.Context(), true))

	_, err = l.Permit(t.Context(), time.Minute)
	var limited *Error
	require.ErrorAs(t, err, &limited)
	require.WithinRange(t, limited.ResetAt, clock.Now().Add(time.Hour), clock.Now().Add(time.Hour+time.Minute))

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := enqueueUnder(ctx, t, l)
	require.Equal(t, 1, clock.count())
	clock.set(59 * time.Minute)
	require.Nil(t, w.permit)
	require.NoError(t, l.Hold(t.Context(), clock.Now().Add(10*time.Minute)))
	until, err := l.Held(t.Context())
	require.NoError(t, err)
	require.Equal(t, clock.Now().Add(10*time.Minute), until)
	clock.set(9 * time.Minute)
	require.Nil(t, w.permit, "held")
	clock.set(time.Minute)
	require.NotNil(t, w.permit)
	require.Zero(t, clock.count())

	w = enqueueUnder(ctx, t, l)
	require.Equal(t, 1, clock.count())
	l.queue.cancel(w)
	require.Zero(t, clock.count(), "its timer was stopped")
}

func enqueueUnder(ctx context.Context, t *testing.T, l *BudgetLimiter) *waiter {
	t.Helper()
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	w, err := l.queue.enqueue(ctx, l.queue.now(), 3*time.Hour)
	require.NoError(t, err)
	return w
}

// TestWaitOnAClock: how long a caller waits at most is its clock's too.
func TestWaitOnAClock(t *testing.T) {
	clock := newHandClock()
	l := New().WithClock(clock)
	require.NoError(t, l.Hold(t.Context(), clock.Now().Add(time.Minute)))
	ended := make(chan error, 1)
	go func() {
		_, err := l.Permit(t.Context(), 2*time.Minute)
		ended <- err
	}()
	for clock.count() < 2 { // the slot's and the caller's
		select {
		case err := <-ended:
			t.Fatal("the call ended early: ", err)
		default:
			runtime.Gosched()
		}
	}
	require.NoError(t, l.Hold(t.Context(), clock.Now().Add(2*time.Minute)))
	clock.set(2 * time.Minute)
	require.NoError(t, <-ended)
}

func TestPacerOnAClock(t *testing.T) {
	clock := newHandClock()
	p := NewPacer(time.Minute).WithClock(clock)
	for range 3 {
		done, err := p.Permit(t.Context(), 0)
		require.NoError(t, err)
		require.NoError(t, done(t.Context(), true))
		_, err = p.Permit(t.Context(), 0)
		var limited *Error
		require.ErrorAs(t, err, &limited)
		require.Equal(t, clock.Now().Add(time.Minute), limited.ResetAt)
		clock.set(time.Minute)
	}
	require.Same(t, p, p.WithClock(nil))
	done, err := p.Permit(t.Context(), 0)
	require.NoError(t, err, "real time again")
	require.NoError(t, done(t.Context(), false))
}

// TestPacerHoldsLongest: a hold that ends sooner does not shorten one that ends later.
func TestPacerHoldsLongest(t *testing.T) {
	clock := newHandClock()
	p := NewPacer(time.Second).WithClock(clock)
	until := clock.Now().Add(time.Hour)
	require.NoError(t, p.Hold(t.Context(), until))
	require.NoError(t, p.Hold(t.Context(), clock.Now().Add(time.Minute)))
	_, err := p.Permit(t.Context(), 0)
	var limited *Error
	require.ErrorAs(t, err, &limited)
	require.Equal(t, until, limited.ResetAt)
	clock.set(59 * time.Minute)
	_, err = p.Permit(t.Context(), 0)
	require.Error(t, err)
	clock.set(time.Minute)
	_, err = p.Permit(t.Context(), 0)
	require.NoError(t, err)
}
