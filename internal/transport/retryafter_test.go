package transport

import (
	"context"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestServerWait(t *testing.T) {
	const floor = 250 * time.Millisecond
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	stamp := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	unix := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	for _, c := range []struct {
		name   string
		header map[string]string
		wait   time.Duration
		known  bool
	}{
		{"nothing", nil, 0, false},
		{"seconds", map[string]string{"Retry-After": "7"}, 7 * time.Second, true},
		{"zero", map[string]string{"Retry-After": "0"}, 0, true},
		{"blanks", map[string]string{"Retry-After": " 7 "}, 7 * time.Second, true},
		{"a fraction is rounded up", map[string]string{"Retry-After": "1.2"}, 2 * time.Second, true},
		{"a small fraction", map[string]string{"Retry-After": "0.001"}, time.Second, true},
		{"a day", map[string]string{"Retry-After": "86400"}, 24 * time.Hour, true},
		{"negative", map[string]string{"Retry-After": "-5"}, 0, false},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0, false},
		{"infinity", map[string]string{"Retry-After": "Inf"}, far, true},
		{"minus infinity", map[string]string{"Retry-After": "-1e400"}, 0, false},
		{"beyond a float", map[string]string{"Retry-After": "1e400"}, far, true},
		{"beyond a duration", map[string]string{"Retry-After": "9223372037"}, far, true},
		{"20 digits", map[string]string{"Retry-After": "99999999999999999999"}, far, true},
		{"words", map[string]string{"Retry-After": "soon"}, 0, false},
		{"a date", map[string]string{"Retry-After": stamp(90 * time.Second)}, 90 * time.Second, true},
		{"a date in the past", map[string]string{"Retry-After": stamp(-time.Hour)}, floor, true},
		{"a date by the service's clock", map[string]string{"Retry-After": stamp(10*time.Minute + 5*time.Second), "Date": stamp(10 * time.Minute)}, 5 * time.Second, true},
		{"reset in the future", map[string]string{"X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"reset under its other name", map[string]string{"x-rate-limit-reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"reset in the past", map[string]string{"X-RateLimit-Reset": unix(-time.Minute)}, floor, true},
		{"reset in the past by the service's clock", map[string]string{"X-RateLimit-Reset": unix(time.Minute), "Date": stamp(2 * time.Minute)}, floor, true},
		{"clock 10 minutes behind, Date", map[string]string{"X-RateLimit-Reset": unix(10*time.Minute + 20*time.Second), "Date": stamp(10 * time.Minute)}, 20 * time.Second, true},
		{"clock 10 minutes behind, no Date", map[string]string{"X-RateLimit-Reset": unix(10*time.Minute + 20*time.Second)}, 10*time.Minute + 20*time.Second, true},
		{"clock 10 minutes ahead, Date", map[string]string{"X-RateLimit-Reset": unix(-10*time.Minute + 20*time.Second), "Date": stamp(-10 * time.Minute)}, 20 * time.Second, true},
		{"clock 10 minutes ahead, no Date", map[string]string{"X-RateLimit-Reset": unix(-10*time.Minute + 20*time.Second)}, floor, true},
		{"a Date that is none", map[string]string{"X-RateLimit-Reset": unix(20 * time.Second), "Date": "yesterday"}, 20 * time.Second, true},
		{"reset of 20 digits", map[string]string{"X-RateLimit-Reset": "99999999999999999999"}, far, true},
		{"reset that is garbage", map[string]string{"X-RateLimit-Reset": "x"}, 0, false},
		{"both, the longer", map[string]string{"Retry-After": "5", "X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
		{"both, one garbled", map[string]string{"Retry-After": "NaN", "X-RateLimit-Reset": unix(30 * time.Second)}, 30 * time.Second, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			for name, value := range c.header {
				h.Set(name, value)
			}
			wait, known := serverWait(h, now, floor)
			assert.Equal(t, c.wait, wait)
			assert.Equal(t, c.known, known)
		})
	}
}

func FuzzServerWait(f *testing.F) {
	for _, text := range []string{"", "1", "-1", "1e400", "9223372037", "NaN", "Mon, 02 Jan 2006 15:04:05 GMT", "0x1p-2", "1_0"} {
		f.Add(text, text, text)
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, after, reset, date string) {
		h := http.Header{"Retry-After": {after}, "X-Ratelimit-Reset": {reset}, "Date": {date}}
		wait, known := serverWait(h, now, time.Second)
		if wait < 0 || wait > far || !known && wait != 0 {
			t.Fatal(wait, known)
		}
		if now.Add(wait).Before(now) {
			t.Fatal("a time that wrapped")
		}
	})
}

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
		{"292 years", 429, "9223372037", 0, far},
		{"20 digits", 429, "99999999999999999999", 0, far},
		{"1e400", 429, "1e400", 0, far},
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
