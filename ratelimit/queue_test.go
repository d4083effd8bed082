package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// per is a window whose tick is a second, so that releases fall on whole ones.
const per = 1024 * time.Second

// single returns a limiter of one slot, which was used and comes free after 1025 s.
func single(t *testing.T) *ratelimit.BudgetLimiter {
	l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: per})
	reserve(t, l)(t.Context(), true)
	return l
}

// outcome says how a call of Permit ended, and when.
type outcome struct {
	name string
	err  error
	at   time.Duration
}

// callers starts calls one after the other, which give their slots back at
// once, and collects how the calls end.
type callers struct {
	t     *testing.T
	l     ratelimit.Limiter
	began time.Time
	ended chan outcome
}

func newCallers(t *testing.T, l ratelimit.Limiter) *callers {
	return &callers{t: t, l: l, began: time.Now(), ended: make(chan outcome, 100)}
}

func (q *callers) call(ctx context.Context, name string, maxWait time.Duration) {
	go func() {
		done, err := q.l.Permit(ctx, maxWait)
		q.ended <- outcome{name, err, time.Since(q.began)}
		if err == nil {
			done(ctx, true)
		}
	}()
	synctest.Wait()
}

func (q *callers) next() outcome {
	q.t.Helper()
	select {
	case o := <-q.ended:
		return o
	case <-time.After(1000 * per):
		require.FailNow(q.t, "no call ended")
		return outcome{}
	}
}

func TestLimiterServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, single(t))
		for _, name := range []string{"a", "b", "c", "d"} {
			q.call(t.Context(), name, 10*per)
		}
		for i, name := range []string{"a", "b", "c", "d"} {
			assert.Equal(t, outcome{name, nil, time.Duration(i+1) * (per + time.Second)}, q.next())
		}
	})
}

func TestLimiterServesUrgentFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, urgent := newCallers(t, single(t)), ratelimit.WithUrgent(t.Context())
		q.call(t.Context(), "read", 10*per)
		q.call(t.Context(), "list", 10*per)
		q.call(urgent, "close", 10*per)
		q.call(urgent, "repay", 10*per)
		var order []string
		for range 4 {
			o := q.next()
			require.NoError(t, o.err)
			order = append(order, o.name)
		}
		assert.Equal(t, []string{"close", "repay", "read", "list"}, order)
	})
}

// TestLimiterUrgentIsForeseenAhead: the wait of an urgent call depends on the
// head of the queue alone, the wait of another call on its whole length.
func TestLimiterUrgentIsForeseenAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, single(t))
		q.call(t.Context(), "read", 10*per)
		_, err := q.l.Permit(t.Context(), per+time.Second)
		require.ErrorIs(t, err, walletfi.ErrRateLimited, "another call is ahead")
		q.call(ratelimit.WithUrgent(t.Context()), "close", per+time.Second)
		assert.Equal(t, outcome{"close", nil, per + time.Second}, q.next())
		assert.Equal(t, outcome{"read", nil, 2 * (per + time.Second)}, q.next())
	})
}

func TestLimiterRefusesAWaitThatIsForeseenTooLong(t *testing.T) {
	const free = per + time.Second // when the slot comes free
	for name, test := range map[string]struct {
		maxWait, deadline time.Duration // deadline 0 means none
		refused           bool
	}{
		"fail at once":              {maxWait: 0, refused: true},
		"negative":                  {maxWait: -1, refused: true},
		"a nanosecond too short":    {maxWait: free - 1, refused: true},
		"just enough":               {maxWait: free},
		"deadline before":           {maxWait: 10 * per, deadline: free - 1, refused: true},
		"deadline in that instant":  {maxWait: 10 * per, deadline: free, refused: true},
		"deadline just after":       {maxWait: 10 * per, deadline: free + 1},
		"the longest possible wait": {maxWait: 1<<63 - 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, ctx, began := single(t), t.Context(), time.Now()
				if test.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				done, err := l.Permit(ctx, test.maxWait)
				if !test.refused {
					require.NoError(t, err)
					assert.Equal(t, free, time.Since(began))
					done(t.Context(), true)
					return
				}
				assert.Zero(t, time.Since(began), "refused at once")
				limited := wiretest.As[*ratelimit.Error](t, err)
				assert.Equal(t, ratelimit.Error{ResetAt: began.Add(free)}, *limited)
			})
		})
	}
}

// TestLimiterForeseesRounds: with three slots, the wait of a newcomer follows
// from how many wait before it.
func TestLimiterForeseesRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(ratelimit.Budget{Requests: 3, Per: per})
		reserve(t, l)(t.Context(), true) // free at 1025 s
		pause(10 * time.Second)
		reserve(t, l)(t.Context(), true) // free at 1035 s, in 1025 s
		slow := reserve(t, l)
		q := newCallers(t, l)
		for i, in := range []time.Duration{1015, 1025, 1025, 1015 + 1025, 1025 + 1025, 1025 + 1025, 1015 + 2*1025} {
			requireRefused(t, l, in*time.Second)
			q.call(t.Context(), string(rune('a'+i)), 10*per)
		}
		slow(t.Context(), true)
		for range 7 {
			require.NoError(t, q.next().err)
		}
	})
}

func TestLimiterGivingUpLeavesTheSlotToTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, single(t))
		ctx, cancel := context.WithCancel(t.Context())
		q.call(ctx, "impatient", 10*per)
		q.call(t.Context(), "patient", 10*per)
		cancel()
		gone := q.next()
		assert.Equal(t, "impatient", gone.name)
		assert.Zero(t, gone.at, "returns in the moment of the cancel")
		assert.ErrorIs(t, gone.err, context.Canceled)
		assert.NotErrorIs(t, gone.err, walletfi.ErrRateLimited)
		assert.Equal(t, outcome{"patient", nil, per + time.Second}, q.next())
	})
}

// TestLimiterCancelInTheMomentOfTheSlot: whichever comes first, the slot is not
// lost.
func TestLimiterCancelInTheMomentOfTheSlot(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			q := newCallers(t, single(t))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(per+time.Second, cancel)
			q.call(ctx, "first", 10*per)
			q.call(t.Context(), "second", 10*per)
			first := q.next()
			second := q.next()
			if first.name != "first" {
				first, second = second, first
			}
			if first.err == nil {
				assert.Equal(t, 2*(per+time.Second), second.at)
			} else {
				assert.ErrorIs(t, first.err, context.Canceled)
				assert.Equal(t, per+time.Second, second.at)
			}
			assert.NoError(t, second.err)
			cancel()
		})
	}
}

func TestLimiterEndedContext(t *testing.T) {
	l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: time.Hour})
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	_, err := l.Permit(ctx, time.Minute)
	assert.ErrorIs(t, err, context.Canceled)
	assert.EqualError(t, err, "walletfi: waiting for a slot under the rate limit: context canceled")
	requireFree(t, l, 1)
}

// TestLimiterWaitsNoLongerThanMaxWait: a wait whose end could not be foreseen,
// because the slot's request was under way, ends at maxWait.
func TestLimiterWaitsNoLongerThanMaxWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: per})
		slow := reserve(t, l)
		q := newCallers(t, l)
		q.call(t.Context(), "a", per+10*time.Second)
		pause(20 * time.Second)
		slow(t.Context(), true) // free 1025 s from now
		gone := q.next()
		assert.Equal(t, per+10*time.Second, gone.at)
		limited := wiretest.As[*ratelimit.Error](t, gone.err)
		assert.Equal(t, per+21*time.Second, limited.ResetAt.Sub(q.began))
		pause(11 * time.Second)
		requireFree(t, l, 1)
	})
}

func TestLimiterUnsentFreesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: per})
		q, done := newCallers(t, l), reserve(t, l)
		q.call(t.Context(), "next", 2*per)
		pause(time.Second)
		done(t.Context(), false)
		assert.Equal(t, outcome{"next", nil, time.Second}, q.next())
	})
}

func TestLimiterDoneTwiceInARowCountsOnce(t *testing.T) {
	l := ratelimit.New(ratelimit.Budget{Requests: 2, Per: time.Hour})
	done := reserve(t, l)
	done(t.Context(), false)
	done(t.Context(), false)
	requireFree(t, l, 2)
}

func TestLimiterHold(t *testing.T) {
	limiters := map[string]func() ratelimit.Limiter{
		"unlimited": func() ratelimit.Limiter { return ratelimit.New() },
		"budget": func() ratelimit.Limiter {
			return ratelimit.New(ratelimit.Budget{Requests: 9, Per: time.Second})
		},
		"pacer": func() ratelimit.Limiter { return ratelimit.NewPacer(time.Millisecond) },
	}
	for name, limiter := range limiters {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := limiter()
				l.Hold(t.Context(), time.Now().Add(10*time.Second))
				l.Hold(t.Context(), time.Now().Add(5*time.Second)) // never shorter
				l.Hold(t.Context(), time.Time{})
				requireRefused(t, l, 10*time.Second)
				q := newCallers(t, l)
				q.call(t.Context(), "waits", 11*time.Second)
				q.call(ratelimit.WithUrgent(t.Context()), "urgent is held too", 10*time.Second)
				for range 2 {
					waited := q.next()
					assert.NoError(t, waited.err, waited.name)
					assert.InDelta(t, 10*time.Second, waited.at, float64(time.Millisecond))
				}
			})
		})
	}
}

// TestLimiterHoldEndsWaitsThatBecameTooLong: a call that a hold will make too
// late is refused when the hold begins.
func TestLimiterHoldEndsWaitsThatBecameTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := single(t)
		q := newCallers(t, l)
		q.call(t.Context(), "short", 2*per)
		q.call(t.Context(), "long", 20*per)
		pause(time.Second)
		l.Hold(t.Context(), q.began.Add(5*per))
		short := q.next()
		assert.Equal(t, "short", short.name)
		assert.Equal(t, time.Second, short.at)
		limited := wiretest.As[*ratelimit.Error](t, short.err)
		assert.Equal(t, 5*per, limited.ResetAt.Sub(q.began))
		assert.Equal(t, outcome{"long", nil, 5 * per}, q.next())
	})
}

// TestLimiterThousandsWait: a long queue drains in its order and at the rate
// of the budget, even if many callers give up.
func TestLimiterThousandsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, n = 3000, 100
		s := newService(1, &slidingLog{requests: n, per: time.Minute})
		l := ratelimit.New(ratelimit.Budget{Requests: n, Per: time.Minute})
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, callers)
		for i := range callers {
			mine := t.Context()
			if i%3 == 0 {
				mine = ctx
			}
			go func() {
				done, err := l.Permit(mine, time.Hour)
				if err == nil {
					s.call()
					done(t.Context(), true)
				}
				results <- err
			}()
		}
		synctest.Wait()
		cancel()
		gaveUp := 0
		for range callers {
			if err := <-results; err != nil {
				require.ErrorIs(t, err, context.Canceled)
				gaveUp++
			}
		}
		assert.Zero(t, s.refused)
		assert.Equal(t, callers, s.reached+gaveUp)
		assert.GreaterOrEqual(t, gaveUp, callers/3-n)
	})
}
