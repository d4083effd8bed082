package dialect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestRoutesMove(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{
		URLs:     words{"baseURL": "https://api.acme.example/live/v9/"},
		Segments: words{"pools": "vaults", "stats": "numbers"},
		Operations: map[string]deployment.Operation{
			"GET /v1/account/{walletAddress}":         {Route: "GET /who?id={walletAddress}&v=2"},
			"GET /v1/account/{owner}/history":         {Route: "GET /who?id={owner}&v=3"},
			"GET /v1/rates":                           {Route: "POST /rates/{period}?every={interval}"},
			"GET /v1/referrer/{referrerAddress}":      {Route: "GET /friends/{referrerAddress}"},
			"GET /v1/account/{w}/pending-withdrawals": {Route: "GET /friends/waiting?of={w}"},
		},
	})
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	s.Lend(t, "USDC", "regular", 5_000_000)
	assert.Regexp(t, `^http://127\.0\.0\.1:\d+/live/v9$`, s.URL(play.Lending))
	try(t, s, play.Lending, "GET", []tried{
		{name: "a path value in the query, a literal", path: "/who?id=" + me + "&v=2", status: 200},
		{name: "told apart by the literal", path: "/who?v=3&limit=5&id=" + me, status: 200},
		{name: "without the literal", path: "/who?id=" + me, status: 404, problem: "no such route"},
		{name: "without the value", path: "/who?v=2", status: 400, problem: "query parameter id is missing"},
		{name: "the value twice", path: "/who?v=2&id=" + me + "&id=" + me, status: 400, problem: "query parameter id is sent more than once"},
		{name: "the documented path", path: "/v1/account/" + me, status: 404, problem: "no such route"},
		{name: "segments", path: "/v1/vaults", status: 200},
		{name: "all segments", path: "/v1/vaults/numbers?mint=" + usdc, status: 200},
		{name: "a documented segment", path: "/v1/pools", status: 404, problem: "no such route"},
		{name: "half of them", path: "/v1/vaults/stats", status: 404, problem: "no such route"},
		{name: "a literal before a value", path: "/friends/waiting?of=" + me, status: 200},
		{name: "another value, in the place of the literal", path: "/friends/" + me, status: 404}, // no referrer yet
		{name: "the live method is another", path: "/rates/24h?every=1h", status: 405, problem: "the method is not allowed here"},
	})
	try(t, s, play.Lending, "POST", []tried{
		{name: "parameters in path and query", path: "/rates/24h?every=1h&mint=" + usdc, status: 200},
		{name: "one of the query left out", path: "/rates/24h?mint=" + usdc, status: 200},
		{name: "again under its own name", path: "/rates/24h?every=1h&interval=1h&mint=" + usdc, status: 400, problem: "query parameter interval, which the deployment has elsewhere"},
		{name: "not one of the values", path: "/rates/25h?mint=" + usdc, status: 400, problem: "query parameter period is none of 1h, 24h, 7d, 30d"},
		{name: "no value", path: "/rates/?mint=" + usdc, status: 404, problem: "no such route"},
	})
	a := s.DoAt(t, s.URL(play.Lending)[:len(s.URL(play.Lending))-len("/live/v9")], play.Lending, "GET", "/v1/vaults", nil)
	assert.Equal(t, 404, a.Status, "not below the base")
	assert.Equal(t, []string{"no such route"}, s.TakeProblems())
	hits := s.Hits()
	assert.Equal(t, 1, hits[play.Route{Service: play.Lending, Method: "GET", Pattern: "/v1/pools/stats"}], "documented routes")
	assert.Equal(t, 4, hits[play.Route{Service: play.Lending, Method: "GET", Pattern: "/v1/rates"}])
}

func TestBasePathsOfAllHosts(t *testing.T) {
	s := under(t, play.OnchainData, deployment.Service{
		URLs:     words{"proBaseURL": "https://pro.acme.example/paid"},
		Segments: words{"api": "rest", "networks": "chains", "dexes": "venues"},
	})
	assert.Regexp(t, `:\d+/rest/v3/onchain$`, s.URL(play.OnchainData), "segments, the prefix of the base URL included")
	assert.Regexp(t, `:\d+/paid$`, s.OnchainProURL())
	try(t, s, play.OnchainData, "GET", []tried{
		{name: "demo", path: "/chains/networks/venues", status: 404},
		{name: "demo, known", path: "/chains/solana/venues", status: 200},
	})
	a := s.DoAt(t, s.OnchainProURL(), play.OnchainData, "GET", "/chains/solana/venues", nil, "X-Demo-Api-Key", "", "X-Pro-Api-Key", s.APIKey(play.OnchainData))
	assert.Equal(t, 200, a.Status)
	assert.Empty(t, s.TakeProblems())
}

// TestADeploymentThatCannotBe: what the sandbox could not serve does not start.
func TestADeploymentThatCannotBe(t *testing.T) {
	operation := func(name string, o deployment.Operation) deployment.Service {
		return deployment.Service{Operations: map[string]deployment.Operation{name: o}}
	}
	const account = "GET /v1/account/{walletAddress}"
	for want, file := range map[string]deployment.Service{
		`no operation "GET /v1/nothing"`:            operation("GET /v1/nothing", deployment.Operation{}),
		"is not a method and a path":                operation(account, deployment.Operation{Route: "/who"}),
		"lacks a value of the documented path":      operation(account, deployment.Operation{Route: "GET /who"}),
		"{walletAddress} twice":                     operation(account, deployment.Operation{Route: "GET /who/{walletAddress}?id={walletAddress}"}),
		"{page}, which is no value":                 operation(account, deployment.Operation{Route: "GET /who/{walletAddress}?id={page}"}),
		"paging of an operation that does not page": operation(account, deployment.Operation{Paging: &deployment.Paging{Form: "page", Param: "p"}}),
		"paging by cursor without next":             operation(account+"/history", deployment.Operation{Paging: &deployment.Paging{Form: "cursor", Param: "p"}}),
		"paging without param":                      operation(account+"/history", deployment.Operation{Paging: &deployment.Paging{Form: "page"}}),
		`paging has the form "book"`:                operation(account+"/history", deployment.Operation{Paging: &deployment.Paging{Form: "book", Param: "p"}}),
		`"x" is that of`:                            {Words: deployment.Words{Keys: words{"mint": "x", "symbol": "x"}}},
		`the live word of "mint" is empty`:          {Words: deployment.Words{Query: words{"mint": ""}}},
		"values of status":                          {Words: deployment.Words{Values: map[string]map[string]string{"status": {"a": "x", "b": "x"}}}},
		"auth and noAuth":                           {NoAuth: true, Auth: []deployment.Place{{In: deployment.InHeader, Name: "X"}}},
		"headers":                                   {Headers: words{"A": "x", "B": "X"}},
		"segments":                                  {Segments: words{"a": "x", "b": "x"}},
	} {
		require.ErrorContains(t, refused(play.Lending, file), want)
	}
	require.ErrorContains(t, refused("lendign", deployment.Service{}), "is not a service")
	require.NoError(t, refused(play.Lending, deployment.Service{}))
}
