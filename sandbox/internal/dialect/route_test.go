package dialect_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
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

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// words are maps of words, as the file has them.
type words = map[string]string

// under opens a sandbox whose service speaks a deployment.
func under(t *testing.T, service play.Service, file deployment.Service, more ...func(*play.Config)) *worldtest.World {
	t.Helper()
	c := play.Config{ManualClock: true, NoLimits: true, StrictEcho: true, Shape: 1}
	c.Deployment = &deployment.Deployment{Name: "acme", Services: map[string]deployment.Service{string(service): file}}
	for _, change := range more {
		change(&c)
	}
	return worldtest.Start(t, c)
}

// tried is a request and what comes of it.
type tried struct {
	name    string
	path    string
	body    any
	headers []string
	status  int
	problem string // of the violation; empty if there is none
}

// try sends the requests of a table with a method, and returns the answers.
func try(t *testing.T, s *worldtest.World, service play.Service, method string, rows []tried) map[string]worldtest.Answer {
	t.Helper()
	answers := map[string]worldtest.Answer{}
	for _, row := range rows {
		a := s.Do(t, service, method, row.path, row.body, row.headers...)
		assert.Equal(t, row.status, a.Status, "%s: %s", row.name, a.Raw)
		problems := s.TakeProblems()
		if row.problem == "" {
			assert.Empty(t, problems, row.name)
		} else {
			assert.Contains(t, problems, row.problem, row.name)
		}
		answers[row.name] = a
	}
	return answers
}

// refused reports how a sandbox with a deployment does not start.
func refused(service play.Service, file deployment.Service) error {
	s, err := world.Open(play.Config{Deployment: &deployment.Deployment{Services: map[string]deployment.Service{string(service): file}}})
	if err == nil {
		s.Close()
	}
	return err
}

// TestShapesOfAnswers: each step of an answer is taken back, with live words in it.
func TestShapesOfAnswers(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{
		Words:   deployment.Words{Keys: words{"pools": "vaults", "error": "problem", "positions": "held"}},
		Failure: []deployment.Step{{Unwrap: "failure.inner"}, {Move: "text", To: "problem.message"}},
		Operations: map[string]deployment.Operation{
			"GET /v1/pools":                   {Answer: []deployment.Step{{Unwrap: "data.result"}, {Wrap: "vaults"}, {At: "vaults.*", Unwrap: "attributes"}}},
			"GET /v1/rates":                   {Answer: []deployment.Step{{Only: true}, {Move: "meta.coin", To: "mint"}}},
			"GET /v1/account/{walletAddress}": {Answer: []deployment.Step{{At: "data.held", List: true}, {Unwrap: "data"}}},
			"GET /v1/account/{walletAddress}/history": {
				Answer: []deployment.Step{{At: "events.*", Unwrap: "event"}, {Move: "page.count", To: "total"}},
			},
		},
	})
	me := s.WalletAddress()
	s.Lend(t, "USDC", "regular", 5_000_000)
	pools := s.Do(t, play.Lending, "GET", "/v1/pools", nil)
	assert.IsType(t, []any{}, pools.At("data", "result"), "a bare array: %s", pools.Raw)
	assert.Equal(t, s.Mint("USDC"), pools.At("data", "result", 0, "attributes", "mint"))
	assert.NotNil(t, pools.At("sandbox_beside"), "what unwrap drops is made up")
	assert.NotNil(t, pools.At("data", "sandbox_beside"))

	rates := s.Do(t, play.Lending, "GET", "/v1/rates?mint="+s.Mint("USDC"), nil)
	assert.Equal(t, s.Mint("USDC"), rates.At(0, "meta", "coin"), "%s", rates.Raw)
	assert.Nil(t, rates.At(0, "mint"))
	assert.Nil(t, rates.At(1))

	history := s.Do(t, play.Lending, "GET", "/v1/account/"+me+"/history", nil)
	assert.Equal(t, "deposit", history.Text("events", 0, "event", "type"), "%s", history.Raw)
	empty := s.Do(t, play.Lending, "GET", "/v1/account/"+me+"/history?type=withdraw", nil)
	assert.Equal(t, json.Number("0"), empty.At("page", "count"), "an empty array has no place: %s", empty.Raw)
	assert.Nil(t, history.At("total"))

	none := s.Do(t, play.Lending, "GET", "/v1/account/"+s.Mint("DUST"), nil)
	assert.Equal(t, 404, none.Status)
	assert.NotEmpty(t, none.Text("failure", "inner", "text"), "%s", none.Raw)
	assert.Equal(t, "NOT_FOUND", none.Text("failure", "inner", "problem", "code"))
	assert.Nil(t, none.At("failure", "inner", "problem", "message"))
	lost := s.Do(t, play.Lending, "GET", "/v1/nowhere", nil)
	assert.Equal(t, "NOT_FOUND", lost.Text("failure", "inner", "problem", "code"), "without an operation, too")
	assert.Equal(t, []string{"no such route"}, s.TakeProblems())
	account := s.Do(t, play.Lending, "GET", "/v1/account/"+me, nil)
	assert.Equal(t, s.Mint("USDC"), account.At("data", "held", "mint"), "one position: %s", account.Raw)
	s.Lend(t, "USDC", "boosted", 5_000_000)
	account = s.Do(t, play.Lending, "GET", "/v1/account/"+me, nil)
	assert.Nil(t, account.At("data"), "a step that cannot be taken back: as documented: %s", account.Raw)
	assert.NotNil(t, account.At("held", 1))
}

// TestShapesOfBodies: the steps of a body are taken back, strictly.
func TestShapesOfBodies(t *testing.T) {
	const deposit = "POST /v1/generate.transactions.deposit"
	s := under(t, play.Lending, deployment.Service{
		Words: deployment.Words{Keys: words{"owner": "who"}, Extra: deployment.Extra{
			Query: words{"v": "2"}, Headers: words{"X-App": "bot"},
			Body: map[string]json.RawMessage{"app": json.RawMessage(`{"id": 7}`)},
		}},
		Operations: map[string]deployment.Operation{
			deposit: {
				Body:  []deployment.Step{{Move: "who", To: "signer.address"}, {At: "amount", List: true}, {Wrap: "request.params"}},
				Words: deployment.Words{Extra: deployment.Extra{Headers: words{"X-App": "saver"}}},
			},
			"POST /v1/referrer/initialize": {Body: []deployment.Step{{List: true}}},
			"POST /v1/referrer/claim":      {Body: []deployment.Step{{Unwrap: "referrer"}}},
		},
	})
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	type object = map[string]any
	inner := func() object {
		return object{"signer": object{"address": me}, "mintAddress": usdc, "depositType": "regular", "amount": []int{5_000_000}}
	}
	app := object{"id": 7}
	more, two, unmoved := inner(), inner(), inner()
	two["amount"] = []int{1, 2}
	delete(unmoved, "signer")
	unmoved["who"] = me
	more["memo"] = "x"
	const path, saver = "/v1/generate.transactions.deposit?v=2", "saver"
	const shape = "the body does not have the deployment's shape: "
	try(t, s, play.Lending, "POST", []tried{
		{name: "as it is due", path: path, body: object{"request": object{"params": inner()}, "app": app}, headers: []string{"X-App", saver}, status: 200},
		{name: "not wrapped", path: path, body: object{"signer": 1, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: shape + "wrap request.params: there is nothing at the path"},
		{name: "more beside the wrapping", path: path, body: object{"request": object{"params": inner(), "x": 1}, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: shape + "wrap request.params: there is more beside params"},
		{name: "a list of two", path: path, body: object{"request": object{"params": two}, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: shape + "list: the array has not exactly one element"},
		{name: "not moved", path: path, body: object{"request": object{"params": unmoved}, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: shape + "move who to signer.address: there is nothing at the path"},
		{name: "an unknown word within", path: path, body: object{"request": object{"params": more}, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: "unknown field memo"},
		{name: "without the extra member", path: path, body: object{"request": object{"params": inner()}}, headers: []string{"X-App", saver}, status: 400, problem: `field app is not {"id": 7}, which the deployment requires`},
		{name: "another extra member", path: path, body: object{"request": object{"params": inner()}, "app": 7}, headers: []string{"X-App", saver}, status: 400, problem: `field app is not {"id": 7}, which the deployment requires`},
		{name: "the extra header of the service", path: path, body: object{"request": object{"params": inner()}, "app": app}, headers: []string{"X-App", "bot"}, status: 400, problem: `header X-App is not "saver", which the deployment requires`},
		{name: "no extra header", path: path, body: object{"request": object{"params": inner()}, "app": app}, status: 400, problem: `header X-App is not "saver", which the deployment requires`},
		{name: "another extra parameter", path: "/v1/generate.transactions.deposit?v=1", body: object{"request": object{"params": inner()}, "app": app}, headers: []string{"X-App", saver}, status: 400, problem: `query parameter v is not "2", which the deployment requires`},
		{name: "no JSON", path: path, body: "{", headers: []string{"X-App", saver}, status: 400, problem: "the body, or field , is not an object: EOF"},
	})
	try(t, s, play.Lending, "POST", []tried{
		{name: "an array, which has no extra", path: "/v1/referrer/initialize?v=2", body: []any{object{"referrer": me}}, headers: []string{"X-App", "bot"}, status: 200},
		{name: "a text, which has no extra", path: "/v1/referrer/claim?v=2", body: `"` + me + `"`, headers: []string{"X-App", "bot"}, status: 404}, // no referrer yet
	})
	try(t, s, play.Lending, "GET", []tried{
		{name: "extras of a GET", path: "/v1/pools?v=2", headers: []string{"X-App", "bot"}, status: 200},
		{name: "none", path: "/v1/pools", headers: []string{"X-App", "bot"}, status: 400, problem: `query parameter v is not "2", which the deployment requires`},
	})
}

// TestWordsOfRequests: the live words are taken, the documented ones and others are not.
func TestWordsOfRequests(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{
		Words: deployment.Words{
			Query:  words{"limit": "top", "type": "kind"},
			Keys:   words{"owner": "who", "mintAddress": "coin", "depositType": "owner"}, // two words change places
			Values: map[string]map[string]string{"type": {"deposit": "IN", "withdraw": "deposit"}, "depositType": {"regular": "R"}},
		},
		Operations: map[string]deployment.Operation{
			"POST /v1/generate.transactions.deposit": {Words: deployment.Words{
				Keys: words{"amount": "sum", "owner": "wallet"}, Query: words{"priorityFee": "fee"},
			}},
		},
	})
	const deposit = "/v1/generate.transactions.deposit"
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	history := "/v1/account/" + me + "/history"
	body := map[string]any{"wallet": me, "coin": usdc, "owner": "R", "sum": 5_000_000}
	s.SignAndSubmit(t, s.Do(t, play.Lending, "POST", deposit, body).Text("transaction"))
	try(t, s, play.Lending, "GET", []tried{
		{name: "live words", path: history + "?top=5&kind=IN", status: 200},
		{name: "a live value that is another documented one", path: history + "?kind=deposit", status: 200},
		{name: "a documented word", path: history + "?limit=5", status: 400, problem: `query parameter "limit", which the deployment calls "top"`},
		{name: "a documented value", path: history + "?kind=withdraw", status: 400, problem: `query parameter kind has "withdraw", which the deployment calls "deposit"`},
		{name: "an unknown word", path: history + "?most=5", status: 400, problem: "unknown query parameter most"},
		{name: "a word without another name", path: history + "?offset=1", status: 200},
		{name: "twice", path: history + "?top=5&top=5", status: 400, problem: "query parameter limit is sent more than once"},
	})
	with := func(name string, value any, without ...string) map[string]any {
		changed := map[string]any{name: value}
		for k, v := range body {
			changed[k] = v
		}
		for _, k := range without {
			delete(changed, k)
		}
		return changed
	}
	try(t, s, play.Lending, "POST", []tried{
		{name: "live words", path: deposit + "?fee=1", body: body, status: 200},
		{name: "the service's word where the operation has one", path: deposit, body: with("who", me, "wallet"), status: 400, problem: "unknown field who"},
		{name: "a documented word", path: deposit, body: with("amount", 1, "sum"), status: 400, problem: `field "amount", which the deployment calls "sum"`},
		{name: "a documented query word", path: deposit + "?priorityFee=1", body: body, status: 400, problem: `query parameter "priorityFee", which the deployment calls "fee"`},
		{name: "an unknown word", path: deposit, body: with("memo", "x"), status: 400, problem: "unknown field memo"},
		{name: "a documented value", path: deposit, body: map[string]any{"wallet": me, "coin": usdc, "owner": "regular", "sum": 1}, status: 400, problem: `field owner has "regular", which the deployment calls "R"`},
		{name: "a missing word", path: deposit, body: map[string]any{"coin": usdc, "owner": "R", "sum": 1}, status: 400, problem: "field owner is missing"},
	})
}

// TestNumbers: digits move, and the types are those of the deployment.
func TestNumbers(t *testing.T) {
	s := under(t, play.Lending, deployment.Service{
		Words: deployment.Words{Numbers: map[string]deployment.Number{
			"amount":         {Scale: 6, Live: deployment.JSONString, Neutral: deployment.JSONNumber, Prefix: "$", Suffix: " USD"},
			"priorityFee":    {Scale: 3},
			"totalDeposited": {Scale: 6, Live: deployment.JSONString, Neutral: deployment.JSONNumber},
			"balance":        {Scale: -2},
			"decimals":       {Prefix: "d"}, // which implies a string
		}},
	})
	const deposit = "/v1/generate.transactions.deposit"
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	body := func(amount any) map[string]any {
		return map[string]any{"owner": me, "mintAddress": usdc, "depositType": "regular", "amount": amount}
	}
	answers := try(t, s, play.Lending, "POST", []tried{
		{name: "scaled", path: deposit + "?priorityFee=1.5", body: body("$1.25 USD"), status: 200},
		{name: "too many digits", path: deposit, body: body("$1.0000001 USD"), status: 400, problem: "field amount has more digits than its scale"},
		{name: "too many in the query", path: deposit + "?priorityFee=0.0001", body: body("$1.25 USD"), status: 400, problem: "query parameter priorityFee has more digits than its scale"},
		{name: "without the affixes", path: deposit, body: body("1.25"), status: 400, problem: "field amount lacks the prefix or suffix of the deployment"},
		{name: "the documented type", path: deposit, body: body(1250000), status: 400, problem: "field amount is a number, where the deployment has a string"},
	})
	s.SignAndSubmit(t, answers["scaled"].Text("transaction"))
	account := try(t, s, play.Lending, "GET", []tried{{name: "account", path: "/v1/account/" + me, status: 200}})["account"]
	assert.Equal(t, "1.25", account.At("totalDeposited"), "a string")
	assert.Equal(t, json.Number("125000000"), account.At("positions", 0, "balance"), "1250000, a hundred times")
	pools := s.Do(t, play.Lending, "GET", "/v1/pools", nil)
	assert.Equal(t, "d6", pools.At("pools", 1, "decimals"))
}

// TestWordsOfAnswers: every member at any depth, and each item of a list.
func TestWordsOfAnswers(t *testing.T) {
	s := under(t, play.SmartAccount, deployment.Service{Words: deployment.Words{
		Keys:   words{"accounts": "members", "type": "sort", "permissions": "may"},
		Values: map[string]map[string]string{"type": {"personal": "P"}, "permissions": {"transfer": "SEND", "swap": "TRADE"}, "status": {"active": "ON"}},
	}})
	token := signedIn(t, s, "email")
	passkey, err := s.SmartAccount.CreatePasskey()
	require.NoError(t, err)
	registered := s.Do(t, play.SmartAccount, "POST", "/auth/passkey/register", map[string]any{
		"credentialId": passkey.CredentialID, "publicKey": passkey.PublicKey, "attestation": json.RawMessage(`{"type":"personal","status":"active"}`),
	}, "Authorization", "Bearer "+token)
	assert.Equal(t, 200, registered.Status, "what is WebAuthn's has its own words: %s", registered.Raw)
	assert.Empty(t, s.TakeProblems())
	auth := []string{"Authorization", "Bearer " + token}
	made := s.Do(t, play.SmartAccount, "POST", "/accounts", map[string]any{"name": "a", "sort": "P"}, auth...)
	assert.Equal(t, "P", made.At("sort"))
	assert.Equal(t, "ON", made.At("status"))
	list := s.Do(t, play.SmartAccount, "GET", "/accounts", nil, auth...)
	assert.Equal(t, "P", list.At("members", 0, "sort"))
	assert.Nil(t, list.At("accounts"))
	session := s.Do(t, play.SmartAccount, "POST", "/accounts/"+made.Text("id")+"/sessions", map[string]any{
		"publicKey": s.WalletAddress(), "name": "bot", "expiresAt": "2026-06-01T00:00:00Z", "may": []string{"SEND", "TRADE"},
		"limits": map[string]any{"perTransaction": "1", "daily": "2", "allowedMints": []string{s.Mint("USDC")}, "allowedDestinations": []string{s.WalletAddress()}},
	}, auth...)
	assert.Equal(t, []any{"SEND", "TRADE"}, session.At("may"), "%s", session.Raw)
	assert.Empty(t, s.TakeProblems())
	refused := s.Do(t, play.SmartAccount, "POST", "/accounts", map[string]any{"name": "a", "sort": "personal"}, auth...)
	assert.Equal(t, 400, refused.Status)
	assert.Contains(t, s.TakeProblems(), `field sort has "personal", which the deployment calls "P"`)
}

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
