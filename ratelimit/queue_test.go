package ratelimit_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
