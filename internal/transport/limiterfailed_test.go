package transport

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// brokenLimiter answers with what it has.
type brokenLimiter struct {
	countingLimiter
	done  func(context.Context, bool) error
	err   error
	after error // of everything after a permit
}

func (l *brokenLimiter) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	return l.done, l.err
}
func (l *brokenLimiter) Hold(context.Context, time.Time) error         { return l.after }
func (l *brokenLimiter) Tighten(context.Context, int, time.Time) error { return l.after }

// TestLimiterFails: nothing is sent, and the error says that it was the limiter, of
// which service.
func TestLimiterFails(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		is     error
		isNot  error
		saying string
	}{
		"an error":           {errors.New("no connection"), walletfi.ErrLimiter, walletfi.ErrRateLimited, "no connection"},
		"neither":            {nil, walletfi.ErrLimiter, walletfi.ErrRateLimited, "neither a slot nor an error"},
		"its own timeout":    {context.DeadlineExceeded, walletfi.ErrLimiter, context.DeadlineExceeded, "deadline"},
		"a refusal":          {&ratelimit.Error{ResetAt: time.Now()}, walletfi.ErrRateLimited, walletfi.ErrLimiter, "read"},
		"its own type of it": {&ratelimit.LimiterError{Service: "other", Cause: errors.New("x")}, walletfi.ErrLimiter, walletfi.ErrRateLimited, "other"},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(reply(200, success))
			client := clientOf(t, service, func(cfg *Config) {
				cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return &brokenLimiter{err: c.err} }
			})
			call := callOf(Read)
			call.Class = "read"
			_, err := Do[result](t.Context(), client, call, nil)
			require.ErrorIs(t, err, c.is)
			require.NotErrorIs(t, err, c.isNot)
			require.ErrorContains(t, err, c.saying)
			require.Empty(t, service.requests())
		})
	}
}

// TestLimiterFailsAfterwards: a limiter that does not hear of the answer costs the
// call nothing, and is logged.
func TestLimiterFailsAfterwards(t *testing.T) {
	var log bytes.Buffer
	broken := errors.New("no connection")
	limiter := &brokenLimiter{after: broken, done: func(context.Context, bool) error { return broken }}
	client := clientOf(t, serve(reply(429, "", "Retry-After", "1", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1")), retries(0), limiter.use, func(cfg *Config) {
		cfg.Options.Logger = slog.New(slog.NewTextHandler(&log, nil))
		cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return limiter }
		cfg.RateHeaders = true
	})
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.NotErrorIs(t, err, walletfi.ErrLimiter)
	for _, doing := range []string{"release", "tighten", "hold"} {
		require.Contains(t, log.String(), `level=WARN msg="limiter failed" service=test class="" doing=`+doing+` error="no connection"`)
	}
}

// TestLimiterIsTold: the scope has all that a limiter must keep.
func TestLimiterIsTold(t *testing.T) {
	var told []ratelimit.Scope
	limits := map[string][]ratelimit.Budget{"read": {{Requests: 100, Per: time.Hour}, {Requests: 9, Per: time.Minute}}}
	client := clientOf(t, serve(reply(200, success)), func(cfg *Config) {
		cfg.Tier, cfg.Limits = "pro", limits
		cfg.Options.Limiter = func(s ratelimit.Scope) ratelimit.Limiter {
			told = append(told, s)
			return nil
		}
		cfg.Options.LimiterFallback = ratelimit.Fallback{Processes: 3, Part: 0.5}
	})
	want := ratelimit.Scope{Service: client.service, Class: "read", Tier: "pro", Budgets: []ratelimit.Budget{{Requests: 52, Per: time.Hour}, {Requests: 6, Per: time.Minute}}}
	require.Equal(t, []ratelimit.Scope{want}, told, "without what the fallback sets aside")
	require.Equal(t, 9, limits["read"][1].Requests)
}

func TestFallbackIsChecked(t *testing.T) {
	cfg := Config{Service: "test", BaseURL: "https://a.test"}
	cfg.Options.LimiterFallback.Processes = -1
	_, err := New(cfg)
	wiretest.Refused(t, err, "limiterFallback.processes")
}

// TestLimiterThatReturnsBoth: an error is an error, whatever comes with it.
func TestLimiterThatReturnsBoth(t *testing.T) {
	service, given := serve(reply(200, success)), 0
	both := &brokenLimiter{err: errors.New("no connection"), done: func(context.Context, bool) error { given++; return nil }}
	client := clientOf(t, service, func(cfg *Config) {
		cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return both }
	})
	require.ErrorIs(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)), walletfi.ErrLimiter)
	require.Empty(t, service.requests())
	require.Zero(t, given)
}

// TestLimiterIsToldOfPatience: how long a call would wait for a slot.
func TestLimiterIsToldOfPatience(t *testing.T) {
	for name, c := range map[string]struct{ most, want *time.Duration }{
		"standard": {nil, new(2 * time.Minute)}, "none": {new(time.Duration(0)), new(time.Duration(0))},
		"negative": {new(-time.Hour), new(time.Duration(0))}, "an hour": {new(time.Hour), new(time.Hour)},
	} {
		limiter := &countingLimiter{}
		client := clientOf(t, serve(reply(200, success)), limiter.use, func(cfg *Config) { cfg.Options.MaxQueueWait = c.most })
		require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
		require.Equal(t, []time.Duration{*c.want}, limiter.patience, name)
	}
}

// TestSharedLimiter: what a service that is no client asks the options for.
func TestSharedLimiter(t *testing.T) {
	scope := ratelimit.Scope{Service: "webhooks", Budgets: []ratelimit.Budget{{Requests: 10, Per: time.Minute}}}
	require.Nil(t, SharedLimiter(walletfi.Options{}, scope))
	var told []ratelimit.Scope
	limiter := &countingLimiter{}
	got := SharedLimiter(walletfi.Options{
		Limiter:         func(s ratelimit.Scope) ratelimit.Limiter { told = append(told, s); return limiter },
		LimiterFallback: ratelimit.Fallback{Processes: 2, Part: 0.5},
	}, scope)
	require.Len(t, told, 1)
	require.Equal(t, "webhooks", told[0].Service)
	require.Less(t, told[0].Budgets[0].Requests, 10, "the fallback has set some aside")
	done, err := got.Permit(t.Context(), time.Second)
	require.NoError(t, err)
	require.NoError(t, done(t.Context(), true))
	require.Equal(t, 1, limiter.sent)
}

// tracing is a limiter that notes what it finds in the context of each call.
type tracing struct{ traces map[string][]any }

func (l *tracing) note(ctx context.Context, what string) error {
	l.traces[what] = append(l.traces[what], ctx.Value(traceKey{}))
	return nil
}

func (l *tracing) Permit(ctx context.Context, _ time.Duration) (func(context.Context, bool) error, error) {
	return func(ctx context.Context, _ bool) error { return l.note(ctx, "done") }, l.note(ctx, "permit")
}
func (l *tracing) Hold(ctx context.Context, _ time.Time) error { return l.note(ctx, "hold") }
func (l *tracing) Tighten(ctx context.Context, _ int, _ time.Time) error {
	return l.note(ctx, "tighten")
}

// TestLimiterGetsTheCallsContext: at each step, so that what a shared limiter does is
// part of the call's trace; and so does who is asked before a repeat.
func TestLimiterGetsTheCallsContext(t *testing.T) {
	inBubble("", t, func(t *testing.T) {
		limiter := &tracing{map[string][]any{}}
		client := clientOf(t, serve(fail(reset), reply(429, "", "Retry-After", "1", "X-RateLimit-Remaining", "1", "X-RateLimit-Reset", "1"), reply(200, success)),
			func(cfg *Config) { cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return limiter } })
		call := callOf(Relay)
		call.BeforeRepeat = func(ctx context.Context) error { return limiter.note(ctx, "before a repeat") }
		_, err := Do[result](context.WithValue(t.Context(), traceKey{}, "one"), client, call, nil)
		require.NoError(t, err)
		one := any("one")
		require.Equal(t, map[string][]any{
			"permit": {one, one, one}, "done": {one, one, one}, "tighten": {one}, "hold": {one}, "before a repeat": {one, one},
		}, limiter.traces)
	})
}
