package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// TestPublicCallsHaveNoCredential, under a deployment either, nor is one renewed for them.
func TestPublicCallsHaveNoCredential(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"documented": func(*Config) {}, "deployed": deployed(named(map[string]string{"id": "nummer"})),
		"in a query": deployed(deployment.Service{Auth: []deployment.Place{{In: deployment.InQuery, Name: "key"}}}),
	} {
		inBubble(name, t, func(t *testing.T) {
			rig := renewing(t)
			service := serve(reply(401, ""))
			call := callOf(Read)
			call.Public = true
			_, err := Do[result](t.Context(), clientOf(t, service, change, func(cfg *Config) { cfg.Auth = rig.Tokens }), call, nil)
			require.ErrorIs(t, err, walletfi.ErrUnauthorized)
			require.Len(t, service.requests(), 1)
			require.NotContains(t, service.requests()[0].header, "Authorization")
			require.Equal(t, "/base/v1/thing", service.requests()[0].target)
			require.Zero(t, rig.refreshes)
		})
	}
}

// TestServiceWithoutAnEnvelope: status and plain text decide; the text of one that has
// an envelope is a line.
func TestServiceWithoutAnEnvelope(t *testing.T) {
	refusal := serve(reply(404, `{"message":"no such thing"}`))
	_, err := Do[result](t.Context(), clientOf(t, refusal, func(cfg *Config) { cfg.Envelope = nil }), callOf(Read), nil)
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.Equal(t, "no such thing", responseOf(t, err).Message)
	refusal = serve(reply(404, `{"error":{"code":"C","message":"two\nlines"}}`))
	_, err = Do[result](t.Context(), clientOf(t, refusal), callOf(Read), nil)
	require.Equal(t, "C: two lines", responseOf(t, err).Message)
}

// TestSecretAnswerThatDoesNotFit: what does not fit is often quoted, but not of a
// secret answer.
func TestSecretAnswerThatDoesNotFit(t *testing.T) {
	type amounts struct {
		Amount walletfi.Amount `json:"amount"`
	}
	for _, secret := range []bool{false, true} {
		call := callOf(Read)
		call.Answer, call.SecretAnswer = Says("amount:id"), secret
		_, err := Do[amounts](t.Context(), clientOf(t, serve(reply(200, `{"amount":"canary"}`))), call, nil)
		require.ErrorIs(t, err, walletfi.ErrDecode)
		if secret {
			require.NotContains(t, err.Error(), "canary")
			require.ErrorContains(t, err, "may hold a secret")
		}
	}
}

// TestFailedCreateReturnsNothing: only what exists is returned beside an error.
func TestFailedCreateReturnsNothing(t *testing.T) {
	for _, s := range []step{reply(400, ""), reply(500, ""), reply(200, garbage), reply(200, `{"success":false}`), fail(reset)} {
		got, err := Do[result](t.Context(), clientOf(t, serve(s), retries(0)), callOf(Create), nil)
		require.Error(t, err)
		require.Nil(t, got)
	}
}

// TestRequestIsNotChanged: parameters of the caller's are not written into the request.
func TestRequestIsNotChanged(t *testing.T) {
	for name, change := range map[string]func(*Config){"documented": func(*Config) {}, "deployed": deployed(named(map[string]string{"id": "nummer"}))} {
		call := callOf(Read)
		query := url.Values{"q": {"1"}}
		call.Query = query
		_, err := Do[result](t.Context(), clientOf(t, serve(reply(200, success)), change), call, []walletfi.CallOption{walletfi.WithQuery("beta", "2")})
		require.NoError(t, err)
		require.Equal(t, url.Values{"q": {"1"}}, query, name)
	}
}

// TestWhatIsNoCredentialIsShown: a trace that the service repeats helps to find it.
func TestWhatIsNoCredentialIsShown(t *testing.T) {
	echo := func(r *http.Request) (*http.Response, error) {
		return reply(400, `{"message":"`+r.Header.Get("X-Trace-Id")+` and `+r.Header.Get("X-Gateway-Key")+` failed"}`)(r)
	}
	err := run(t, serve(echo), callOf(Read), walletfi.WithHeader("X-Trace-Id", "trace-0123456789"), walletfi.WithHeader("X-Gateway-Key", "key-0123456789"))
	require.ErrorContains(t, err, "trace-0123456789")
	require.NotContains(t, err.Error(), "key-0123456789")
}

// TestWithAddsToALimiter, whoever made it, once for each class.
func TestWithAddsToALimiter(t *testing.T) {
	own, added := &countingLimiter{}, 0
	outer := &countingLimiter{}
	client := clientOf(t, serve(reply(200, success)), func(cfg *Config) {
		cfg.Limiter = func(string) ratelimit.Limiter { return own }
		cfg.With = func(class string, inner ratelimit.Limiter) ratelimit.Limiter {
			added++
			require.Equal(t, "read", class)
			require.Same(t, own, inner)
			return outer
		}
	})
	call := callOf(Read)
	call.Class = "read"
	for range 2 {
		_, err := Do[result](context.Background(), client, call, nil)
		require.NoError(t, err)
	}
	require.Equal(t, 1, added)
	require.Equal(t, 2, outer.permits)
	require.Zero(t, own.permits)
}

// TestInClass: a class that is already named stays, and no other error changes.
func TestInClass(t *testing.T) {
	refused := &ratelimit.Error{ResetAt: time.Now()}
	named := InClass("read", refused)
	require.Equal(t, &ratelimit.Error{Class: "read", ResetAt: refused.ResetAt}, named)
	require.Empty(t, refused.Class, "the limiter's own value is not changed")
	require.Same(t, named, InClass("write", named))
	for _, other := range []error{nil, errors.New("other"), fmt.Errorf("store: %w", refused)} {
		require.Equal(t, other, InClass("read", other))
	}
}

// TestNotAdmitted: a refusal gets its class, the end of the call's context stays, and
// all else that a limiter returns is its failure.
func TestNotAdmitted(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	own := &ratelimit.LimiterError{Service: "other", Cause: errors.New("x")}
	broken, wrapped := errors.New("no connection"), fmt.Errorf("queue: %w", context.Canceled)
	failure := func(cause error) error { return &ratelimit.LimiterError{Service: "test", Class: "read", Cause: cause} }
	for name, c := range map[string]struct {
		ctx       context.Context
		err, want error
	}{
		"a refusal":             {t.Context(), &ratelimit.Error{}, &ratelimit.Error{Class: "read"}},
		"the call's end":        {ended, wrapped, wrapped},
		"another end":           {ended, context.DeadlineExceeded, failure(context.DeadlineExceeded)},
		"the limiter's own end": {t.Context(), wrapped, failure(wrapped)},
		"a failure at the end":  {ended, broken, failure(broken)},
		"a failure":             {t.Context(), broken, failure(broken)},
		"typed by itself":       {t.Context(), own, own},
		"nothing":               {t.Context(), nil, failure(errNoSlot)},
		"nothing at the end":    {ended, nil, failure(errNoSlot)},
	} {
		require.Equal(t, c.want, notAdmitted(c.ctx, "test", "read", c.err), name)
	}
}
