package ratelimit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// counted counts how often waiters are looked at.
type counted struct {
	limit
	looks int
}

func (c *counted) earliest(now time.Duration, ahead int) time.Duration {
	c.looks++
	return c.limit.earliest(now, ahead)
}

// crowd has n calls wait for the limiter whose queue is given, which has let one
// through. The first waits for at most so long, the others for as long as it takes.
func crowd(t *testing.T, l Limiter, q *queue, n int, first time.Duration) *counted {
	_, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	c := &counted{limit: q.limit}
	q.limit = c
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	for i := range n {
		patience := first
		if i > 0 {
			patience = 1000 * time.Hour
		}
		go l.Permit(ctx, patience)
		synctest.Wait()
	}
	require.Equal(t, n, q.waiters.len)
	c.looks = 0
	return c
}

// TestHintsWithNoNewsWalkNobody: the service repeats what it said with every answer, its
// time of reset in whole seconds. However many calls wait, none is looked at for that.
func TestHintsWithNoNewsWalkNobody(t *testing.T) {
	for name, open := range map[string]func() (Limiter, *queue){
		"budget": func() (Limiter, *queue) {
			l := New(Budget{Requests: 1, Per: time.Hour})
			return l, &l.queue
		},
		"pacer": func() (Limiter, *queue) { l := NewPacer(time.Hour); return l, &l.queue },
	} {
		for _, n := range []int{100, 200, 400, 800} {
			synctest.Test(t, func(t *testing.T) {
				l, q := open()
				c := crowd(t, l, q, n, 3*time.Hour)
				at := time.Now()
				tell := func(hint string, news bool, err error) {
					t.Helper()
					require.NoError(t, err)
					if news {
						require.GreaterOrEqual(t, c.looks, n, "%s: %s", name, hint)
					} else {
						require.LessOrEqual(t, c.looks, 2, "%s: %s of %d waiters", name, hint, n)
					}
					require.Equal(t, n, q.waiters.len)
					c.looks = 0
				}
				tell("a past reset", false, l.Tighten(t.Context(), 0, at.Add(-time.Second)))
				tell("the first count", true, l.Tighten(t.Context(), 5, at.Add(time.Minute)))
				tell("the same", false, l.Tighten(t.Context(), 5, at.Add(time.Minute)))
				tell("more", false, l.Tighten(t.Context(), 6, at.Add(time.Minute)))
				tell("sooner", false, l.Tighten(t.Context(), 5, at.Add(30*time.Second)))
				for i := range 10 {
					tell("a jitter", false, l.Tighten(t.Context(), 5, at.Add(time.Minute+time.Duration(i)*99*time.Millisecond)))
				}
				tell("a second more in all", true, l.Tighten(t.Context(), 5, at.Add(time.Minute+1001*time.Millisecond)))
				tell("less", true, l.Tighten(t.Context(), 4, at.Add(time.Minute)))
				tell("a hold that is over", false, l.Hold(t.Context(), at))
				tell("a hold", true, l.Hold(t.Context(), at.Add(time.Minute)))
				tell("the same hold", false, l.Hold(t.Context(), at.Add(time.Minute)))
				tell("a hold of a jitter more", false, l.Hold(t.Context(), at.Add(61*time.Second)))
				require.Equal(t, time.Minute+time.Second, q.heldUntil-q.now(), "it holds all the same")
				tell("a longer hold", true, l.Hold(t.Context(), at.Add(62*time.Second)))
			})
		}
	}
}

// TestNewsWalksThoseWhoCouldLeave: what is new is held against the waiters only if it
// could come too late for one of them.
func TestNewsWalksThoseWhoCouldLeave(t *testing.T) {
	for _, n := range []int{100, 200, 400, 800} {
		synctest.Test(t, func(t *testing.T) {
			l := New(Budget{Requests: 1, Per: time.Hour})
			c := crowd(t, l, &l.queue, n, 1000*time.Hour)
			for i := range 50 {
				require.NoError(t, l.Tighten(t.Context(), 50-i, time.Now().Add(time.Minute)))
				require.NoError(t, l.Hold(t.Context(), time.Now().Add(time.Duration(i)*time.Minute)))
			}
			require.LessOrEqual(t, c.looks, 200, "two for each of 100 hints")
			require.NoError(t, l.Hold(t.Context(), time.Now().Add(1001*time.Hour)))
			require.Zero(t, l.queue.waiters.len, "all are told at once")
		})
	}
}

// TestNewsForNobody: a hint that is news is held against the waiters only if the last
// slot comes later than the first of them leaves, to the nanosecond, and those who have
// left do not count.
func TestNewsForNobody(t *testing.T) {
	const slot = 1025 * time.Second // of the first who waits, a tick after the window
	for patience, looks := range map[time.Duration]int{slot: 1, slot + time.Second: 1, slot - 1: 0} {
		synctest.Test(t, func(t *testing.T) {
			l := New(Budget{Requests: 1, Per: 1024 * time.Second})
			if looks == 0 {
				_, err := l.Permit(t.Context(), 0)
				require.NoError(t, err)
				_, err = l.Permit(t.Context(), patience)
				require.ErrorIs(t, err, ErrLimited)
				return
			}
			c := crowd(t, l, &l.queue, 1, patience)
			require.NoError(t, l.Tighten(t.Context(), 5, time.Now().Add(time.Minute)))
			require.Equal(t, looks, c.looks, "%v", patience)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		l := New(Budget{Requests: 1, Per: time.Hour})
		const n = 100
		c := crowd(t, l, &l.queue, n, 3*time.Hour)
		require.NoError(t, l.Hold(t.Context(), time.Now().Add(4*time.Hour)))
		require.Equal(t, n-1, l.queue.waiters.len, "the first has left")
		c.looks = 0
		require.NoError(t, l.Tighten(t.Context(), 5, time.Now().Add(time.Minute)))
		require.LessOrEqual(t, c.looks, 2, "the others have time")
	})
}
