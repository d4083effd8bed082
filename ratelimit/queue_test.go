package ratelimit_test

import (
	"context"
	"errors"
	"sync"
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

// TestLimiterCancelInTheMomentOfTheSlot: whichever comes first, the slot is not
// lost.
func TestLimiterCancelInTheMomentOfTheSlot(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			l, began := single(t), time.Now()
			var calls sync.WaitGroup
			call := func(ctx context.Context, err *error, at *time.Duration) {
				calls.Go(func() {
					var done func(context.Context, bool) error
					done, *err = l.Permit(ctx, 10*per)
					if *at = time.Since(began); *err == nil {
						done(ctx, true)
					}
				})
				synctest.Wait()
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(per+time.Second, cancel)
			var first, second error
			var firstAt, secondAt time.Duration
			call(ctx, &first, &firstAt)
			call(t.Context(), &second, &secondAt)
			calls.Wait()
			require.NoError(t, second)
			assert.Equal(t, per+time.Second, firstAt)
			if first == nil {
				assert.Equal(t, 2*(per+time.Second), secondAt)
				return
			}
			assert.ErrorIs(t, first, context.Canceled)
			assert.Equal(t, per+time.Second, secondAt)
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
