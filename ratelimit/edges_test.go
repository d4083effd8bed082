package ratelimit

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

// TestNewPacer: a negative pause is none, the smallest is kept, and so is no more than
// what sums of instants can hold.
func TestNewPacer(t *testing.T) {
	require.Zero(t, NewPacer(-1).pace.every)
	require.Equal(t, maxPer, NewPacer(math.MaxInt64).pace.every)
	p := NewPacer(1)
	require.Equal(t, rate.Every(1), p.pace.bucket.Limit())
	p.pace.reserve(0)
	require.Equal(t, time.Duration(1), p.pace.pause(0))
}

// TestFallbackFillsItsShare: exactly.
func TestFallbackFillsItsShare(t *testing.T) {
	l := New(Budget{3, time.Minute}, Budget{5, time.Hour})
	l.fill()
	require.Len(t, l.budgets.windows, 2)
	for _, w := range l.budgets.windows {
		require.Equal(t, w.requests, w.answered)
	}
}

// TestHeldIsOnlyWhatRefuses: a count of the service that leaves a request holds nothing,
// and the end of a hold is right however old the limiter is.
func TestHeldIsOnlyWhatRefuses(t *testing.T) {
	for name, limiter := range map[string]func() Holder{
		"budget": func() Holder { return New() }, "pacer": func() Holder { return NewPacer(0) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := limiter()
				<-time.After(time.Minute)
				require.NoError(t, l.Tighten(t.Context(), 1, time.Now().Add(time.Hour)))
				require.Zero(t, heldUntil(t, l))
				until := time.Now().Add(time.Second)
				require.NoError(t, l.Hold(t.Context(), until))
				require.Equal(t, until, heldUntil(t, l))
			})
		})
	}
}

// TestPacerCountsWhatTheServiceSays: a Pacer without a pause obeys a hold and the
// service's own count, with the requests under way taken off.
func TestPacerCountsWhatTheServiceSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPacer(0)
		require.NoError(t, p.Hold(t.Context(), time.Now().Add(time.Second)))
		_, err := p.Permit(t.Context(), 999*time.Millisecond)
		require.ErrorIs(t, err, ErrLimited)
		start := time.Now()
		done, err := p.Permit(t.Context(), time.Second)
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(start))

		require.NoError(t, p.Tighten(t.Context(), 2, time.Now().Add(time.Minute)))
		second, err := p.Permit(t.Context(), 0)
		require.NoError(t, err, "one of the two is under way")
		_, err = p.Permit(t.Context(), 0)
		require.ErrorIs(t, err, ErrLimited)
		require.NoError(t, second(t.Context(), false))
		second, err = p.Permit(t.Context(), 0)
		require.NoError(t, err, "it was not sent")
		require.NoError(t, done(t.Context(), true))
		require.NoError(t, second(t.Context(), true))
		_, err = p.Permit(t.Context(), 0)
		require.ErrorIs(t, err, ErrLimited)
	})
}

// TestPacerTightenEndsWaitsThatBecameTooLong: at once, not when they have waited.
func TestPacerTightenEndsWaitsThatBecameTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPacer(time.Second)
		done, err := p.Permit(t.Context(), 0)
		require.NoError(t, err)
		require.NoError(t, done(t.Context(), true))
		ended, start := make(chan error, 1), time.Now()
		go func() { _, err := p.Permit(t.Context(), time.Minute); ended <- err }()
		synctest.Wait()
		require.NoError(t, p.Tighten(t.Context(), 0, time.Now().Add(time.Hour)))
		require.ErrorIs(t, <-ended, ErrLimited)
		require.Zero(t, time.Since(start))
		require.False(t, p.queue.armed, "nobody waits")
	})
}

// TestWaiterEndsOnce: a waiter that was refused and gives up, or whose time is up, in
// the same moment leaves the queue as it is.
func TestWaiterEndsOnce(t *testing.T) {
	for name, end := range map[string]func(*queue, *waiter){
		"cancel": (*queue).cancel, "expire": (*queue).expire,
	} {
		l := New(Budget{1, time.Hour})
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err)
		require.NoError(t, done(t.Context(), true))
		w := enqueue(t, l)
		require.NoError(t, l.Hold(t.Context(), time.Now().Add(9*time.Hour)))
		require.ErrorIs(t, w.err, ErrLimited)
		refused := w.err
		end(&l.queue, w)
		require.Equal(t, refused, w.err, name)
		require.Zero(t, l.queue.waiters.len, name)
		require.Zero(t, l.queue.waiters.lists[ordinary].len, name)
		require.False(t, l.queue.armed, name)
	}
	// The last one whose time is up leaves no timer either.
	l := New(Budget{1, time.Hour})
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, done(t.Context(), true))
	w := enqueue(t, l)
	require.True(t, l.queue.armed)
	l.queue.expire(w)
	require.ErrorIs(t, w.err, ErrLimited)
	require.False(t, l.queue.armed)
}

// TestHoldUntilTheLastMoment: a slot that comes at the end of a caller's patience is
// still its slot.
func TestHoldUntilTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New()
		require.NoError(t, l.Hold(t.Context(), time.Now().Add(time.Second/2)))
		ended, start := make(chan error, 1), time.Now()
		go func() { _, err := l.Permit(t.Context(), time.Second); ended <- err }()
		synctest.Wait()
		require.NoError(t, l.Hold(t.Context(), start.Add(time.Second)))
		require.NoError(t, <-ended)
		require.Equal(t, time.Second, time.Since(start))
	})
}

// TestReleasesOfOneTick: are one entry, from the second on.
func TestReleasesOfOneTick(t *testing.T) {
	var r releaseRing
	for n := range 3 {
		r.add(7, 10)
		require.Equal(t, 1, r.len)
		require.Equal(t, n+1, r.first().slots)
	}
}
