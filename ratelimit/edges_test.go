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

// TestReleasesOfOneTick: are one entry, from the second on.
func TestReleasesOfOneTick(t *testing.T) {
	var r releaseRing
	for n := range 3 {
		r.add(7, 10)
		require.Equal(t, 1, r.len)
		require.Equal(t, n+1, r.first().slots)
	}
}

// TestHoldAfterAHold: one that begins as another ends is news, however short it is.
func TestHoldAfterAHold(t *testing.T) {
	clock := newHandClock()
	l := New(Budget{1, time.Hour}).WithClock(clock)
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, l.Hold(t.Context(), clock.Now().Add(time.Minute)))
	w := enqueue(t, l)
	w.latest = l.queue.now() + time.Minute + time.Millisecond
	l.queue.soonest = w.latest
	clock.set(time.Minute)
	require.False(t, w.ended(), "the slot is in use")
	require.NoError(t, l.Hold(t.Context(), clock.Now().Add(jitter)))
	require.True(t, w.ended(), "its slot will come too late")
	require.ErrorIs(t, w.err, ErrLimited)
	require.NoError(t, done(t.Context(), true))
}

// TestResetInsideATick: the instant that a refusal tells is the one at which the slot is
// there, and no earlier one is, wherever in a tick the answer came. What the service
// says of its own reset is not rounded.
func TestResetInsideATick(t *testing.T) {
	for _, in := range []time.Duration{0, 1, time.Second / 2, time.Second - 1, time.Second, time.Second + 1} {
		synctest.Test(t, func(t *testing.T) {
			l := New(Budget{1, 1024 * time.Second})
			done, err := l.Permit(t.Context(), 0)
			require.NoError(t, err)
			<-time.After(in)
			require.NoError(t, done(t.Context(), true))
			answered := time.Now()
			refused := func() time.Time {
				t.Helper()
				_, err := l.Permit(t.Context(), 0)
				var limited *Error
				require.ErrorAs(t, err, &limited)
				return limited.ResetAt
			}
			reset := refused()
			require.Greater(t, reset.Sub(answered), 1024*time.Second)
			require.LessOrEqual(t, reset.Sub(answered), 1025*time.Second)
			require.NoError(t, l.Tighten(t.Context(), 0, reset.Add(300*time.Millisecond)))
			require.Equal(t, reset.Add(300*time.Millisecond), refused())
			<-time.After(time.Until(reset))
			require.Equal(t, reset.Add(300*time.Millisecond), refused())
			<-time.After(300*time.Millisecond - 1)
			refused()
			<-time.After(1)
			_, err = l.Permit(t.Context(), 0)
			require.NoError(t, err)
		})
	}
}

// TestOneTimerOfAClock: however often the next slot moves, one wake is due.
func TestOneTimerOfAClock(t *testing.T) {
	clock := newHandClock()
	l := New(Budget{1, time.Hour}).WithClock(clock)
	_, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	enqueue(t, l)
	for n := range 10 {
		l.queue.arm(time.Duration(100-n)*time.Second, time.Duration(100-n)*time.Second)
		require.Equal(t, 1, clock.count())
	}
}
