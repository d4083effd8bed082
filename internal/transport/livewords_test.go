package transport

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// liveLimits renames the headers of a limit, two of them crosswise.
var liveLimits = deployment.Service{Headers: map[string]string{
	"x-ratelimit-remaining": "x-acme-left", "X-RateLimit-Reset": "X-Acme-Until", "retry-after": "x-acme-wait",
	"x-a": "x-b", "x-b": "x-a",
}}

func TestAnswerHeaders(t *testing.T) {
	words, err := compiled(liveLimits)
	require.NoError(t, err)
	for name, tt := range map[string]struct{ live, neutral http.Header }{
		"renamed":        {http.Header{"X-Acme-Left": {"3"}, "Date": {"d"}}, http.Header{"X-Ratelimit-Remaining": {"3"}, "Date": {"d"}}},
		"exchanged":      {http.Header{"X-A": {"1"}, "X-B": {"2"}}, http.Header{"X-B": {"1"}, "X-A": {"2"}}},
		"several values": {http.Header{"X-Acme-Left": {"3", "4"}}, http.Header{"X-Ratelimit-Remaining": {"3", "4"}}},
		"under both":     {http.Header{"X-Acme-Left": {"3"}, "X-Ratelimit-Remaining": {"9"}}, http.Header{"X-Ratelimit-Remaining": {"3", "9"}}},
		"neutral":        {http.Header{"Retry-After": {"1"}}, http.Header{"Retry-After": {"1"}}},
		"none":           {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			before := tt.live.Clone()
			assert.Equal(t, tt.neutral, words.AnswerHeaders(tt.live))
			assert.Equal(t, before, tt.live, "the answer itself is not changed")
		})
	}
}

// TestLimitsInLiveWords: what the service says of its limit is obeyed, whatever
// it calls it, and the caller sees it as it came.
func TestLimitsInLiveWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		service := serve(
			reply(429, "", "X-Acme-Wait", "7", "X-Acme-Left", "0"),
			reply(200, success, "X-Acme-Left", "0", "X-Acme-Until", strconv.FormatInt(time.Now().Add(20*time.Second).Unix(), 10)),
			reply(200, success),
		)
		client := clientOf(t, service, func(cfg *Config) {
			deployed(liveLimits)(cfg)
			cfg.Limits = map[string][]ratelimit.Budget{"": {{Requests: 100, Per: time.Minute}}}
		})
		var raw walletfi.RawResponse
		begun := time.Now()
		_, err := Do[result](t.Context(), client, callOf(Read), []walletfi.CallOption{walletfi.WithRawResponse(&raw)})
		require.NoError(t, err)
		assert.Equal(t, 7*time.Second, time.Since(begun), "Retry-After under its live name")
		assert.Equal(t, http.Header{"X-Acme-Left": {"0"}, "X-Acme-Until": raw.Header["X-Acme-Until"]}, raw.Header, "as it came")

		require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
		assert.GreaterOrEqual(t, time.Since(begun), 20*time.Second, "nothing was left until the reset")
		assert.Less(t, time.Since(begun), 22*time.Second)
	})
}

// TestEnvelopeInLiveWords: an envelope reads neutral words, headers included.
func TestEnvelopeInLiveWords(t *testing.T) {
	var seen http.Header
	client := clientOf(t, serve(reply(400, `{"fault":{"code":"TOO_SMALL","message":"m"}}`, "X-Acme-Left", "5")), func(cfg *Config) {
		deployed(deployment.Service{Headers: liveLimits.Headers, Words: deployment.Words{Keys: map[string]string{"error": "fault"}}})(cfg)
		cfg.Envelope = func(resp *walletfi.ResponseError, header http.Header, body []byte) Verdict {
			seen = header
			return testEnvelope(resp, header, body)
		}
	})
	_, err := Do[result](t.Context(), client, callOf(Read), nil)
	refused := wiretest.As[*testError](t, err)
	assert.Equal(t, "TOO_SMALL", refused.Code)
	assert.Equal(t, "5", seen.Get("X-RateLimit-Remaining"))
	assert.Equal(t, `{"fault":{"code":"TOO_SMALL","message":"m"}}`, string(refused.Response.Body), "the excerpt is as it came")
}

// TestRenewalInLiveWords: a token under another header's name is renewed too.
func TestRenewalInLiveWords(t *testing.T) {
	service := serve(reply(401, ""), reply(200, success))
	tokens := bearer.New(bearer.Config{
		Refresh: func(context.Context, walletfi.Token) (walletfi.Token, error) {
			return walletfi.Token{Access: walletfi.NewSecret("token-two")}, nil
		},
	})
	require.NoError(t, tokens.Set(t.Context(), walletfi.Token{Access: walletfi.NewSecret("token-one"), Refresh: walletfi.NewSecret("refresh-one")}))
	client := clientOf(t, service, func(cfg *Config) {
		cfg.Auth = tokens
		deployed(deployment.Service{Headers: map[string]string{"Authorization": "X-Acme-Token"}})(cfg)
	})
	require.NoError(t, wiretest.Error(Do[result](t.Context(), client, callOf(Read), nil)))
	sent := service.requests()
	require.Len(t, sent, 2)
	assert.Equal(t, []string{"Bearer token-one"}, sent[0].header["X-Acme-Token"])
	assert.Equal(t, []string{"Bearer token-two"}, sent[1].header["X-Acme-Token"])
	assert.Empty(t, sent[0].header["Authorization"])
}

// noSuccess is an Accept that judges by one member.
func noSuccess(body []byte) ([]byte, bool) {
	return body, !bytes.Contains(body, []byte(`"success":false`))
}

func TestAcceptInLiveWords(t *testing.T) {
	const live = `{"worked":true,"id":"x1"}`
	words := func(cfg *Config) {
		cfg.Accept = noSuccess
		deployed(named(map[string]string{"success": "worked"}))(cfg)
	}
	keep := func(doc *walletfi.Document) Keep[result] {
		return func(_ *result, _, raw walletfi.Document) { *doc = raw }
	}
	var kept walletfi.Document
	got, err := Do(t.Context(), clientOf(t, serve(reply(200, live)), words), callOf(Read), nil, keep(&kept))
	require.NoError(t, err)
	assert.Equal(t, "x1", got.ID)
	assert.Equal(t, live, kept.String(), "as it came")

	_, err = Do[result](t.Context(), clientOf(t, serve(reply(200, `{"worked":false,"id":"x1"}`)), words), callOf(Read), nil)
	require.ErrorIs(t, err, walletfi.ErrRejected)

	_, err = Do(t.Context(), clientOf(t, serve(reply(200, live)), words, func(cfg *Config) {
		cfg.LiveAccept = func(body []byte, name func(string) string) ([]byte, bool) {
			return memberOf(body, name("success"))
		}
	}), callOf(Read), nil, keep(&kept))
	require.NoError(t, err)
	assert.Equal(t, "true", kept.String(), "the part that goes back, under its live name")
}

// TestNoDeploymentCostsNothing: a nil deployment takes none of the ways of one.
func TestNoDeploymentCostsNothing(t *testing.T) {
	for name, d := range map[string]*deployment.Deployment{
		"none": nil, "empty": {}, "of another service": {Services: map[string]deployment.Service{"amm": named(map[string]string{"a": "b"})}},
	} {
		client := clientOf(t, nil, func(cfg *Config) { cfg.Service, cfg.Options.Deployment = "test", d })
		require.Nil(t, client.dialect, name)
		assert.Zero(t, testing.AllocsPerRun(100, func() {
			o := client.dialect.Operation("GET", "/v1/thing")
			body, _ := o.ToLive(nil)
			body, _ = o.ToNeutral(body)
			body, _ = o.Finish(body)
			client.dialect.AnswerHeaders(nil)
			if o != nil || body != nil || o.SetsHeader("x-api-key") || o.Value("is", "repost") != "repost" {
				t.Error("something of a deployment")
			}
		}), name)
	}
}

// deployed gives a client a deployment of its service.
func deployed(s deployment.Service) func(*Config) {
	return func(cfg *Config) {
		cfg.Service = "test"
		cfg.Options.Deployment = of(s)
	}
}

func of(s deployment.Service) *deployment.Deployment {
	return &deployment.Deployment{Services: map[string]deployment.Service{"test": s}}
}

// named is a deployment with other names of members.
func named(keys map[string]string) deployment.Service {
	return deployment.Service{Words: deployment.Words{Keys: keys}}
}

func compiled(s deployment.Service) (*dialect.Service, error) {
	return dialect.Compile(of(s), "test", nil)
}
