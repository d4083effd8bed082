package ratelimit_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// every is the pause of the tests. A bucket's fractions of a token are not exact
// for it.
const every = 1 << 30 * time.Nanosecond

func TestPacerLetsOneThroughEverySoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, ratelimit.NewPacer(every))
		for _, name := range []string{"a", "b", "c"} {
			q.call(t.Context(), name, time.Minute)
		}
		assert.Equal(t, outcome{"a", nil, 0}, q.next())
		assert.Equal(t, outcome{"b", nil, every}, q.next())
		assert.Equal(t, outcome{"c", nil, 2 * every}, q.next())
		pause(100 * every) // idleness saves nothing up
		reserve(t, q.l)(t.Context(), true)
		requireRefused(t, q.l, every)
	})
}

// TestPacerCountsFromTheRequest: the pause runs while the request is under way.
func TestPacerCountsFromTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := ratelimit.NewPacer(every)
		slow := reserve(t, p)
		pause(every)
		reserve(t, p)(t.Context(), true)
		slow(t.Context(), true)
		requireRefused(t, p, every)
	})
}

func TestPacerRefusesAWaitThatIsForeseenTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, ratelimit.NewPacer(every))
		reserve(t, q.l)(t.Context(), true)
		_, err := q.l.Permit(t.Context(), every-1)
		limited := wiretest.As[*ratelimit.Error](t, err)
		assert.Equal(t, ratelimit.Error{ResetAt: q.began.Add(every)}, *limited)
		q.call(t.Context(), "a", every)
		q.call(t.Context(), "b", 2*every)
		requireRefused(t, q.l, 3*every)
		ctx, cancel := context.WithTimeout(t.Context(), 3*every)
		defer cancel()
		_, err = q.l.Permit(ctx, time.Hour)
		assert.ErrorIs(t, err, walletfi.ErrRateLimited)
		assert.Zero(t, time.Since(q.began))
		assert.NoError(t, q.next().err)
		assert.NoError(t, q.next().err)
	})
}

func TestPacerServesUrgentFirstAndLosesNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, ratelimit.NewPacer(every))
		reserve(t, q.l)(t.Context(), true)
		ctx, cancel := context.WithCancel(t.Context())
		q.call(ctx, "gone", time.Minute)
		q.call(t.Context(), "read", time.Minute)
		q.call(ratelimit.WithUrgent(t.Context()), "close", time.Minute)
		cancel()
		gone := q.next()
		assert.ErrorIs(t, gone.err, context.Canceled)
		assert.Zero(t, gone.at)
		assert.Equal(t, outcome{"close", nil, every}, q.next())
		assert.Equal(t, outcome{"read", nil, 2 * every}, q.next())
	})
}

func TestPacerUnsentGivesTheTurnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := ratelimit.NewPacer(every)
		reserve(t, p)(t.Context(), false)
		unsent := reserve(t, p)
		requireRefused(t, p, every)
		pause(every)
		later := reserve(t, p)
		unsent(t.Context(), false) // another went since: its pause stands
		requireRefused(t, p, every)
		later(t.Context(), false)
		reserve(t, p)(t.Context(), true)
		requireRefused(t, p, every)
	})
}

// TestPacerFollowUp: a follow-up goes without a pause, and the next call waits
// twice as long.
func TestPacerFollowUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, followUp := newCallers(t, ratelimit.NewPacer(every)), ratelimit.WithFollowUp(t.Context())
		reserve(t, q.l)(t.Context(), true)
		pause(every / 4)
		done, err := q.l.Permit(followUp, 0)
		require.NoError(t, err)
		done(t.Context(), true)
		assert.Equal(t, every/4, time.Since(q.began))
		requireRefused(t, q.l, 2*every-every/4)
		q.call(t.Context(), "next", time.Minute)
		assert.Equal(t, outcome{"next", nil, 2 * every}, q.next())
		q.l.Hold(t.Context(), time.Now().Add(5*every))
		_, err = q.l.Permit(followUp, every)
		require.ErrorIs(t, err, walletfi.ErrRateLimited, "a hold is obeyed")
		q.call(followUp, "held", 5*every)
		assert.Equal(t, outcome{"held", nil, 7 * every}, q.next())
	})
}

// TestPacerFollowUpWakesBeforeTheQueue: a follow-up that a hold delayed goes when
// the hold ends, although the others still wait for the pause.
func TestPacerFollowUpWakesBeforeTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newCallers(t, ratelimit.NewPacer(every))
		reserve(t, q.l)(t.Context(), true)
		q.call(t.Context(), "ordinary", time.Minute)
		q.l.Hold(t.Context(), time.Now().Add(every/2))
		q.call(ratelimit.WithFollowUp(t.Context()), "follow-up", time.Minute)
		assert.Equal(t, outcome{"follow-up", nil, every / 2}, q.next())
		assert.Equal(t, outcome{"ordinary", nil, 2 * every}, q.next())
	})
}

// TestPacerPairThatWasNeverSent: two requests that were not sent leave no debt.
func TestPacerPairThatWasNeverSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := ratelimit.NewPacer(every)
		quote := reserve(t, p)
		build, err := p.Permit(ratelimit.WithFollowUp(t.Context()), 0)
		require.NoError(t, err)
		quote(t.Context(), false)
		requireRefused(t, p, every)
		build(t.Context(), false)
		reserve(t, p)(t.Context(), true)
	})
}

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
