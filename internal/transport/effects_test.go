package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

const (
	withCode = `{"error":{"code":"RATE_LIMITED","message":"slow down"}}`
	garbage  = `{"id": x`
)

// ending is what can become of an attempt.
type ending struct {
	name string
	step step
	kind error // what a call answers to that ends in it, nil where a context error
	// repeated says whether the effect lets the attempt be repeated.
	repeated map[Effect]bool
	// unknown says whether the effect leaves open what happened.
	unknown map[Effect]bool
}

func effects(all ...Effect) map[Effect]bool {
	m := map[Effect]bool{}
	for _, e := range all {
		m[e] = true
	}
	return m
}

var (
	every      = effects(Read, Build, Set, Relay, Create)
	noneOfThem = effects()
	butCreate  = effects(Read, Build, Set, Relay)
	movesMoney = effects(Relay, Create)
)

var endings = []ending{
	{"not sent", fail(refused), walletfi.ErrUnavailable, every, noneOfThem},
	{"429 with a code", reply(429, withCode, "Retry-After", "2"), walletfi.ErrRateLimited, every, noneOfThem},
	{"429 without a code", reply(429, `{"message":"slow down"}`, "Retry-After", "2"), walletfi.ErrRateLimited, butCreate, noneOfThem},
	{"timeout after sending", stall, walletfi.ErrUnavailable, butCreate, movesMoney},
	{"reset after sending", fail(reset), walletfi.ErrUnavailable, butCreate, movesMoney},
	{"truncated 2xx", truncated(200, `{"id":`), walletfi.ErrDecode, butCreate, movesMoney},
	{"garbage 2xx", reply(200, garbage), walletfi.ErrDecode, noneOfThem, movesMoney},
	{"408", reply(408, ""), walletfi.ErrUnavailable, butCreate, movesMoney},
	{"500", reply(500, `{"message":"oops"}`), walletfi.ErrUnavailable, butCreate, movesMoney},
	{"503", reply(503, "", "Retry-After", "2"), walletfi.ErrUnavailable, butCreate, movesMoney},
	{"400", reply(400, `{"message":"bad"}`), walletfi.ErrInvalidRequest, noneOfThem, noneOfThem},
	{"name does not resolve", fail(noName), walletfi.ErrUnavailable, noneOfThem, noneOfThem},
	{"unknown authority", fail(x509.UnknownAuthorityError{}), walletfi.ErrUnavailable, noneOfThem, noneOfThem},
}

var effectNames = map[Effect]string{Read: "Read", Build: "Build", Set: "Set", Relay: "Relay", Create: "Create"}

// TestEffectsOnce has each event happen once, and then success.
func TestEffectsOnce(t *testing.T) {
	for _, e := range endings {
		for effect, name := range effectNames {
			t.Run(e.name+"/"+name, func(t *testing.T) {
				service := serve(e.step, reply(200, success))
				err := run(t, service, callOf(effect))
				if e.repeated[effect] {
					require.NoError(t, err)
					assert.Len(t, service.requests(), 2)
					return
				}
				assert.Len(t, service.requests(), 1)
				e.check(t, effect, err, 1)
			})
		}
	}
}

// TestEffectsForEver has each event happen at every attempt.
func TestEffectsForEver(t *testing.T) {
	for _, e := range endings {
		for effect, name := range effectNames {
			t.Run(e.name+"/"+name, func(t *testing.T) {
				service := serve(e.step)
				err := run(t, service, callOf(effect))
				attempts := 1
				if e.repeated[effect] {
					attempts = 4
				}
				assert.Len(t, service.requests(), attempts)
				e.check(t, effect, err, attempts)
			})
		}
	}
}

// check holds the error of a call that ended in e.
func (e ending) check(t *testing.T, effect Effect, err error, attempts int) {
	t.Helper()
	unknown := e.unknown[effect]
	assert.Equal(t, unknown, errors.Is(err, walletfi.ErrOutcomeUnknown), "%v", err)
	// ErrUnavailable promises that nothing was carried out.
	assert.Equal(t, !unknown || e.kind != walletfi.ErrUnavailable, errors.Is(err, e.kind), "%v", err)
	if u, ok := errors.AsType[*walletfi.OutcomeUnknownError](err); ok {
		assert.Equal(t, callOf(effect).Signature, u.Signature)
	}
	switch failure, ok := errors.AsType[*walletfi.ResponseError](err); {
	case ok:
		assert.Equal(t, attempts, failure.Attempts)
		assert.Equal(t, "/base/v1/thing", failure.Path)
		assert.NotZero(t, failure.StatusCode)
	default:
		failure := wiretest.As[*walletfi.TransportError](t, err)
		assert.Equal(t, attempts, failure.Attempts)
	}
}

func TestEffectIsDue(t *testing.T) {
	service := serve(reply(200, success))
	err := run(t, service, Call{Op: "Do", Method: http.MethodGet, Path: Path("/v1")})
	require.ErrorContains(t, err, "test.Do has no effect")
	assert.Empty(t, service.requests())
}

// TestRelayAfterAnAmbiguousAttempt: whatever comes after it, the transaction
// may have landed.
func TestRelayAfterAnAmbiguousAttempt(t *testing.T) {
	for name, c := range map[string]struct {
		then step
		kind error
	}{
		"already processed": {reply(400, `{"error":{"code":"DUPLICATE","message":"already processed"}}`), walletfi.ErrInvalidRequest},
		"conflict":          {reply(409, `{"message":"seen"}`), walletfi.ErrRejected},
		"401":               {reply(401, ""), walletfi.ErrUnauthorized},
		"limit too far":     {reply(429, withCode, "Retry-After", "3600"), walletfi.ErrRateLimited},
		"not sent, final":   {fail(noName), nil},
		"redirect":          {reply(307, "", "Location", "https://elsewhere.example"), walletfi.ErrRedirect},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(stall, c.then)
			err := run(t, service, callOf(Relay))
			u := wiretest.As[*walletfi.OutcomeUnknownError](t, err)
			assert.Equal(t, "sig1", u.Signature)
			assert.ErrorContains(t, err, "sig1")
			if c.kind != nil {
				assert.ErrorIs(t, err, c.kind)
			}
			assert.NotErrorIs(t, err, walletfi.ErrUnavailable)
			seen := service.requests()
			require.Len(t, seen, 2)
			assert.Equal(t, seen[0].body, seen[1].body, "the same bytes")
			assert.JSONEq(t, `{"name":"value"}`, seen[1].body)
		})
	}
}

// TestRelayWhoseRepeatIsNotLetThrough: our own limiter, or ctx, ends the call
// after the first attempt got lost.
func TestRelayWhoseRepeatIsNotLetThrough(t *testing.T) {
	inBubble("limiter", t, func(t *testing.T) {
		client := clientOf(t, serve(stall), func(cfg *Config) {
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 1, Per: time.Hour}}}
		})
		_, err := Do[result](t.Context(), client, callOf(Relay), nil)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.ErrorIs(t, err, walletfi.ErrRateLimited)
		assert.ErrorContains(t, err, "no answer within 30s")
	})
	inBubble("context", t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := Do[result](ctx, clientOf(t, serve(stall)), callOf(Relay), nil)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

// TestRelayNotSent: an error that is no OutcomeUnknown means that nothing was
// sent.
func TestRelayNotSent(t *testing.T) {
	service := serve(fail(refused), fail(refused), reply(400, `{"message":"bad"}`))
	err := run(t, service, callOf(Relay))
	assert.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
}

func TestDeleteOnRepeat(t *testing.T) {
	call := Call{Op: "Delete", Effect: Set, Answer: Silent("a test"), Method: http.MethodDelete, Path: Path("/v1/thing/{id}", "7")}
	remove := func(t *testing.T, call Call, steps ...step) (err error) {
		synctest.Test(t, func(t *testing.T) { err = DoEmpty(t.Context(), clientOf(t, serve(steps...)), call, nil) })
		return err
	}
	assert.NoError(t, remove(t, call, stall, reply(404, "")), "deleted by the first attempt")
	assert.NoError(t, remove(t, call, reply(502, ""), reply(404, `{"message":"no such thing"}`)))
	assert.NoError(t, remove(t, call, reply(204, "")))
	assert.ErrorIs(t, remove(t, call, reply(404, "")), walletfi.ErrNotFound, "there never was one")
	assert.ErrorIs(t, remove(t, call, fail(refused), reply(404, "")), walletfi.ErrNotFound, "the first was not sent")
	assert.ErrorIs(t, remove(t, call, reply(429, ""), reply(404, "")), walletfi.ErrNotFound, "the first was refused")
	call.Method = http.MethodPatch
	assert.ErrorIs(t, remove(t, call, stall, reply(404, "")), walletfi.ErrNotFound, "not a DELETE")
	call.Method, call.Answer = http.MethodDelete, Says("id")
	assert.NoError(t, remove(t, call, stall, reply(404, `{"message":"gone"}`)), "the 404 is not the answer that is declared")
}

// TestPaidReads: a read that costs money is repeated only where it was
// certainly not served.
func TestPaidReads(t *testing.T) {
	call := callOf(Read)
	call.NoTimeoutRetry = true
	for name, c := range map[string]struct {
		step     step
		attempts int
	}{
		"not sent": {fail(refused), 2}, "429": {reply(429, ""), 2}, "503": {reply(503, ""), 2}, "by code": {reply(400, withCode), 2},
		"timeout": {stall, 1}, "reset": {fail(reset), 1}, "500": {reply(500, ""), 1},
		"truncated": {truncated(200, `{"id"`), 1},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(c.step, reply(200, success))
			err := run(t, service, call)
			assert.Len(t, service.requests(), c.attempts)
			assert.Equal(t, c.attempts == 2, err == nil, "%v", err)
		})
	}
}

// TestFinal: an envelope can say that a repeat is of no use, and some statuses
// say it themselves.
func TestFinal(t *testing.T) {
	final := `{"error":{"code":"FINAL","message":"never"}}`
	for _, s := range []step{reply(500, final), reply(503, final), reply(429, final), reply(501, ""), reply(505, ""), reply(511, "")} {
		service := serve(s)
		require.Error(t, run(t, service, callOf(Read)))
		assert.Len(t, service.requests(), 1)
	}
}

func TestKindsByStatus(t *testing.T) {
	for status, kind := range map[int]error{
		101: walletfi.ErrDecode, 302: walletfi.ErrRedirect, 308: walletfi.ErrRedirect,
		400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 402: walletfi.ErrRejected,
		403: walletfi.ErrForbidden, 404: walletfi.ErrNotFound, 408: walletfi.ErrUnavailable,
		409: walletfi.ErrRejected, 410: walletfi.ErrInvalidRequest, 422: walletfi.ErrInvalidRequest,
		429: walletfi.ErrRateLimited, 500: walletfi.ErrUnavailable, 599: walletfi.ErrUnavailable,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			err := run(t, serve(reply(status, `{"message":"because"}`)), callOf(Read), walletfi.WithoutRetry())
			assert.ErrorIs(t, err, kind)
			failure := responseOf(t, err)
			assert.Equal(t, status, failure.StatusCode)
			assert.Equal(t, fmt.Sprintf("test.Do: GET /base/v1/thing: HTTP %d: because", status), err.Error())
		})
	}
}

// TestAccept: a success that is none, by the body.
func TestAccept(t *testing.T) {
	accept := func(body []byte) ([]byte, bool) {
		inner, ok := memberOf(body, "data")
		return inner, ok
	}
	call := func(t *testing.T, effect Effect, s step) (got *result, err error) {
		synctest.Test(t, func(t *testing.T) {
			c := clientOf(t, serve(s), func(cfg *Config) { cfg.Accept = accept })
			got, err = Do[result](t.Context(), c, callOf(effect), nil)
		})
		return got, err
	}
	got, err := call(t, Create, reply(200, `{"data":{"id":"x2"}}`))
	require.NoError(t, err)
	assert.Equal(t, "x2", got.ID)

	refused := reply(200, `{"success":false,"message":"no funds"}`)
	for _, effect := range []Effect{Read, Build, Set} {
		_, err = call(t, effect, refused)
		assert.ErrorIs(t, err, walletfi.ErrRejected, "the service's own no")
		assert.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		assert.ErrorContains(t, err, "HTTP 200: no funds")
	}
	for _, effect := range []Effect{Relay, Create} {
		_, err = call(t, effect, refused)
		assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "no code says that nothing was done")
		assert.NotErrorIs(t, err, walletfi.ErrRejected)
		assert.ErrorContains(t, err, "HTTP 200: no funds")
	}

	_, err = call(t, Create, reply(200, `<html>`))
	assert.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "garbage is no no")
	assert.ErrorIs(t, err, walletfi.ErrDecode)
}
