package dialect_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func signedIn(t *testing.T, s *worldtest.World, name string) string {
	t.Helper()
	access, _ := s.SmartAccount.SignIn(name + "@example.com")
	return access
}

// TestPlacesOfAKey: the key is due in every live place, and nowhere else.
func TestPlacesOfAKey(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{Auth: []deployment.Place{
		{In: deployment.InHeader, Name: "X-Acme", Prefix: "Key "}, {In: deployment.InQuery, Name: "token"},
		{In: deployment.InHeader, Name: "X-App", Secret: "app"}, {In: deployment.InHeader, Name: "X-Any", Secret: "any"},
	}}, func(c *play.Config) { c.DeploymentSecrets = map[string]string{"app": "s3cret"} })
	key := s.APIKey(play.Lending)
	path := "/v1/pools?token=" + key
	headers := func(more ...string) []string {
		return append([]string{"X-Api-Key", "", "X-Acme", "Key " + key, "X-App", "s3cret", "X-Any", "x"}, more...)
	}
	try(t, s, play.Lending, "GET", []tried{
		{name: "all places", path: path, headers: headers(), status: 200},
		{name: "the documented place too", path: path, headers: headers("X-Api-Key", key), status: 401, problem: "a credential in X-Api-Key, which the deployment has elsewhere"},
		{name: "the documented place only", path: "/v1/pools", status: 401, problem: "a credential in X-Api-Key, which the deployment has elsewhere"},
		{name: "no place", path: "/v1/pools", headers: []string{"X-Api-Key", ""}, status: 401, problem: "no credential: header X-Acme and query token and header X-App and header X-Any is missing"},
		{name: "one place less", path: "/v1/pools", headers: headers(), status: 401, problem: "no credential: query token is missing"},
		{name: "no prefix", path: path, headers: headers("X-Acme", key), status: 401, problem: "header X-Acme is not of the form Key <credential>"},
		{name: "a key of another place", path: path, headers: headers("X-Acme", "Key x"), status: 401, problem: "query token has another credential than the place before it"},
		{name: "twice", path: path + "&token=" + key, headers: headers(), status: 401, problem: "query token is sent more than once"},
		{name: "not the secret", path: path, headers: headers("X-App", "other"), status: 401, problem: "header X-App is not the secret app"},
		{name: "a wrong key is no violation", path: "/v1/pools?token=x", headers: headers("X-Acme", "Key x"), status: 401},
	})
}

// TestBearerElsewhere: tokens that a service issues, routes that take none, and a refresh.
func TestBearerElsewhere(t *testing.T) {
	s := under(t, play.SmartAccount, deployment.Service{
		Auth:    []deployment.Place{{In: deployment.InHeader, Name: "X-Session"}},
		Words:   deployment.Words{Keys: words{"refreshToken": "renewal", "accessToken": "session"}},
		Headers: words{"X-RateLimit-Remaining": "X-Acme-Left"},
	})
	access, refresh := s.SmartAccount.SignIn("a@example.com")
	none := []string{"Authorization", ""}
	with := func(token string) []string { return append([]string{"X-Session", token}, none...) }
	a := try(t, s, play.SmartAccount, "GET", []tried{
		{name: "live", path: "/accounts", headers: with(access), status: 200},
		{name: "as documented", path: "/accounts", headers: []string{"Authorization", "Bearer " + access}, status: 401, problem: "a credential in Authorization, which the deployment has elsewhere"},
		{name: "no place", path: "/accounts", headers: none, status: 401, problem: "no credential: header X-Session is missing"},
		{name: "a stale token", path: "/accounts", headers: with("x"), status: 401},
	})["live"]
	assert.Equal(t, "99", a.Header.Get("X-Acme-Left"), "%v", a.Header)
	assert.Empty(t, a.Header.Values("X-RateLimit-Remaining"))
	assert.NotEmpty(t, a.Header.Values("X-RateLimit-Limit"))
	b := try(t, s, play.SmartAccount, "POST", []tried{
		{name: "where none is asked for", path: "/auth/refresh", body: words{"renewal": refresh}, headers: with(access), status: 400, problem: "a credential in header X-Session, which is not asked for"},
		{name: "refreshed", path: "/auth/refresh", body: words{"renewal": refresh}, headers: none, status: 200},
	})["refreshed"]
	assert.Equal(t, 200, s.Do(t, play.SmartAccount, "GET", "/accounts", nil, with(b.Text("session"))...).Status)
}

// TestNoCredential: a deployment that takes none, and one that takes only another's.
func TestNoCredential(t *testing.T) {
	s := under(t, play.Webhooks, deployment.Service{NoAuth: true})
	const path = "/webhooks/rest/v1/webhooks"
	try(t, s, play.Webhooks, "GET", []tried{
		{name: "none", path: path, headers: []string{"Authorization", ""}, status: 200},
		{name: "one", path: path, status: 401, problem: "a credential in Authorization, where the deployment takes none"},
	})
	s = under(t, play.Swap, deployment.Service{Auth: []deployment.Place{{In: deployment.InQuery, Name: "app", Secret: "app"}}})
	try(t, s, play.Swap, "GET", []tried{
		{name: "optional: none", path: "/tokens", headers: []string{"X-Api-Key", ""}, status: 200},
		{name: "another's secret", path: "/tokens?app=x", headers: []string{"X-Api-Key", ""}, status: 200},
		{name: "an empty one", path: "/tokens?app=", headers: []string{"X-Api-Key", ""}, status: 401, problem: "query app is not of the form <credential>"},
	})
}

// TestAServiceWithoutCredentials can be asked for another's on each route.
func TestAServiceWithoutCredentials(t *testing.T) {
	s := under(t, play.AMM, deployment.Service{Auth: []deployment.Place{{In: deployment.InHeader, Name: "X-Proxy", Secret: "proxy"}}},
		func(c *play.Config) { c.DeploymentSecrets = map[string]string{"proxy": "p"} })
	quote := "/compute/swap-base-in?inputMint=" + s.Mint("USDC") + "&outputMint=" + s.Mint("SOL") + "&amount=1000000&slippageBps=50&txVersion=V0"
	try(t, s, play.AMM, "GET", []tried{
		{name: "with it", path: quote, headers: []string{"X-Proxy", "p"}, status: 200},
		{name: "another", path: quote, headers: []string{"X-Proxy", "q"}, status: 400, problem: "header X-Proxy is not the secret proxy"},
		{name: "none", path: quote, status: 400, problem: "no credential: header X-Proxy is missing"},
	})
}

// TestHeaderOfAKeyRenamed: without places, a key's header can have another name.
func TestHeaderOfAKeyRenamed(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{Headers: words{"x-api-key": "x-acme"}})
	key := s.APIKey(play.Lending)
	try(t, s, play.Lending, "GET", []tried{
		{name: "live", path: "/v1/pools", headers: []string{"X-Api-Key", "", "X-Acme", key}, status: 200},
		{name: "documented", path: "/v1/pools", status: 401, problem: "header X-Api-Key, which the deployment calls X-Acme"},
	})
}

// TestAFaultIsSentAsItIs, and a fault's own envelope in live words.
func TestAFaultIsSentAsItIs(t *testing.T) {
	s := under(t, play.SocialSearch, deployment.Service{
		Headers: words{"x-rate-limit-reset": "X-Later"}, Words: deployment.Words{Keys: words{"title": "headline"}},
		Failure: []deployment.Step{{Unwrap: "problem"}},
	})
	at := play.Route{Service: play.SocialSearch, Method: "GET", Pattern: "/2/posts/{id}"}
	s.Fault(at, play.Fault{Body: []byte(`{"title":1}`), Header: http.Header{"x-rate-limit-reset": {"5"}}, Times: 1})
	raw := s.Do(t, play.SocialSearch, "GET", "/2/posts/1", nil)
	assert.JSONEq(t, `{"title":1}`, string(raw.Raw))
	assert.Equal(t, "5", raw.Header.Get("X-Rate-Limit-Reset"))
	s.Fault(at, play.Fault{Status: 429, Times: 1})
	limited := s.Do(t, play.SocialSearch, "GET", "/2/posts/1", nil)
	assert.NotEmpty(t, limited.Header.Get("X-Later"))
	assert.Empty(t, limited.Header.Get("X-Rate-Limit-Reset"))
	assert.NotNil(t, limited.At("problem"), "%s", limited.Raw)
}
