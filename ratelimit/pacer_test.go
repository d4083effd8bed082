package ratelimit_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestPacerFollowUpIsAnOrdinaryCallOfABudget(t *testing.T) {
	l := ratelimit.New(ratelimit.Budget{Requests: 1, Per: time.Hour})
	followUp := ratelimit.WithFollowUp(t.Context())
	assert.True(t, ratelimit.IsFollowUp(followUp))
	assert.False(t, ratelimit.IsFollowUp(t.Context()))
	done, err := l.Permit(followUp, 0)
	require.NoError(t, err)
	done(t.Context(), true)
	_, err = l.Permit(followUp, 0)
	assert.ErrorIs(t, err, walletfi.ErrRateLimited)
}

func TestPacerWithoutPause(t *testing.T) {
	for _, none := range []time.Duration{0, -time.Second} {
		p := ratelimit.NewPacer(none)
		for range 1000 {
			reserve(t, p)(t.Context(), true)
		}
		reserve(t, p)(t.Context(), false)
	}
}

// TestPacerAnySchedule: with callers that come, go and give up as they please,
// no two requests are closer than the pause.
func TestPacerAnySchedule(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			gap := 1 + upTo(rng, 3*time.Second)
			p, spaced := ratelimit.NewPacer(gap), &spacing{least: gap}
			s := newService(seed, spaced)
			s.shortest, s.longest = 0, 0 // the way must not change the distances
			var wait sync.WaitGroup
			for worker := range uint64(1 + rng.IntN(20)) {
				wait.Go(func() { wander(t.Context(), p, s, rand.New(rand.NewPCG(seed, 100+worker))) })
			}
			wait.Wait()
			require.Zero(t, s.refused, "seed %d", seed)
			require.Positive(t, s.reached)
		})
	}
}

// spacing refuses a request that comes sooner than least after the last.
type spacing struct {
	least time.Duration
	last  time.Time
}

func (s *spacing) accept(at time.Time) bool {
	ok := s.last.IsZero() || at.Sub(s.last) >= s.least
	s.last = at
	return ok
}
