package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestRefusalEvents: what each status comes to, with and without the service's word.
func TestRefusalEvents(t *testing.T) {
	for _, row := range []struct {
		status int
		said   Verdict
		want   event
	}{
		{300, Verdict{}, gone},
		{399, Verdict{}, gone},
		{400, Verdict{}, rejected},
		{400, Verdict{RateLimited: true}, limitedByCode},
		{400, Verdict{RateLimited: true, Final: true}, rejected},
		{401, Verdict{}, expired},
		{401, Verdict{KeepToken: true}, rejected},
		{404, Verdict{}, rejected},
		{408, Verdict{}, failed},
		{425, Verdict{}, unserved},
		{425, Verdict{Final: true}, rejected},
		{429, Verdict{}, limited},
		{429, Verdict{RateLimited: true}, limitedByCode},
		{429, Verdict{Final: true}, rejected},
		{429, Verdict{RateLimited: true, Final: true}, rejected},
		{500, Verdict{}, failed},
		{500, Verdict{Final: true}, gone},
		{503, Verdict{}, unserved},
		{503, Verdict{Final: true}, gone},
	} {
		require.Equal(t, row.want, refusalOf(row.status, row.said), "%d %+v", row.status, row.said)
	}
}

// TestLossEvents: what an attempt without a whole answer comes to.
func TestLossEvents(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range []struct {
		ctx  context.Context
		a    answer
		want event
	}{
		{t.Context(), answer{}, unsent},
		{t.Context(), answer{final: true}, rejected},
		{ended, answer{}, rejected},
		{t.Context(), answer{sent: true}, lost},
		{t.Context(), answer{sent: true, final: true}, gone},
		{ended, answer{sent: true}, gone},
		{t.Context(), answer{sent: true, err: errTooLarge}, gone},
	} {
		require.Equal(t, row.want, lossOf(row.ctx, &row.a), "%+v", row.a)
	}
}

// accepting takes a body without an error member.
func accepting(cfg *Config) {
	cfg.Accept = func(body []byte) ([]byte, bool) {
		var refusal struct{ Error json.RawMessage }
		return body, json.Unmarshal(body, &refusal) == nil && refusal.Error == nil
	}
}

// TestSuccessThatIsARefusal: a 200 whose code says that a limit was reached is waited
// out even of a Create, as it was not carried out; one that is final is not.
func TestSuccessThatIsARefusal(t *testing.T) {
	for body, want := range map[string]int{
		`{"error":{"code":"RATE_LIMITED","message":"slow down"}}`: 2,
		`{"error":{"code":"FINAL","message":"never"}}`:            1,
		`{"error":{"code":"OTHER","message":"no"}}`:               1,
	} {
		service := serve(reply(200, body), reply(200, success))
		inBubble(body, t, func(t *testing.T) {
			_, err := Do[result](t.Context(), clientOf(t, service, accepting), callOf(Create), nil)
			require.Len(t, service.requests(), want)
			require.Equal(t, want == 2, err == nil)
			if want == 1 {
				require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "the service may have done it")
				require.NotErrorIs(t, err, walletfi.ErrRateLimited)
			}
		})
	}
	// The word that it is final is stronger than the word that it is a limit.
	service := serve(reply(200, `{"error":{"code":"RATE_LIMITED"}}`), reply(200, success))
	final := func(cfg *Config) {
		cfg.Envelope = func(resp *walletfi.ResponseError, _ http.Header, _ []byte) Verdict {
			return Verdict{Err: resp, RateLimited: true, Final: true}
		}
	}
	inBubble("final", t, func(t *testing.T) {
		_, err := Do[result](t.Context(), clientOf(t, service, accepting, final), callOf(Read), nil)
		require.ErrorIs(t, err, walletfi.ErrRejected)
		require.Len(t, service.requests(), 1)
	})
}

// TestRefused: a refusal that was read leaves nothing in the result of the next attempt, and
// a body without the members of a refusal is not asked about.
func TestRefused(t *testing.T) {
	type noted struct {
		ID   string `json:"id" wire:"required"`
		Note string `json:"note"`
	}
	asked := 0
	refusing := func(cfg *Config) {
		cfg.Refused = func(body []byte) bool { asked++; return bytes.Contains(body, []byte("RATE_LIMITED")) }
		cfg.Envelope = func(resp *walletfi.ResponseError, _ http.Header, _ []byte) Verdict {
			return Verdict{Err: resp, RateLimited: true}
		}
	}
	for body, asks := range map[string]int{
		`{"id":"x0","note":"old","errors":[{"code":"RATE_LIMITED"}],"error":null}`: 0,
		`{"id":"x0","note":"old","Status":"RATE_LIMITED","success":true}`:          1,
	} {
		asked = 0
		service := serve(reply(200, body), reply(200, `{"id":"x1"}`))
		inBubble(body, t, func(t *testing.T) {
			got, err := Do[noted](t.Context(), clientOf(t, service, refusing), callOf(Read), nil)
			require.NoError(t, err)
			require.Equal(t, &noted{ID: "x1"}, got)
			require.Equal(t, asks, asked)
		})
	}
}

// TestStatus300IsNoSuccess: nor is it repeated.
func TestStatus300IsNoSuccess(t *testing.T) {
	for _, status := range []int{300, 304, 399} {
		service := serve(reply(status, success), reply(200, success))
		err := run(t, service, callOf(Read))
		require.Equal(t, status, responseOf(t, err).StatusCode)
		require.Len(t, service.requests(), 1)
	}
	require.NoError(t, run(t, serve(reply(299, success)), callOf(Read)))
}

// TestFinal429: a limit that the service calls final is not waited out.
func TestFinal429(t *testing.T) {
	service := serve(reply(429, `{"error":{"code":"FINAL","message":"cap reached"}}`, "Retry-After", "1"), reply(200, success))
	err := run(t, service, callOf(Read))
	require.ErrorIs(t, err, walletfi.ErrRateLimited)
	require.Len(t, service.requests(), 1)
}

// TestOutcomeUnknownIsNotUnavailable: however deep the word is, an outcome that is not
// known does not also promise that nothing was carried out.
func TestOutcomeUnknownIsNotUnavailable(t *testing.T) {
	deep := fmt.Errorf("after: %w", errors.Join(
		&walletfi.ResponseError{Kind: walletfi.ErrUnavailable},
		fmt.Errorf("before: %w", &walletfi.TransportError{Kind: walletfi.ErrUnavailable, Cause: reset}),
		&walletfi.ResponseError{Kind: walletfi.ErrNotFound, Cause: &walletfi.TransportError{Kind: walletfi.ErrUnavailable, Cause: refused}},
		walletfi.ErrUnavailable,
	))
	call := callOf(Relay)
	call.BeforeRepeat = func(context.Context) error { return deep }
	err := run(t, serve(reply(503, `{}`)), call)
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.NotErrorIs(t, err, walletfi.ErrUnavailable)
	require.ErrorIs(t, err, walletfi.ErrNotFound, "other kinds stay")
	asked := wiretest.As[*walletfi.TransportError](t, err)
	require.ErrorIs(t, asked, reset)
	require.ErrorIs(t, deep, walletfi.ErrUnavailable, "what others returned is theirs")
	for _, effect := range []Effect{Create, Relay} {
		for _, step := range []step{reply(503, `{}`), reply(500, `{}`), fail(reset)} {
			err := run(t, serve(step, step, step, step, step), callOf(effect))
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.NotErrorIs(t, err, walletfi.ErrUnavailable)
		}
	}
}

// TestUnknownOutcomeThatNamesACredential: masking the credential in the cause changes
// neither what the error is nor the status that it tells.
func TestUnknownOutcomeThatNamesACredential(t *testing.T) {
	for _, key := range []string{"k7", "key-123456"} {
		service := serve(fail(fmt.Errorf("proxy: refused the header %q", key)))
		authorised := func(cfg *Config) { cfg.Auth = HeaderKey("X-Api-Key", "", walletfi.NewSecret(key)) }
		inBubble(key, t, func(t *testing.T) {
			_, err := Do[result](t.Context(), clientOf(t, service, authorised), callOf(Create), nil)
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.NotErrorIs(t, err, walletfi.ErrUnavailable)
			require.NotContains(t, err.Error(), key)
			require.NotContains(t, err.Error(), "HTTP 0")
			lost := wiretest.As[*walletfi.TransportError](t, err)
			require.Equal(t, 1, lost.Attempts)
		})
	}
}

func TestAddCause(t *testing.T) {
	far := errors.New("too long")
	for _, had := range []error{nil, reset} {
		r := &walletfi.ResponseError{Cause: had}
		addCause(r, nil)
		require.Equal(t, had, r.Cause)
		addCause(fmt.Errorf("wrapped: %w", r), far)
		if had == nil {
			require.Equal(t, far, r.Cause)
		} else {
			require.Equal(t, had, r.Cause, "what is there stays")
		}
	}
	addCause(far, far) // no response, nothing to add to
}

func TestIsCredential(t *testing.T) {
	for _, name := range []string{"Authorization", "Proxy-Authorization", "X-Authorization-2", "X-Api-Key", "apikey", "X-Auth-Token", "Client-Secret"} {
		require.True(t, isCredential(name), name)
	}
	for _, name := range []string{"Accept", "Key-Id", "Token-Type", "Secret-Name", "X-Request-Id"} {
		require.False(t, isCredential(name), name)
	}
}

// TestBroken300: a redirection of which the body is cut short is not repeated, since it
// is none that says that nothing was done; what is cut short below it is.
func TestBroken300(t *testing.T) {
	for status, want := range map[int]int{299: 2, 300: 1, 304: 1} {
		service := serve(truncated(status, "{"), reply(200, success))
		err := run(t, service, callOf(Read))
		require.Len(t, service.requests(), want, "%d", status)
		require.Equal(t, want == 1, err != nil)
	}
}

// TestStatus199IsNoSuccess: nor does it say that nothing was done.
func TestStatus199IsNoSuccess(t *testing.T) {
	for effect := range effectNames {
		err := run(t, serve(reply(199, success)), callOf(effect), walletfi.WithoutRetry())
		require.Equal(t, 199, responseOf(t, err).StatusCode)
		require.Equal(t, movesMoney[effect], isUnknown(err))
	}
}

// TestTooEarlyDidNothing: the outcome of an attempt that was too early is known.
func TestTooEarlyDidNothing(t *testing.T) {
	for _, effect := range []Effect{Create, Relay} {
		err := run(t, serve(reply(425, "")), callOf(effect))
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
	}
	err := run(t, serve(fail(reset), reply(425, "")), callOf(Relay))
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "one before it may have done it")
}

// TestPaidCreate: a creation that costs money is never asked for twice.
func TestPaidCreate(t *testing.T) {
	for _, once := range []step{reply(503, ""), reply(429, ""), reply(500, ""), fail(reset)} {
		service := serve(once, reply(200, success))
		call := callOf(Create)
		call.NoTimeoutRetry = true
		require.Error(t, run(t, service, call))
		require.Len(t, service.requests(), 1)
	}
}

// TestRefusalInASuccessForEver: a limit that is told by a code under 200 at every
// attempt is that error in the end, and a token is no part of it.
func TestRefusalInASuccessForEver(t *testing.T) {
	for body, want := range map[string]struct {
		kind     error
		attempts int
	}{
		withCode: {walletfi.ErrRejected, 4},
		`{"error":{"code":"OTHER","message":"no"}}`: {walletfi.ErrRejected, 1},
	} {
		inBubble(body, t, func(t *testing.T) {
			rig := renewing(t)
			service := serve(reply(200, body))
			client := clientOf(t, service, accepting, func(cfg *Config) { cfg.Auth = rig.Tokens })
			_, err := Do[result](t.Context(), client, callOf(Read), nil)
			require.ErrorIs(t, err, want.kind)
			wiretest.As[*testError](t, err)
			require.Len(t, service.requests(), want.attempts)
			require.Zero(t, rig.refreshes)
			for _, r := range service.requests() {
				require.Equal(t, "Bearer a0", r.header.Get("Authorization"))
			}
		})
	}
}

// TestAcceptIsNotAskedAboutNothing: an empty answer, where none is documented, is no
// refusal; garbage is told as such.
func TestAcceptIsNotAskedAboutNothing(t *testing.T) {
	for name, words := range map[string]func(*Config){"documented": func(*Config) {}, "deployed": deployed(named(map[string]string{"id": "nummer"}))} {
		for body, want := range map[string]struct {
			asked int
			cause string
		}{"": {0, ""}, "7": {1, ""}, garbage: {1, "not JSON"}} {
			asked := 0
			client := clientOf(t, serve(reply(200, body)), words, func(cfg *Config) {
				cfg.Accept = func(body []byte) ([]byte, bool) { asked++; return body, json.Valid(body) }
			})
			call := callOf(Set)
			call.Answer = Silent("a test")
			doc, err := DoDocument(t.Context(), client, call, nil)
			require.Equal(t, want.asked, asked, "%s: %q", name, body)
			if want.cause == "" {
				require.NoError(t, err)
				require.Equal(t, body, string(doc))
				continue
			}
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.NotErrorIs(t, err, walletfi.ErrRejected)
			require.ErrorContains(t, err, want.cause)
		}
	}
}

// TestKindOfARefusalInASuccess: a creation's outcome is unknown, and yet what the
// service's envelope calls the refusal stays.
func TestKindOfARefusalInASuccess(t *testing.T) {
	for _, kind := range []error{walletfi.ErrNotFound, walletfi.ErrRejected} {
		client := clientOf(t, serve(reply(200, `{"success":false}`)), func(cfg *Config) {
			cfg.Envelope = func(resp *walletfi.ResponseError, _ http.Header, _ []byte) Verdict {
				resp.Kind = kind
				return Verdict{Err: &testError{"C", resp}}
			}
		})
		_, err := Do[result](t.Context(), client, callOf(Create), nil)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, kind == walletfi.ErrNotFound, errors.Is(err, walletfi.ErrNotFound))
		require.NotErrorIs(t, err, walletfi.ErrRejected)
	}
	// An envelope whose error has no response has no kind to take away.
	own := errors.New("no")
	client := clientOf(t, serve(reply(200, `{"success":false}`)), func(cfg *Config) {
		cfg.Envelope = func(*walletfi.ResponseError, http.Header, []byte) Verdict { return Verdict{Err: own} }
	})
	_, err := Do[result](t.Context(), client, callOf(Create), nil)
	require.ErrorIs(t, err, own)
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
}
