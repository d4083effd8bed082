package transport

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// handClock is a clock whose waits end at once, unless it stands still. It draws the
// longest pause, and counts the calls that are at work.
type handClock struct {
	mu     sync.Mutex
	at     time.Time
	still  bool
	begun  chan struct{} // closed by the first wait of a clock that stands still
	pauses []time.Duration
	atWork int
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *handClock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pauses = append(c.pauses, d)
	if c.still {
		close(c.begun)
		return func() bool { return true }
	}
	c.at = c.at.Add(d)
	go f()
	return func() bool { return false }
}

func (c *handClock) Draw(bound time.Duration) time.Duration { return bound }

func (c *handClock) Work(_ string, calls int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.atWork += calls
}

func (c *handClock) use(cfg *Config) { cfg.Options.Clock = c }

// TestPausesOnAnotherClock: the pauses before repeats grow, or are what the service
// states, on the options' clock; no real time passes. The clock stands while an
// attempt is under way.
func TestPausesOnAnotherClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &handClock{at: time.Unix(1_000_000, 0)}
		var working []int
		noting := func(next step) step {
			return func(r *http.Request) (*http.Response, error) {
				c.mu.Lock()
				working = append(working, c.atWork)
				c.mu.Unlock()
				return next(r)
			}
		}
		service := serve(noting(reply(500, "")), noting(reply(500, "")), noting(reply(429, "", "Retry-After", "7")), noting(reply(200, success)))
		client := clientOf(t, service, c.use)
		require.Same(t, c, client.Clock())
		begun := time.Now()
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.NoError(t, err)
		// The last of the waits of 7 seconds is the limiter's, which was held.
		require.Equal(t, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, 7 * time.Second}, c.pauses[:3])
		require.Equal(t, []int{1, 1, 1, 1}, working)
		require.Zero(t, c.atWork)
		require.Zero(t, time.Since(begun), "in real time")
		require.Nil(t, clientOf(t, service).Clock())
	})
}

// TestEndInAPauseOnAnotherClock: a call that is cancelled in the pause is not sent
// again, whatever the limiter.
func TestEndInAPauseOnAnotherClock(t *testing.T) {
	c := &handClock{still: true, begun: make(chan struct{})}
	limiter := &countingLimiter{}
	service := serve(reply(500, ""), reply(200, success))
	client := clientOf(t, service, c.use, limiter.use)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-c.begun
		cancel()
	}()
	_, err := Do[result](ctx, client, callOf(Read), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, walletfi.ErrUnavailable, "what was before that")
	require.Len(t, service.requests(), 1)
	require.Equal(t, 1, limiter.permits)
}

// TestEndedContextAsksForNoSlot: nor is anything sent.
func TestEndedContextAsksForNoSlot(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	limiter := &countingLimiter{}
	service := serve(reply(200, success))
	_, err := Do[result](ctx, clientOf(t, service, limiter.use), callOf(Create), nil)
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, err.Error(), "before that", "nothing was")
	require.Zero(t, limiter.permits)
	require.Empty(t, service.requests())
}
