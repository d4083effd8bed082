package transport

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
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
		{"the bound", 429, "900", 0, leastBound},
		{"a day", 429, "86400", 0, leastBound},
		{"292 years", 429, "9223372037", 0, leastBound},
		{"20 digits", 429, "99999999999999999999", 0, leastBound},
		{"1e400", 429, "1e400", 0, leastBound},
		{"past the deadline", 429, "30", 20 * time.Second, 30 * time.Second},
		{"an outage past the cap", 503, "600", 0, 10 * time.Minute},
		{"an outage past the bound", 503, "3600", 0, leastBound},
	} {
		inBubble(c.name, t, func(t *testing.T) {
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
	}
}

// TestLimitHoldsOthersBack: after a 429 nobody else asks before the reset, and
// a garbled header holds a client for a quarter of an hour.
func TestLimitHoldsOthersBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := serve(reply(429, "", "Retry-After", "99999999999999999999"), reply(200, success))
		client := clientOf(t, service)
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		_, err = Do[result](t.Context(), client, callOf(Read), nil)
		own := wiretest.As[*ratelimit.Error](t, err)
		assert.Equal(t, leastBound, time.Until(own.ResetAt))
		assert.Len(t, service.requests(), 1)
		advance(leastBound)
		assert.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
	})
}

// TestLimitByCode: a service that says by code and not by status that a limit
// refused the call.
func TestLimitByCode(t *testing.T) {
	service := serve(reply(400, withCode, "Retry-After", "600"))
	err := run(t, service, callOf(Create))
	failure := responseOf(t, err)
	assert.Equal(t, 10*time.Minute, failure.RetryAfter)
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
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
		}
		seen := service.requests()
		assert.Zero(t, seen[1].at.Sub(seen[0].at))
		assert.GreaterOrEqual(t, seen[2].at.Sub(seen[0].at), time.Minute)
	})
}

// TestWaitOfACutAnswer: a refusal of which the body is cut short states its wait all
// the same; a success of which it is states none.
func TestWaitOfACutAnswer(t *testing.T) {
	for status, want := range map[int]time.Duration{503: 7 * time.Second, 429: 7 * time.Second, 200: 0, 299: 0} {
		cut := func(r *http.Request) (*http.Response, error) {
			response, err := truncated(status, "{")(r)
			response.Header.Set("Retry-After", "7")
			return response, err
		}
		service := serve(cut, reply(200, success))
		require.NoError(t, run(t, service, callOf(Read)))
		seen := service.requests()
		require.Len(t, seen, 2)
		waited := seen[1].at.Sub(seen[0].at)
		require.GreaterOrEqual(t, waited, want, "%d", status)
		require.LessOrEqual(t, waited, want+250*time.Millisecond, "%d", status)
	}
}

// TestWaitInASuccess: a limit that is told by a code under 200 states its wait too, and
// after a 401 there is nothing to wait for.
func TestWaitInASuccess(t *testing.T) {
	for name, c := range map[string]struct {
		first step
		want  time.Duration
	}{
		"by code":                 {reply(200, withCode, "Retry-After", "5"), 5 * time.Second},
		"401":                     {reply(401, "", "Retry-After", "5"), 0},
		"401, and nothing stated": {reply(401, ""), 0},
	} {
		inBubble(name, t, func(t *testing.T) {
			rig := renewing(t)
			service := serve(c.first, reply(200, success))
			client := clientOf(t, service, accepting, func(cfg *Config) { cfg.Auth = rig.Tokens })
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
			seen := service.requests()
			require.Len(t, seen, 2)
			require.Equal(t, c.want, seen[1].at.Sub(seen[0].at))
		})
	}
}

// TestFailurePastTheCap: a failure that says that it lasts longer than we wait is a
// limit, too, and ends the call.
func TestFailurePastTheCap(t *testing.T) {
	for status, limited := range map[int]bool{500: true, 503: true, 408: true, 501: false} {
		service := serve(reply(status, "", "Retry-After", "3600"))
		err := run(t, service, callOf(Read))
		require.Len(t, service.requests(), 1)
		require.Equal(t, limited, errors.Is(err, walletfi.ErrRateLimited), "%d", status)
	}
}

// TestWhoStatesAWait: a 429 and a 503, final or not, tell when to come back. What
// states nothing does not, and a limit by code keeps what its status says.
func TestWhoStatesAWait(t *testing.T) {
	for name, c := range map[string]struct {
		step step
		want time.Duration // -1 for none
	}{
		"429":                {reply(429, "", "Retry-After", "70"), 70 * time.Second},
		"a final 429":        {reply(429, `{"error":{"code":"FINAL"}}`, "Retry-After", "70"), 70 * time.Second},
		"503":                {reply(503, "", "Retry-After", "70"), 70 * time.Second},
		"503, a reset":       {reply(503, "", "X-RateLimit-Reset", "946684870"), 60 * time.Second},
		"nothing stated":     {reply(503, ""), -1},
		"429 without a wait": {reply(429, ""), -1},
		"a wait of nothing":  {reply(429, "", "Retry-After", "0"), 0},
		"500":                {reply(500, "", "Retry-After", "70"), -1},
		"400":                {reply(400, "", "Retry-After", "70"), -1},
		"400 by code":        {reply(400, withCode, "Retry-After", "70"), 70 * time.Second},
		"a date in the past": {reply(429, "", "Retry-After", "Fri, 31 Dec 1999 23:59:00 GMT"), 0},
	} {
		inBubble(name, t, func(t *testing.T) {
			begun := time.Now()
			_, err := Do[result](t.Context(), clientOf(t, serve(c.step), retries(0)), callOf(Read), nil)
			failure := responseOf(t, err)
			if c.want < 0 {
				require.Zero(t, failure.RetryAfter)
				require.Zero(t, failure.ResetAt)
				return
			}
			require.Equal(t, c.want, failure.RetryAfter)
			require.Equal(t, begun.Add(c.want), failure.ResetAt)
		})
	}
}

// TestEnvelopeWithoutTheResponse: a service's own error need not carry the response;
// the limit holds the others back all the same.
func TestEnvelopeWithoutTheResponse(t *testing.T) {
	inBubble("", t, func(t *testing.T) {
		own, limiter := errors.New("slow down"), &countingLimiter{}
		client := clientOf(t, serve(reply(429, "", "Retry-After", "9")), retries(0), limiter.use, func(cfg *Config) {
			cfg.Envelope = func(*walletfi.ResponseError, http.Header, []byte) Verdict { return Verdict{Err: own} }
		})
		begun := time.Now()
		_, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.Equal(t, own, err)
		require.Equal(t, []time.Time{begun.Add(9 * time.Second)}, limiter.holds)
	})
}

// TestTightening: the limiter hears when what is left comes back, and now if that has
// passed. What no limit can mean counts until an urgent call may probe.
func TestTightening(t *testing.T) {
	for name, c := range map[string]struct {
		reset string
		want  time.Duration // -1 for none
	}{
		"soon": {"946684807", 7 * time.Second}, "passed": {"946684000", 0}, "now": {"946684800", 0},
		"a week": {"947289600", ratelimit.UrgentProbe}, "milliseconds": {"946684807000", 7 * time.Second}, "none": {"", -1}, "garbage": {"soon", -1},
	} {
		inBubble(name, t, func(t *testing.T) {
			limiter := &countingLimiter{}
			client := clientOf(t, serve(reply(200, success, "X-RateLimit-Remaining", "3", "X-RateLimit-Reset", c.reset)), limiter.use,
				func(cfg *Config) { cfg.RateHeaders = true })
			begun := time.Now()
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
			if c.want < 0 {
				require.Empty(t, limiter.tightened)
				return
			}
			require.Equal(t, []tightening{{3, begun.Add(c.want)}}, limiter.tightened)
		})
	}
}
