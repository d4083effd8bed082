package ratelimit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestLimiterIsExact saturates 60 a minute for ten minutes, 300 times, against
// services that count in fixed and in sliding windows: no service may refuse,
// and the budget must be used.
func TestLimiterIsExact(t *testing.T) {
	const n, minutes = 60, 10
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			phase := time.Duration(rng.Int64N(int64(time.Minute)))
			s := newService(seed,
				&slidingLog{requests: n, per: time.Minute},
				&fixedWindow{requests: n, per: time.Minute, first: time.Now().Add(-phase)})
			ctx, cancel := context.WithTimeout(t.Context(), minutes*time.Minute)
			defer cancel()
			saturate(ctx, ratelimit.New(ratelimit.Budget{Requests: n, Per: time.Minute}), s, n+rng.IntN(n))
			require.Zero(t, s.refused, "seed %d", seed)
			require.GreaterOrEqual(t, float64(s.reached), 0.995*n*minutes, "seed %d", seed)
		})
	}
}

// TestLimiterOverADay: over a day a slot costs its window and the latency of its
// request, and at most 2 % more.
func TestLimiterOverADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, day = 60, 24 * time.Hour
		s := newService(24, &slidingLog{requests: n, per: time.Minute},
			&fixedWindow{requests: n, per: time.Minute, first: time.Now()})
		ctx, cancel := context.WithTimeout(t.Context(), day)
		defer cancel()
		saturate(ctx, ratelimit.New(ratelimit.Budget{Requests: n, Per: time.Minute}), s, n)
		require.Zero(t, s.refused)
		mean := s.latency.Seconds() / float64(s.reached)
		possible := n * day.Minutes() * 60 / (60 + mean)
		t.Logf("%d requests, mean latency %.3f s, %.4f of what is possible", s.reached, mean, float64(s.reached)/possible)
		require.GreaterOrEqual(t, float64(s.reached), 0.98*possible)
	})
}

// TestLimiterTwoBudgets keeps to both at once, whichever is the tighter.
func TestLimiterTwoBudgets(t *testing.T) {
	for name, test := range map[string]struct {
		short, long int // a minute, an hour
		want        int // in three hours, at least
	}{
		"the hour is the tighter":   {short: 60, long: 500, want: 1490},
		"the minute is the tighter": {short: 5, long: 1000, want: 880},
		"both bite":                 {short: 10, long: 590, want: 1740},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(2, &slidingLog{requests: test.short, per: time.Minute}, &slidingLog{requests: test.long, per: time.Hour})
				ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
				defer cancel()
				saturate(ctx, ratelimit.New(
					ratelimit.Budget{Requests: test.short, Per: time.Minute},
					ratelimit.Budget{Requests: test.long, Per: time.Hour}), s, 20)
				assert.Zero(t, s.refused)
				assert.GreaterOrEqual(t, s.reached, test.want)
			})
		})
	}
}

// TestLimiterAnySchedule lets callers come and go as they please: bursts,
// pauses, cancellations, short waits, urgent calls, requests that are never
// sent. The service must refuse no request, and the number of slots must hold.
func TestLimiterAnySchedule(t *testing.T) {
	for seed := range uint64(150) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { anySchedule(t, seed) })
		})
	}
}

func anySchedule(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var budgets []ratelimit.Budget
	var judges []judge
	fewest := 1 << 30
	for range 1 + rng.IntN(3) {
		b := ratelimit.Budget{Requests: 1 + rng.IntN(40), Per: 1 + time.Duration(rng.Int64N(int64(2*time.Minute)))}
		budgets = append(budgets, b)
		judges = append(judges, &slidingLog{requests: b.Requests, per: b.Per},
			&fixedWindow{requests: b.Requests, per: b.Per, first: time.Now().Add(-time.Duration(rng.Int64N(int64(b.Per))))})
		fewest = min(fewest, b.Requests)
	}
	l, s := ratelimit.New(budgets...), newService(seed, judges...)
	var wait sync.WaitGroup
	for worker := range uint64(1 + rng.IntN(60)) {
		wait.Go(func() { wander(t.Context(), l, s, rand.New(rand.NewPCG(seed, 100+worker))) })
	}
	wait.Wait()
	assert.Zero(t, s.refused, "%v", budgets)
	assert.Positive(t, s.reached)
	pause(3 * time.Minute)
	requireFree(t, l, fewest)
}

// wander makes some calls of every kind.
func wander(ctx context.Context, l ratelimit.Limiter, s *service, rng *rand.Rand) {
	for range 30 {
		if rng.IntN(3) == 0 {
			pause(upTo(rng, 20*time.Second))
		}
		wanderOnce(ctx, l, s, rng)
	}
}

func wanderOnce(ctx context.Context, l ratelimit.Limiter, s *service, rng *rand.Rand) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	switch rng.IntN(5) {
	case 0:
		defer time.AfterFunc(upTo(rng, time.Minute), cancel).Stop()
	case 1:
		ctx, cancel = context.WithTimeout(ctx, upTo(rng, 2*time.Minute))
		defer cancel()
	case 2:
		ctx = ratelimit.WithUrgent(ctx)
	}
	done, err := l.Permit(ctx, upTo(rng, 5*time.Minute))
	switch {
	case err != nil:
	case rng.IntN(6) == 0:
		pause(upTo(rng, time.Second))
		done(ctx, false)
	default:
		s.call()
		done(ctx, true)
	}
}

func upTo(rng *rand.Rand, d time.Duration) time.Duration { return time.Duration(rng.Int64N(int64(d))) }

// TestLimiterMemory bounds the memory of a budget of 100,000 a day after all of
// it was used.
func TestLimiterMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 100_000
		before := heap()
		l := ratelimit.New(ratelimit.Budget{Requests: n, Per: 24 * time.Hour})
		var workers sync.WaitGroup
		for range 50 {
			workers.Go(func() {
				for range n / 50 {
					done, err := l.Permit(t.Context(), 0)
					if err != nil {
						t.Error(err)
						return
					}
					pause(40 * time.Second) // 2,000 times: most of the day
					done(t.Context(), true)
				}
			})
		}
		workers.Wait()
		used := heap() - before
		t.Logf("%d bytes", used)
		assert.Less(t, used, int64(100_000))
		_, err := l.Permit(t.Context(), 0)
		assert.ErrorIs(t, err, walletfi.ErrRateLimited, "the day's budget is used up")
	})
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
