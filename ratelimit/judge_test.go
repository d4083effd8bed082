package ratelimit_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pause waits on the clock of the test's bubble.
func pause(d time.Duration) { <-time.After(d) }

// judge counts requests as a service does.
type judge interface{ accept(at time.Time) bool }

// slidingLog refuses a request if so many others came in the window that ends
// with it, both ends included.
type slidingLog struct {
	requests int
	per      time.Duration
	log      []time.Time
}

func (j *slidingLog) accept(at time.Time) bool {
	for len(j.log) > 0 && at.Sub(j.log[0]) > j.per {
		j.log = j.log[1:]
	}
	j.log = append(j.log, at)
	return len(j.log) <= j.requests
}

// fixedWindow counts from zero at each multiple of per after its first instant.
type fixedWindow struct {
	requests int
	per      time.Duration
	first    time.Time
	window   int64
	count    int
}

func (j *fixedWindow) accept(at time.Time) bool {
	if w := int64(at.Sub(j.first) / j.per); w != j.window {
		j.window, j.count = w, 0
	}
	j.count++
	return j.count <= j.requests
}

// service answers after a latency. The request reaches its judges at a random
// moment of that latency.
type service struct {
	mu                sync.Mutex
	rng               *rand.Rand
	shortest, longest time.Duration
	judges            []judge
	reached           int
	refused           int
	latency           time.Duration // summed over all requests
}

func newService(seed uint64, judges ...judge) *service {
	return &service{
		rng: rand.New(rand.NewPCG(seed, 1)), judges: judges,
		shortest: 30 * time.Millisecond, longest: 1030 * time.Millisecond,
	}
}

func (s *service) call() {
	s.mu.Lock()
	latency := s.shortest + time.Duration(s.rng.Int64N(int64(s.longest-s.shortest+1)))
	way := time.Duration(s.rng.Int64N(int64(latency + 1)))
	s.mu.Unlock()
	pause(way)
	s.arrive(latency)
	pause(latency - way)
}

func (s *service) arrive(latency time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reached++
	s.latency += latency
	for _, j := range s.judges {
		if !j.accept(time.Now()) {
			s.refused++
		}
	}
}

// saturate calls the service from so many workers until no slot comes free
// before ctx ends.
func saturate(ctx context.Context, l ratelimit.Limiter, s *service, workers int) {
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for {
				done, err := l.Permit(ctx, 24*time.Hour)
				if err != nil {
					return
				}
				s.call()
				done(ctx, true)
			}
		})
	}
	wait.Wait()
}

// requireFree requires that exactly n slots are free.
func requireFree(t *testing.T, l ratelimit.Limiter, n int) {
	t.Helper()
	for i := range n {
		done, err := l.Permit(t.Context(), 0)
		require.NoError(t, err, "slot %d of %d", i+1, n)
		defer done(t.Context(), false)
	}
	require.ErrorIs(t, wiretest.Error(l.Permit(t.Context(), 0)), walletfi.ErrRateLimited)
}

// reserve gets a slot that must be free.
func reserve(t *testing.T, l ratelimit.Limiter) func(context.Context, bool) error {
	t.Helper()
	done, err := l.Permit(t.Context(), 0)
	require.NoError(t, err)
	return done
}

// requireRefused requires that no slot is free now, and that the error says when
// a slot will be free, so long from now.
func requireRefused(t *testing.T, l ratelimit.Limiter, in time.Duration) {
	t.Helper()
	_, err := l.Permit(t.Context(), 0)
	limited := wiretest.As[*ratelimit.Error](t, err)
	require.Equal(t, in, time.Until(limited.ResetAt))
}
