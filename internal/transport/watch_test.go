package transport

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func observedBy(o observe.Observer) func(*Config) {
	return func(cfg *Config) { cfg.Options.Observer = o }
}

// TestObserver follows one call over three attempts, a backoff of each kind and a
// wait for a slot.
func TestObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inside []observe.Operation
		slow := func(r *http.Request) (*http.Response, error) {
			inside = append(inside, recorded.Inside(r.Context()))
			advance(2 * time.Second)
			return reply(200, success, "X-RateLimit-Remaining", "7", "X-RateLimit-Reset", strconv.FormatInt(time.Now().Add(30*time.Second).Unix(), 10))(r)
		}
		told := recorded.New(t)
		client := clientOf(t, serve(fail(reset), reply(503, "", "Retry-After", "3"), slow), observedBy(told), func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 2, Per: time.Minute}}}
			cfg.RateHeaders = true
		})
		call := callOf(Read)
		call.Path = Path("/v1/thing/{wallet}", "an address")
		call.Query = struct {
			Q string `url:"q"`
		}{"not-to-be-told"}
		_, err := Do[result](t.Context(), client, call, nil)
		require.NoError(t, err)

		whole := observe.Call{Service: "test", Op: "Do"}
		assert.Equal(t, []recorded.Ended[observe.Call, observe.CallEnd]{{Op: whole, End: observe.CallEnd{Attempts: 3}}},
			recorded.Ends[observe.Call, observe.CallEnd](told))

		attempts := recorded.Ends[observe.Attempt, observe.AttemptEnd](told)
		require.Len(t, attempts, 3)
		assert.InDelta(t, 57*time.Second, attempts[2].Op.Queued, float64(time.Second), "the wait for a slot is told apart from the answer's")
		assert.Equal(t, []observe.Operation{attempts[2].Op}, inside, "the request has the attempt's context")
		ends := []observe.AttemptEnd{{Err: reset}, {StatusCode: 503}, {StatusCode: 200, Duration: 2 * time.Second}}
		for i, a := range attempts {
			assert.Equal(t, whole, a.Parent)
			assert.Equal(t, ends[i], a.End)
			a.Op.Queued = 0
			assert.Equal(t, observe.Attempt{Service: "test", Op: "Do", Method: "GET", Server: "service.example",
				Route: "/v1/thing/{wallet}", Path: "/base/v1/thing/an%20address", Number: i + 1}, a.Op)
		}

		waits := recorded.Ends[observe.LimiterWait, observe.LimiterWaitEnd](told)
		require.Len(t, waits, 3)
		assert.Equal(t, whole, waits[2].Parent)
		assert.Equal(t, attempts[2].Op.Queued, waits[2].End.Waited)

		backoffs := recorded.Ends[observe.Backoff, observe.BackoffEnd](told)
		require.Len(t, backoffs, 2)
		assert.Equal(t, observe.Backoff{Service: "test", Op: "Do", Number: 1}, backoffs[0].Op)
		assert.Equal(t, observe.Backoff{Service: "test", Op: "Do", Number: 2, StatusCode: 503}, backoffs[1].Op)
		assert.Equal(t, whole, backoffs[1].Parent)
		assert.Equal(t, observe.BackoffEnd{Waited: 3 * time.Second}, backoffs[1].End)

		state := observe.LimiterState{Service: "test", Requests: 2, Per: time.Minute}
		one, two := state, state
		one.Used, two.Used = 1, 2
		assert.Equal(t, []observe.LimiterState{one, two}, recorded.Events[observe.LimiterState](told)[:2])
		budgets := recorded.Events[observe.ServiceBudget](told)
		require.Len(t, budgets, 1)
		assert.Equal(t, 7, budgets[0].Remaining)
		assert.WithinDuration(t, time.Now().Add(30*time.Second), budgets[0].Reset, 2*time.Second)

		assert.Empty(t, told.Open())
		assert.NotContains(t, fmt.Sprintf("%+v", told.All()), "not-to-be-told")
	})
}

// TestDrift: what is not documented in an answer is told once, and the call goes on.
func TestDrift(t *testing.T) {
	const body = `{"venues":[{"id":"a","name":"A","enabled":true,"fee":1}],"status":"ok"}`
	told := recorded.New(t)
	client := clientOf(t, serve(reply(200, body), reply(200, body), reply(200, `{"new":1}`)), observedBy(told), func(cfg *Config) { cfg.Service = "swap" })
	call := callOf(Read)
	call.Op, call.Path, call.Answer = "ListVenues", Path("/venues"), Open(NoShape)
	for range 2 {
		_, err := DoDocument(t.Context(), client, call, nil)
		require.NoError(t, err)
	}
	call.SecretAnswer = true
	_, err := DoDocument(t.Context(), client, call, nil)
	require.NoError(t, err)
	venue := observe.Drift{Service: "swap", Op: "ListVenues", Route: "/venues", Member: "venues.*.fee"}
	status := venue
	status.Member = "status"
	assert.Equal(t, []observe.Drift{venue, status}, recorded.Events[observe.Drift](told))
}

// TestDriftShowsNoSecret: a service that repeats the credential as a name or a value.
func TestDriftShowsNoSecret(t *testing.T) {
	const body = `{"venues":[],"sk-never-print-this":1,"x:sk-never-print-this":2,"credentials":{"sk-never-print-this":1}}`
	told := recorded.New(t)
	client := clientOf(t, serve(reply(200, body)), observedBy(told), func(cfg *Config) { cfg.Service = "swap" })
	call := callOf(Read)
	call.Op, call.Path, call.Answer = "ListVenues", Path("/venues"), Open(NoShape)
	_, err := DoDocument(t.Context(), client, call, []walletfi.CallOption{walletfi.WithHeader("X-Extra-Token", "sk-never-print-this")})
	require.NoError(t, err)
	events := recorded.Events[observe.Drift](told)
	require.Len(t, events, 3)
	for _, e := range events {
		assert.NotContains(t, e.Member+e.Value, "never-print")
	}
}

// TestPanicsEndWhatBegan: of a round tripper and of a limiter of the program's own. What
// was begun ends with an error: nil would be a success.
func TestPanicsEndWhatBegan(t *testing.T) {
	for name, broken := range map[string]func(*Config){
		"round tripper": func(*Config) {},
		"limiter": func(cfg *Config) {
			cfg.Options.Limiter = func(ratelimit.Scope) ratelimit.Limiter { return panickingLimiter{} }
		},
	} {
		t.Run(name, func(t *testing.T) {
			told := recorded.New(t)
			client := clientOf(t, serve(func(*http.Request) (*http.Response, error) { panic("no") }), observedBy(told), broken)
			require.Panics(t, func() { _, _ = Do[result](t.Context(), client, callOf(Read), nil) })
			assert.Empty(t, told.Open())
			calls := recorded.Ends[observe.Call, observe.CallEnd](told)
			require.Len(t, calls, 1)
			assert.Equal(t, observing.ErrPanicked, calls[0].End.Err)
			for _, a := range recorded.Ends[observe.Attempt, observe.AttemptEnd](told) {
				assert.Equal(t, observing.ErrPanicked, a.End.Err)
			}
			if name == "limiter" {
				waits := recorded.Ends[observe.LimiterWait, observe.LimiterWaitEnd](told)
				require.Len(t, waits, 1)
				assert.Equal(t, observing.ErrPanicked, waits[0].End.Err)
			}
		})
	}
}

type panickingLimiter struct{ ratelimit.Limiter }

func (panickingLimiter) Permit(context.Context, time.Duration) (func(context.Context, bool) error, error) {
	panic("no")
}

// TestObserverOfWhatIsNotSent: what ends a call early ends its operations too.
func TestObserverOfWhatIsNotSent(t *testing.T) {
	for name, c := range map[string]struct {
		call     func(*Call)
		service  step
		budget   []ratelimit.Budget
		ends     error
		attempts int
		waited   int // for slots
		again    int // backoffs
	}{
		"an invalid request": {call: func(c *Call) { c.Invalid = &walletfi.ValidationError{Field: "amount", Problem: "is missing"} },
			service: reply(200, success), ends: walletfi.ErrInvalidRequest},
		"no slot": {service: reply(503, ""), budget: []ratelimit.Budget{{Requests: 1, Per: time.Hour}},
			ends: walletfi.ErrRateLimited, attempts: 1, waited: 2, again: 1},
		"cancelled in a backoff": {service: reply(503, "", "Retry-After", "20"),
			ends: context.Canceled, attempts: 1, waited: 1, again: 1},
	} {
		inBubble(name, t, func(t *testing.T) {
			told := recorded.New(t)
			client := clientOf(t, serve(c.service), observedBy(told), func(cfg *Config) {
				cfg.Limits = map[string][]ratelimit.Budget{"": c.budget}
			})
			call := callOf(Read)
			if c.call != nil {
				c.call(&call)
			}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Second, cancel)
			_, err := Do[result](ctx, client, call, nil)
			require.ErrorIs(t, err, c.ends)
			calls := recorded.Ends[observe.Call, observe.CallEnd](told)
			require.Len(t, calls, 1)
			assert.Equal(t, observe.CallEnd{Attempts: c.attempts, Err: err}, calls[0].End)
			assert.Len(t, recorded.Ends[observe.Attempt, observe.AttemptEnd](told), c.attempts)
			assert.Len(t, recorded.Ends[observe.LimiterWait, observe.LimiterWaitEnd](told), c.waited)
			assert.Len(t, recorded.Ends[observe.Backoff, observe.BackoffEnd](told), c.again)
			assert.Empty(t, told.Open())
		})
	}
}

// TestObserverOfRefresh: the refresh belongs to the call that needed the token, and
// what the refresh itself calls belongs to the refresh.
func TestObserverOfRefresh(t *testing.T) {
	told := recorded.New(t)
	store := &walletfi.MemoryTokenStore{}
	require.NoError(t, store.Save(t.Context(), walletfi.Token{Refresh: walletfi.NewSecret("r1")}))
	var inside observe.Operation
	tokens := bearer.New(bearer.Config{Store: store, Observer: told, Service: "test",
		Refresh: func(ctx context.Context, _ walletfi.Token) (walletfi.Token, error) {
			inside = recorded.Inside(ctx)
			return walletfi.Token{Access: walletfi.NewSecret("a1")}, nil
		}})
	client := clientOf(t, serve(reply(200, success)), observedBy(told), func(cfg *Config) { cfg.Auth = tokens })
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	require.NoError(t, err)
	refreshes := recorded.Ends[observe.TokenRefresh, observe.TokenRefreshEnd](told)
	require.Equal(t, []recorded.Ended[observe.TokenRefresh, observe.TokenRefreshEnd]{{
		Op: observe.TokenRefresh{Service: "test"}, Parent: observe.Call{Service: "test", Op: "Do"},
	}}, refreshes)
	assert.Equal(t, observe.TokenRefresh{Service: "test"}, inside)
}

// brokenObserver panics wherever it is called.
type brokenObserver struct{ at string }

func (b brokenObserver) Start(ctx context.Context, _ observe.Operation) (context.Context, func(observe.End)) {
	if b.at == "start" {
		panic("observer")
	}
	if b.at == "nil" {
		return nil, nil
	}
	return ctx, func(observe.End) { panic("observer") }
}

func (b brokenObserver) Observe(context.Context, observe.Event) { panic("observer") }

// TestBrokenObserver: a call does not fail for its observer.
func TestBrokenObserver(t *testing.T) {
	for _, at := range []string{"start", "end", "nil"} {
		client := clientOf(t, serve(reply(503, "", "Retry-After", "0"), reply(200, success)), observedBy(brokenObserver{at}), func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 2, Per: time.Minute}}}
		})
		got, err := Do[result](t.Context(), client, callOf(Read), nil)
		require.NoError(t, err, at)
		assert.Equal(t, "x1", got.ID)
	}
}

// TestPanicEndsTheAttempt: a foreign round tripper's panic is the caller's, and
// the observer still gets an end for what began.
func TestPanicEndsTheAttempt(t *testing.T) {
	told := recorded.New(t)
	client := clientOf(t, tripper(func(*http.Request) (*http.Response, error) { panic("foreign") }), observedBy(told))
	assert.PanicsWithValue(t, "foreign", func() { Do[result](t.Context(), client, callOf(Read), nil) })
	assert.Empty(t, told.Open())
	assert.Len(t, recorded.Ends[observe.Attempt, observe.AttemptEnd](told), 1)
}
