package dialect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

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
