package webhooks_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

// madeUp is a deployment with words of its own.
var madeUp = wiretest.Words{
	Headers: map[string]string{
		webhooks.HeaderSignature: "X-Acme-Signature", webhooks.HeaderNonce: "X-Acme-Nonce", webhooks.HeaderTimestamp: "X-Acme-Timestamp",
	},
	Segments: map[string]string{"webhooks": "acme-hooks", "test": "ping"},
	Keys: map[string]string{
		"webhookId": "hookId", "blockHash": "hash", "hash": "txid", "logs": "acmeLogs", "value": "wei", "slot": "acmeSlot", "meta": "acmeMeta",
		"destination_url": "acmeUrl", "enabled": "on", "status": "state", "message": "reason",
	},
	Values: map[string]map[string]string{"network": {"ETH_MAINNET": "acme-eth", "SOLANA_MAINNET": "acme-sol"}},
}

// spoken puts a body of testdata into the words of that deployment.
func spoken(t testing.TB, file string) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return []byte(strings.NewReplacer(
		`"webhookId":`, `"hookId":`, `"blockHash":`, `"hash":`, `"hash":`, `"txid":`, `"logs":`, `"acmeLogs":`, `"value":`, `"wei":`,
		`"slot":`, `"acmeSlot":`, `"meta":`, `"acmeMeta":`, `ETH_MAINNET`, `acme-eth`, `SOLANA_MAINNET`, `acme-sol`,
	).Replace(string(body)))
}

// posted delivers over the wire to a receiver with a deployment.
func posted(t *testing.T, body []byte) (*webhooks.Delivery, int) {
	t.Helper()
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Deployment = madeUp.Of("webhooks") })
	server := httptest.NewServer(r)
	defer server.Close()
	live := signer
	live.Deployment = madeUp.Of("webhooks")
	response, err := server.Client().Do(live.Request(server.URL, body))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Len(t, r.runs, 1)
	return r.runs[0], response.StatusCode
}

// TestDeploymentOfDeliveries holds what is read by hand, and what is not,
// against the same body in the documentation's words.
func TestDeploymentOfDeliveries(t *testing.T) {
	for _, file := range []string{"evm.json", "ledger.json"} {
		neutral, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		body := spoken(t, file)
		require.NotEqual(t, neutral, body)
		want := webhooks.ParseDelivery(neutral)
		require.NoError(t, want.DecodeErr)

		got, status := posted(t, body)
		require.Equal(t, http.StatusOK, status)
		require.NoError(t, got.DecodeErr)
		require.Equal(t, want.EVM, got.EVM)
		require.Equal(t, want.Ledger, got.Ledger)
		require.Equal(t, want.WebhookID, got.WebhookID)
		require.NotEmpty(t, got.WebhookID)
		require.Equal(t, want.Network, got.Network)
		require.Equal(t, string(body), got.Raw.String(), "as it came")

		place := func(key string) string { return key[:strings.LastIndexByte(key, '/')] }
		require.Equal(t, place(want.Key()), place(got.Key()), "the same place")
		require.NotEqual(t, want.Key(), got.Key(), "the hash is of what was signed")
	}
}

// TestDeploymentWithoutJSON: what is no JSON, or in no known words, is kept.
func TestDeploymentWithoutJSON(t *testing.T) {
	for _, body := range []string{`{"hookId":`, `[{"txid":"1"}]`, `{"utxo":{"txid":"1"}}`} {
		d, status := posted(t, []byte(body))
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, body, d.Raw.String())
		require.Nil(t, d.EVM)
		require.Nil(t, d.Ledger)
	}
}

// TestDeploymentOfCalls: management goes out and comes back in live words.
func TestDeploymentOfCalls(t *testing.T) {
	status, reply := 200, `{"id":"test","acmeUrl":"https://a.test","on":false,"state":"ok","network":"acme-sol"}`
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, reply)
	})
	c, err := webhooks.New(webhooks.Config{
		BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: madeUp.Of("webhooks"), Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
	})
	require.NoError(t, err)
	hook, err := c.UpdateWebhook(t.Context(), "test", webhooks.UpdateWebhookRequest{Enabled: new(false), Network: "SOLANA_MAINNET", DestinationURL: "https://a.test"})
	require.NoError(t, err)
	sent := server.Requests()[0]
	require.Equal(t, "/acme-hooks/rest/v1/acme-hooks/test", sent.Target, "an id is the caller's")
	require.JSONEq(t, `{"on":false,"network":"acme-sol","acmeUrl":"https://a.test"}`, sent.Body)
	require.Equal(t, "https://a.test", hook.DestinationURL)
	require.False(t, *hook.Enabled)
	require.Equal(t, "SOLANA_MAINNET", hook.Network)
	require.Contains(t, hook.Raw.String(), `"enabled":false`, "in the words that Decode is used with")

	status, reply = 404, `{"reason":"no such hook"}`
	_, err = c.TestWebhook(t.Context(), "wh_2")
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.ErrorContains(t, err, "no such hook")
	require.Equal(t, "/acme-hooks/rest/v1/acme-hooks/wh_2/ping", server.Requests()[1].Target)
}

// TestDeploymentWordsByRoute: an argument has one name where a webhook is made and another one
// where it is changed, the answer is compared under it, and the caller's own words go as they are.
func TestDeploymentWordsByRoute(t *testing.T) {
	reply := func(args string) string {
		return `{"id":"wh_1","name":"n","network":"SOLANA_MAINNET","destination_url":"https://a.test",` +
			`"templateArgs":` + args + `}`
	}
	answer := ""
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
	keys := func(live string) deployment.Operation {
		return deployment.Operation{Words: deployment.Words{Keys: map[string]string{"addresses": live}}}
	}
	words := wiretest.Deployed("webhooks", deployment.Service{Operations: map[string]deployment.Operation{
		"POST /webhooks/rest/v1/webhooks/template/{templateId}": keys("wallets"),
		"PATCH /webhooks/rest/v1/webhooks/{webhookId}":          keys("accounts"),
	}})
	require.NoError(t, words.Check())
	c := wiretest.Client(t, webhooks.New, webhooks.Config{
		BaseURL: server.URL, APIKey: wiretest.Key(), Options: walletfi.Options{Deployment: words},
	})
	create := func(args webhooks.TemplateArgs, answered string) error {
		answer = reply(answered)
		return wiretest.Error(c.CreateWebhook(t.Context(), "solanaWalletFilter", webhooks.CreateWebhookRequest{
			Name: "n", Network: "SOLANA_MAINNET", DestinationURL: "https://a.test", TemplateArgs: args,
		}))
	}
	wallet := webhooks.WalletFilter{Addresses: []string{"A"}}
	require.NoError(t, create(wallet, `{"wallets":["A"]}`))
	require.ErrorIs(t, create(wallet, `{"wallets":["B"]}`), walletfi.ErrMismatch)
	require.NoError(t, create(webhooks.RawArgs(`{"accounts":["A"]}`), `{"accounts":["A"]}`))
	answer = reply(`{"accounts":["A"]}`)
	_, err := c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{TemplateArgs: wallet})
	require.NoError(t, err)
	for i, want := range []string{`{"wallets":["A"]}`, `{"wallets":["A"]}`, `{"accounts":["A"]}`, `{"accounts":["A"]}`} {
		require.Contains(t, server.Requests()[i].Body, `"templateArgs":`+want)
	}
}

// TestDeliveryReader reads what a receiver reads, under the vendor's names alone.
func TestDeliveryReader(t *testing.T) {
	live := signer
	live.Deployment = madeUp.Of("webhooks")
	verifier := webhooks.Verifier{Secrets: []walletfi.Secret{live.Secret}, Now: live.Now}
	reader, err := webhooks.NewDeliveryReader(verifier, live.Deployment)
	require.NoError(t, err)
	signature, nonce, timestamp := reader.Headers()
	require.Equal(t, []string{"X-Acme-Signature", "X-Acme-Nonce", "X-Acme-Timestamp"}, []string{signature, nonce, timestamp})
	for _, file := range []string{"evm.json", "ledger.json"} {
		neutral, err := os.ReadFile("testdata/" + file)
		require.NoError(t, err)
		body := spoken(t, file)
		got, err := reader.Read(live.Request("https://a.test", body).Header, strings.NewReader(string(body)))
		require.NoError(t, err)
		want := webhooks.ParseDelivery(neutral)
		require.Equal(t, want.EVM, got.EVM)
		require.Equal(t, want.Ledger, got.Ledger)
		require.Equal(t, string(body), got.Raw.String(), "as it came")

		plain := signer.Request("https://a.test", body).Header
		_, err = reader.Read(plain, strings.NewReader(string(body)))
		require.ErrorIs(t, err, webhooks.ErrHeaders, "the documented names are not the vendor's")
		require.ErrorContains(t, err, "X-Acme-Signature")
		_, err = reader.Read(live.Request("https://a.test", body).Header, strings.NewReader(string(body)+" "))
		require.ErrorIs(t, err, webhooks.ErrSignature)
	}
	_, err = webhooks.NewDeliveryReader(webhooks.Verifier{}, nil)
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	wrong := madeUp.Of("webhooks")
	wrong.Services["webhook"] = wrong.Services["webhooks"]
	require.ErrorIs(t, wiretest.Error(webhooks.NewDeliveryReader(verifier, wrong)), walletfi.ErrInvalidRequest)
}

// TestDeploymentThatWouldRound: an amount that has no exact value in the documentation's
// unit is a reason not to understand the delivery, and not to lose it.
func TestDeploymentThatWouldRound(t *testing.T) {
	words := &deployment.Deployment{Services: map[string]deployment.Service{"webhooks": {Words: deployment.Words{
		Numbers: map[string]deployment.Number{"value": {Scale: 2}},
	}}}}
	for value, exact := range map[string]bool{"1.05": true, "1.005": false} {
		body := []byte(head + evmBlock + evmTx(`"value":"1"`, `"value":`+value) + `]}`)
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Deployment = words })
		require.Equal(t, 200, r.gets(signer.Request(destination, body)))
		d := r.runs[0]
		require.Equal(t, string(body), d.Raw.String())
		if exact {
			require.NoError(t, d.DecodeErr)
			require.Equal(t, webhooks.Quantity("105"), d.EVM.Transactions[0].Value)
			continue
		}
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
		require.ErrorContains(t, d.DecodeErr, "value")
		require.Nil(t, d.EVM)
		require.Nil(t, d.Ledger)
	}
}
