package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestWithoutRetry(t *testing.T) {
	service := serve(reply(500, ""))
	err := run(t, service, callOf(Read), walletfi.WithoutRetry())
	assert.Len(t, service.requests(), 1)
	assert.Equal(t, 1, responseOf(t, err).Attempts)
}

// TestWithoutRetryRenews: a token that is renewed is no retry.
func TestWithoutRetryRenews(t *testing.T) {
	for name, c := range map[string]struct {
		steps    []step
		limit    int
		attempts int
		failed   bool
	}{
		"renewed":                   {[]step{reply(401, ""), reply(200, success)}, 0, 2, false},
		"401 again is final":        {[]step{reply(401, "")}, 3, 2, true},
		"not where the code says":   {[]step{reply(401, `{"error":{"code":"SESSION_EXPIRED","message":"m"}}`)}, 3, 1, true},
		"retries are still granted": {[]step{reply(401, ""), reply(500, ""), reply(500, ""), reply(200, success)}, 2, 4, false},
		"and counted":               {[]step{reply(401, ""), reply(500, "")}, 2, 4, true},
	} {
		inBubble(name, t, func(t *testing.T) {
			rig := renewing(t)
			service := serve(c.steps...)
			limiter := &countingLimiter{}
			client := clientOf(t, service, retries(c.limit), limiter.use, func(cfg *Config) { cfg.Auth = rig.Tokens })
			_, err := Do[result](t.Context(), client, callOf(Build), nil)
			assert.Equal(t, c.failed, err != nil, "%v", err)
			seen := service.requests()
			require.Len(t, seen, c.attempts)
			assert.Equal(t, "Bearer a0", seen[0].header.Get("Authorization"))
			if len(seen) > 1 {
				assert.Equal(t, "Bearer a1", seen[1].header.Get("Authorization"))
				assert.Equal(t, seen[0].body, seen[1].body, "the body goes along again")
			}
			assert.Equal(t, len(seen), limiter.permits, "each takes a slot")
		})
	}
}

func TestWithTimeout(t *testing.T) {
	for name, c := range map[string]struct {
		option, minimum, want time.Duration
	}{
		"of the call":             {4 * time.Second, 0, 4 * time.Second},
		"stretched":               {4 * time.Second, 90 * time.Second, 90 * time.Second},
		"of the client":           {0, 0, 30 * time.Second},
		"of the client stretched": {0, 45 * time.Second, 45 * time.Second},
	} {
		inBubble(name, t, func(t *testing.T) {
			call := callOf(Read)
			call.MinTimeout = c.minimum
			begun := time.Now()
			_, err := Do[result](t.Context(), clientOf(t, serve(stall), retries(0)), call,
				[]walletfi.CallOption{walletfi.WithTimeout(c.option)})
			assert.ErrorIs(t, err, walletfi.ErrUnavailable)
			assert.ErrorContains(t, err, "no answer within "+c.want.String())
			assert.Equal(t, c.want, time.Since(begun))
		})
	}
	inBubble("none", t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		client := clientOf(t, serve(stall), func(cfg *Config) { cfg.Options.Timeout = -1 })
		assert.ErrorIs(t, wiretest.Error(Do[result](ctx, client, callOf(Read), nil)), context.DeadlineExceeded)
	})
}

func TestWithHeader(t *testing.T) {
	service := serve(reply(200, success))
	client := clientOf(t, service, func(cfg *Config) {
		deployed(deployment.Service{Headers: map[string]string{"x-demo-api-key": "X-Brand-Secret"}})(cfg)
		cfg.Auth = HeaderKey("x-demo-api-key", "", walletfi.NewSecret("key-0123456789"))
	})
	do := func(opts ...walletfi.CallOption) error {
		_, err := Do[result](t.Context(), client, callOf(Build), opts)
		return err
	}
	require.NoError(t, do(walletfi.WithHeader("x-trace-id", "t1"), walletfi.WithHeader("X-Trace-Id", "t2"), walletfi.WithHeader("Accept", "text/plain")))
	sent := service.requests()[0].header
	assert.Equal(t, []string{"t1", "t2"}, sent["X-Trace-Id"])
	assert.Equal(t, []string{"text/plain"}, sent["Accept"])
	assert.Equal(t, []string{"key-0123456789"}, sent["X-Brand-Secret"])

	for name, value := range map[string]string{
		"X-Demo-Api-Key": "s3cr3t", "x-demo-api-key": "s3cr3t",
		"Keep-Alive": "s3cr3t", "Proxy-Connection": "s3cr3t", "HTTP2-Settings": "s3cr3t",
		"Cookie": "s3cr3t", "Idempotency-Key": "s3cr3t", "Host": "s3cr3t", "Content-Length": "9", "Content-Type": "text/s3cr3t",
		"X-Brand-Secret": "s3cr3t", "x-brand-secret": "s3cr3t",
		"X-Ok": "s3cr3t\r\nX-Admin: 1", "X-Fine": "s3cr3t\x01", "bad name": "s3cr3t", "bad\nname": "s3cr3t", "": "s3cr3t", "bad:name": "s3cr3t",
	} {
		err := do(walletfi.WithHeader(name, value))
		wiretest.Refused(t, err, "header")
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
	assert.Len(t, service.requests(), 1, "nothing of these was sent")
}

func TestWithRawResponse(t *testing.T) {
	do := func(t *testing.T, steps ...step) (raw walletfi.RawResponse, err error) {
		raw.Body = []byte("of an earlier call")
		err = run(t, serve(steps...), callOf(Read), walletfi.WithRawResponse(&raw))
		return raw, err
	}
	raw, err := do(t, reply(200, `{"id":"x","unknown":[1]}`, "X-Request-Id", "r1"))
	require.NoError(t, err)
	assert.Equal(t, 200, raw.StatusCode)
	assert.Equal(t, "r1", raw.Header.Get("X-Request-Id"))
	assert.Equal(t, `{"id":"x","unknown":[1]}`, string(raw.Body))

	raw, err = do(t, reply(404, `{"message":"no"}`))
	require.Error(t, err)
	assert.Equal(t, 404, raw.StatusCode)
	assert.Equal(t, `{"message":"no"}`, string(raw.Body))

	raw, err = do(t, reply(503, "first"), fail(reset), fail(reset), fail(reset))
	require.Error(t, err)
	assert.Equal(t, 503, raw.StatusCode, "the last response, not the last attempt")

	raw, err = do(t, fail(noName))
	require.Error(t, err)
	assert.Equal(t, walletfi.RawResponse{}, raw)
}

// TestUrgent goes to the limiter with each attempt and before those that wait.
func TestUrgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := &countingLimiter{}
		client := clientOf(t, serve(reply(500, ""), reply(200, success)), limiter.use)
		for _, opts := range [][]walletfi.CallOption{{walletfi.Urgent()}, nil} {
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), opts)))
		}
		assert.Equal(t, []bool{true, true, false}, limiter.urgent)
	})
	synctest.Test(t, func(t *testing.T) {
		service := serve(reply(200, success))
		client := clientOf(t, service, func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 1, Per: time.Minute}}}
			cfg.Options.MaxQueueWait = new(time.Hour)
		})
		do := func(id string, opts ...walletfi.CallOption) {
			call := callOf(Read)
			call.Path = Path("/v1/{id}", id)
			assert.NoError(t, wiretest.Error(Do[result](t.Context(), client, call, opts)))
		}
		do("first")
		go do("read")
		synctest.Wait()
		go do("close", walletfi.Urgent())
		synctest.Wait()
		advance(2 * time.Minute)
		synctest.Wait()
		var order []string
		for _, r := range service.requests() {
			order = append(order, r.target[len("/base/v1/"):])
		}
		assert.Equal(t, []string{"first", "close"}, order)
		advance(time.Minute)
		synctest.Wait()
		assert.Len(t, service.requests(), 3)
	})
}

// TestMaxQueueWait: who would wait longer is told at once.
func TestMaxQueueWait(t *testing.T) {
	for name, c := range map[string]struct {
		wait *time.Duration
		ok   bool
	}{
		"standard": {nil, true}, "at once": {new(time.Duration(0)), false}, "negative": {new(-time.Second), false},
		"enough": {new(61 * time.Second), true}, "too short": {new(59 * time.Second), false},
	} {
		inBubble(name, t, func(t *testing.T) {
			client := clientOf(t, serve(reply(200, success)), func(cfg *Config) {
				cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 1, Per: time.Minute}}}
				cfg.Options.MaxQueueWait = c.wait
			})
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
			begun := time.Now()
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			if c.ok {
				require.NoError(t, err)
				assert.GreaterOrEqual(t, time.Since(begun), time.Minute)
				return
			}
			assert.ErrorIs(t, err, walletfi.ErrRateLimited)
			assert.Zero(t, time.Since(begun))
		})
	}
}

// TestClasses: each has a limiter of its own, the service's or the program's.
func TestClasses(t *testing.T) {
	write, paced := &countingLimiter{}, &countingLimiter{}
	client := clientOf(t, serve(reply(200, success)), func(cfg *Config) {
		cfg.Limits = map[string][]ratelimit.Budget{"read": {{Requests: 9, Per: time.Minute}}}
		cfg.Options.Limiter = func(scope ratelimit.Scope) ratelimit.Limiter {
			if scope.Class == "write" {
				return write
			}
			return nil
		}
		cfg.Limiter = func(class string) ratelimit.Limiter {
			if class == "paced" || class == "write" {
				return paced
			}
			return nil
		}
	})
	for _, class := range []string{"read", "write", "write", "paced"} {
		call := callOf(Read)
		call.Class = class
		require.NoError(t, wiretest.Error(Do[result](t.Context(), client, call, nil)))
	}
	assert.Equal(t, 2, write.permits)
	assert.Equal(t, 1, paced.permits)
	assert.IsType(t, &ratelimit.BudgetLimiter{}, client.Limiter("read"))
	assert.Same(t, write, client.Limiter("write"))
	assert.Same(t, client.Limiter("new"), client.Limiter("new"))
}

// TestPanicGivesTheSlotBack: a foreign round tripper's panic is the caller's,
// the slot is not.
func TestPanicGivesTheSlotBack(t *testing.T) {
	limiter := &countingLimiter{}
	client := clientOf(t, tripper(func(*http.Request) (*http.Response, error) { panic("foreign") }), limiter.use)
	assert.PanicsWithValue(t, "foreign", func() { Do[result](t.Context(), client, callOf(Read), nil) })
	assert.Equal(t, 1, limiter.sent)
}

func TestLog(t *testing.T) {
	lines := func(t *testing.T, level slog.Level, steps ...step) (all []map[string]any) {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			client := clientOf(t, serve(steps...), func(cfg *Config) {
				cfg.Options.Logger = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: level}))
				cfg.Options.Retry.MinWait, cfg.Options.Retry.MaxWait = 1, 1
			})
			call := callOf(Read)
			call.Query = struct {
				Q string `url:"q"`
			}{"not-for-the-log"}
			require.NoError(t, wiretest.Error(Do[result](t.Context(), client, call, nil)))
			assert.NotContains(t, out.String(), "not-for-the-log")
			for dec := json.NewDecoder(&out); dec.More(); {
				var line map[string]any
				require.NoError(t, dec.Decode(&line))
				delete(line, "time")
				all = append(all, line)
			}
		})
		return all
	}
	want := func(n, status int, err string) map[string]any {
		line := map[string]any{
			"level": "DEBUG", "msg": "attempt", "service": "test", "op": "Do", "method": "GET", "path": "/base/v1/thing",
			"attempt": float64(n), "status": float64(status), "duration": 0.0, "queued": 0.0,
		}
		if err != "" {
			line["error"] = err
		}
		return line
	}
	assert.Equal(t, []map[string]any{want(1, 0, "read tcp: connection reset by peer"), want(2, 200, "")},
		lines(t, slog.LevelDebug, fail(reset), reply(200, success)))
	assert.Empty(t, lines(t, slog.LevelInfo, reply(200, success)))
}

// TestLogGetsTheCallsContext: a handler finds the trace that the caller put
// there.
func TestLogGetsTheCallsContext(t *testing.T) {
	handler := &contextHandler{}
	client := clientOf(t, serve(reply(200, success)), func(cfg *Config) { cfg.Options.Logger = slog.New(handler) })
	_, err := Do[result](context.WithValue(t.Context(), traceKey{}, "trace-1"), client, callOf(Read), nil)
	require.NoError(t, err)
	assert.Equal(t, []any{"trace-1"}, handler.traces)
}

type traceKey struct{}

type contextHandler struct {
	slog.Handler
	traces []any
}

func (*contextHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h *contextHandler) Handle(ctx context.Context, _ slog.Record) error {
	h.traces = append(h.traces, ctx.Value(traceKey{}))
	return nil
}
