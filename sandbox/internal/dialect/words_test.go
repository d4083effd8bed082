package dialect_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

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
