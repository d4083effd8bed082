package admit_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/wallet/internal/admit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// queueOf is a queue before something that can send rate times a second.
func queueOf(rate float64) *admit.Queue { return &admit.Queue{Rate: func() float64 { return rate }} }

const forever = time.Duration(1<<63 - 1)

// full has as many enter as may begin at a rate of 3: 3 x 10 / 1.5.
func full(t *testing.T) (*admit.Queue, func()) {
	q := queueOf(3)
	var leave func()
	for range 20 {
		var err error
		leave, err = q.Enter(t.Context(), 0)
		require.NoError(t, err)
	}
	return q, leave
}

// TestEnter: as many begin as can be sent in 10 s; the next waits until one leaves.
func TestEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, leave := full(t)
		entered := false
		go func() {
			leave, err := q.Enter(t.Context(), forever)
			entered = err == nil
			leave()
		}()
		synctest.Wait()
		require.False(t, entered)
		leave()
		synctest.Wait()
		require.True(t, entered)
	})
}

// TestRateBelowOne: one send in two seconds is a rate, too. It leaves room for 10 / 1.5 / 2, and the next.
func TestRateBelowOne(t *testing.T) {
	q, begun := queueOf(0.5), 0
	for range 10 {
		if _, err := q.Enter(t.Context(), 0); err == nil {
			begun++
		}
	}
	require.Equal(t, 4, begun)
}

// TestOddRates: what is no positive number holds nothing up, nor does it turning into one.
func TestOddRates(t *testing.T) {
	for _, rate := range []float64{0, -1, math.Inf(-1), math.NaN(), math.Inf(1)} {
		synctest.Test(t, func(t *testing.T) {
			q, begun := queueOf(rate), time.Now()
			for range 100 {
				_, err := q.Enter(t.Context(), 0)
				require.NoError(t, err)
			}
			q, leave := full(t)
			var odd atomic.Bool
			q.Rate = func() float64 {
				if odd.Load() {
					return rate
				}
				return 3
			}
			go func() {
				time.Sleep(time.Second)
				odd.Store(true)
				leave()
			}()
			_, err := q.Enter(t.Context(), forever)
			require.NoError(t, err)
			require.Equal(t, begun.Add(time.Second), time.Now())
		})
	}
}

// TestOrder: urgent ones first, then the nearest deadline, then the first; none of them twice.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, leave := full(t)
		var mu sync.Mutex
		var order []string
		enter := func(name string, ctx context.Context) {
			go func() {
				leave, err := q.Enter(ctx, forever)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					order = append(order, name)
					leave()
				}
			}()
			synctest.Wait()
		}
		until := func(d time.Duration) context.Context {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			t.Cleanup(cancel)
			return ctx
		}
		enter("without a deadline", t.Context())
		enter("late", until(time.Hour))
		enter("soon", until(time.Minute))
		enter("soon, second", until(time.Minute))
		enter("urgent, late", ratelimit.WithUrgent(until(2*time.Hour)))
		enter("urgent", ratelimit.WithUrgent(until(time.Hour)))
		gone, cancel := context.WithCancel(t.Context())
		enter("gone", gone)
		cancel()
		leave()
		synctest.Wait()
		require.Equal(t, []string{"urgent", "urgent, late", "soon", "soon, second", "late", "without a deadline"}, order)
	})
}

// TestRefusal: what cannot be carried in time is refused at once, with the time at which it could
// be; and at its turn, if by then too little time is left.
func TestRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, leave := full(t)
		begun := time.Now()
		short, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
		defer cancel()
		_, err := q.Enter(short, forever)
		limited, ok := errors.AsType[*ratelimit.Error](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, begun.Add(500*time.Millisecond), limited.ResetAt, "1.5 sends at 3 a second")
		_, err = q.Enter(t.Context(), 499*time.Millisecond)
		require.ErrorIs(t, err, ratelimit.ErrLimited)
		require.Equal(t, begun, time.Now())

		short, cancel = context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		var late error
		go func() { _, late = q.Enter(short, forever) }()
		time.Sleep(15 * time.Second)
		require.NoError(t, late)
		leave()
		synctest.Wait()
		require.ErrorIs(t, late, ratelimit.ErrLimited)
		leave, err = q.Enter(short, 0)
		require.NoError(t, err, "its turn is given to the next, and who need not wait needs no time")
		leave()
	})
}

// TestShortDeadline: one whose caller has little time waits for its turn as long as half of that is left.
func TestShortDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, leave := full(t)
		short, cancel := context.WithTimeout(t.Context(), 16*time.Second)
		defer cancel()
		err := errors.New("it waits")
		go func() { _, err = q.Enter(short, forever) }()
		time.Sleep(7900 * time.Millisecond)
		require.EqualError(t, err, "it waits")
		leave()
		synctest.Wait()
		require.NoError(t, err)
	})
}

// TestLanded: the more sends one takes, the fewer begin.
func TestLanded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := queueOf(3)
		for range 1000 {
			q.Landed(10)
		}
		entered := 0
		for range 20 {
			if _, err := q.Enter(t.Context(), 0); err == nil {
				entered++
			}
		}
		require.Equal(t, 4, entered, "at least so many")
	})
	free := queueOf(0)
	for range 1000 {
		_, err := free.Enter(t.Context(), 0)
		require.NoError(t, err)
	}
}
