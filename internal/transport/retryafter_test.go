package transport

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestWaitsAreObeyed measures, on a virtual clock, when the repeat is sent.
func TestWaitsAreObeyed(t *testing.T) {
	for _, c := range []struct {
		name            string
		step            step
		atLeast, atMost time.Duration
	}{
		{"429", reply(429, "", "Retry-After", "7"), 7 * time.Second, 7 * time.Second},
		{"503", reply(503, "", "Retry-After", "7"), 7 * time.Second, 7 * time.Second},
		{"a fraction", reply(429, "", "Retry-After", "0.3"), time.Second, time.Second},
		{"the cap itself", reply(429, "", "Retry-After", "60"), time.Minute, time.Minute},
		{"negative: our own backoff", reply(503, "", "Retry-After", "-7"), 0, 250 * time.Millisecond},
		{"NaN: our own backoff", reply(429, "", "Retry-After", "NaN"), 0, 250 * time.Millisecond},
		{"500: nobody obeys what it says", reply(500, ""), 0, 250 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := serve(c.step, reply(200, success))
			require.NoError(t, run(t, service, callOf(Read)))
			seen := service.requests()
			require.Len(t, seen, 2)
			waited := seen[1].at.Sub(seen[0].at)
			assert.GreaterOrEqual(t, waited, c.atLeast)
			assert.LessOrEqual(t, waited, c.atMost)
		})
	}
}

// TestWaitsTooLong: a wait past the cap or the deadline is an error at once,
// with the time at which to come back.
func TestWaitsTooLong(t *testing.T) {
	for _, c := range []struct {
		name     string
		status   int
		after    string
		deadline time.Duration
		reset    time.Duration
	}{
		{"past the cap", 429, "61", 0, 61 * time.Second},
		{"a day", 429, "86400", 0, 24 * time.Hour},
		{"292 years", 429, "9223372037", 0, maxHold},
		{"20 digits", 429, "99999999999999999999", 0, maxHold},
		{"1e400", 429, "1e400", 0, maxHold},
		{"past the deadline", 429, "30", 20 * time.Second, 30 * time.Second},
		{"an outage past the cap", 503, "3600", 0, time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, c.deadline)
					defer cancel()
				}
				service := serve(reply(c.status, "", "Retry-After", c.after))
				begun := time.Now()
				_, err := Do[result](ctx, clientOf(t, service), callOf(Read), nil)
				assert.Zero(t, time.Since(begun), "at once")
				assert.ErrorIs(t, err, walletfi.ErrRateLimited)
				failure := responseOf(t, err)
				assert.Equal(t, c.reset, failure.RetryAfter)
				assert.Equal(t, begun.Add(c.reset), failure.ResetAt)
				assert.Len(t, service.requests(), 1)
				assert.Equal(t, c.status == 503, err != nil && responseOf(t, err).Kind == walletfi.ErrUnavailable)
			})
		})
	}
}

// TestLimitHoldsOthersBack: after a 429 nobody else asks before the reset, and
// a garbled header holds a client for a day at most.
func TestLimitHoldsOthersBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := serve(reply(429, "", "Retry-After", "99999999999999999999"), reply(200, success))
		client := clientOf(t, service)
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		_, err = Do[result](t.Context(), client, callOf(Read), nil)
		var own *ratelimit.Error
		require.ErrorAs(t, err, &own)
		assert.Equal(t, 24*time.Hour, time.Until(own.ResetAt))
		assert.Len(t, service.requests(), 1)
		advance(24 * time.Hour)
		_, err = Do[result](t.Context(), client, callOf(Read), nil)
		assert.NoError(t, err)
	})
}

// TestLimitByCode: a service that says by code and not by status that a limit
// refused the call.
func TestLimitByCode(t *testing.T) {
	service := serve(reply(400, withCode, "Retry-After", "3600"))
	err := run(t, service, callOf(Create))
	failure := responseOf(t, err)
	assert.Equal(t, time.Hour, failure.RetryAfter)
	assert.False(t, failure.ResetAt.IsZero())
	assert.Len(t, service.requests(), 1)

	service = serve(reply(400, withCode, "Retry-After", "3"), reply(200, success))
	require.NoError(t, run(t, service, callOf(Create)))
	assert.Len(t, service.requests(), 2)
}

// TestRemainingTightens: what the service counts binds the next calls.
func TestRemainingTightens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inAMinute := strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10)
		service := serve(reply(200, success, "X-RateLimit-Remaining", "1", "X-RateLimit-Reset", inAMinute), reply(200, success))
		client := clientOf(t, service)
		for range 3 {
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			require.NoError(t, err)
		}
		seen := service.requests()
		assert.Zero(t, seen[1].at.Sub(seen[0].at))
		assert.GreaterOrEqual(t, seen[2].at.Sub(seen[0].at), time.Minute)
	})
}
