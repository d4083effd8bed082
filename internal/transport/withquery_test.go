package transport

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/bearer"
)

// TestWithQuery adds what the request has no field for, and nothing else.
func TestWithQuery(t *testing.T) {
	type inner struct {
		Page *int `url:"page,omitempty"`
	}
	type fields struct {
		inner
		Limit *int   `url:"limit,omitempty"`
		Name  string `url:"name"`
	}
	for name, c := range map[string]struct {
		query  any
		option walletfi.CallOption
		want   string // "" if it is refused
	}{
		"beside fields":        {fields{Name: "a"}, walletfi.WithQuery("beta", "1", "2"), "beta=1&beta=2&name=a"},
		"without any":          {nil, walletfi.WithQuery("beta", "x y"), "beta=x+y"},
		"beside values":        {url.Values{"q": {"1"}}, walletfi.WithQuery("beta"), "q=1"},
		"a field":              {fields{Name: "a"}, walletfi.WithQuery("name", "b"), ""},
		"a field left out":     {fields{Name: "a"}, walletfi.WithQuery("limit", "0"), ""},
		"an embedded field":    {fields{Name: "a"}, walletfi.WithQuery("page", "0"), ""},
		"a value":              {url.Values{"q": {"1"}}, walletfi.WithQuery("q", "2"), ""},
		"a parameter":          {url.Values{"q": {"1"}}, walletfi.WithQuery("named", "2"), ""},
		"no name":              {nil, walletfi.WithQuery("", "2"), ""},
		"a field by live name": {fields{Name: "a"}, walletfi.WithQuery("most", "2"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(reply(200, success))
			client := clientOf(t, service, deployed(deployment.Service{Words: deployment.Words{Query: map[string]string{"limit": "most"}}}))
			call := callOf(Read)
			call.Query, call.Parameters = c.query, []string{"named"}
			_, err := Do[result](t.Context(), client, call, []walletfi.CallOption{c.option})
			if c.want == "" {
				require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
				require.Empty(t, service.requests())
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "/base/v1/thing?"+c.want, service.requests()[0].target)
		})
	}
}

// TestHeadersOfTheCaller: any header but the client's own credentials, cookies, framing
// and an idempotency key. A key in it is no part of an error.
func TestHeadersOfTheCaller(t *testing.T) {
	own := HeaderKey("x-api-key", "", walletfi.NewSecret("k-123456"))
	for name, c := range map[string]struct {
		auth   Authoriser
		header string
		ok     bool
	}{
		"the client's own":              {own, "X-API-Key", false},
		"another service's key":         {own, "x-demo-api-key", true},
		"a token":                       {own, "X-Gateway-Token", true},
		"Authorization, which it lacks": {own, "Authorization", true},
		"a key, which it lacks":         {HeaderKey("x-api-key", "", walletfi.Secret{}), "x-api-key", true},
		"no credentials at all":         {nil, "x-api-key", true},
		"a bearer's":                    {bearer.New(bearer.Config{}), "authorization", false},
		"a cookie":                      {own, "Cookie", false},
		"framing":                       {own, "Transfer-Encoding", false},
		"Host":                          {own, "host", false},
		"idempotency":                   {own, "Idempotency-Key", false},
		"X idempotency":                 {own, "x-idempotency-key", false},
		"a trace":                       {own, "Traceparent", true},
	} {
		t.Run(name, func(t *testing.T) {
			service := serve(reply(400, `{"message":"canary-secret is not known"}`))
			client := clientOf(t, service, func(cfg *Config) { cfg.Auth = c.auth })
			call := callOf(Read)
			call.Public = c.auth == nil
			_, err := Do[result](t.Context(), client, call, []walletfi.CallOption{walletfi.WithHeader(c.header, "canary-secret")})
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			if !c.ok {
				require.Empty(t, service.requests())
				return
			}
			require.Len(t, service.requests(), 1)
			assert.Equal(t, "canary-secret", service.requests()[0].header.Get(c.header))
			if isCredential(c.header) {
				assert.NotContains(t, err.Error(), "canary")
				assert.NotContains(t, string(responseOf(t, err).Body), "canary")
			}
		})
	}
	require.True(t, isCredential(http.CanonicalHeaderKey("x-api-key")))
}

// TestWithQueryAlone: parameters of the caller's on a call that has none.
func TestWithQueryAlone(t *testing.T) {
	service := serve(reply(200, success))
	_, err := Do[result](t.Context(), clientOf(t, service), callOf(Read), []walletfi.CallOption{walletfi.WithQuery("beta", "x y")})
	require.NoError(t, err)
	assert.Equal(t, "/base/v1/thing?beta=x+y", service.requests()[0].target)
}

// TestParameters: what a request has a field for, behind pointers too.
func TestParameters(t *testing.T) {
	type fields struct {
		Limit  *int   `url:"limit,omitempty"`
		Name   string `url:"name"`
		Body   string `url:"-"`
		Plain  string
		Dashed string `url:",omitempty"`
	}
	for name, query := range map[string]any{"a struct": fields{}, "a pointer": &fields{}, "two": new(&fields{})} {
		assert.Equal(t, []string{"limit", "name"}, parameters(reflect.TypeOf(query)), name)
	}
	for _, query := range []any{nil, url.Values{"a": nil}, []fields{}, 7} {
		assert.Empty(t, parameters(reflect.TypeOf(query)))
	}
}
