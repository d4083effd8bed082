package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// acmeHooks renames the headers of deliveries and the members of their bodies.
const acmeHooks = `{
  "name": "acme",
  "services": {"webhooks": {
    "headers": {"X-Webhook-Signature": "X-Acme-Sig", "X-Webhook-Nonce": "X-Acme-Once", "X-Webhook-Timestamp": "X-Acme-At"},
    "keys": {"webhookId": "hook", "transactions": "txs", "slot": "height", "meta": "outcome", "blockNumber": "block", "hash": "txid"},
    "values": {"network": {"SOLANA_MAINNET": "sol", "ETH_MAINNET": "eth"}},
  }},
}
`

// TestVerifyWebhookOfVendor: what a vendor signs under names and words of its own. The
// sandbox's translation is not the command's.
func TestVerifyWebhookOfVendor(t *testing.T) {
	acme, err := deployment.Parse("acme.json", []byte(acmeHooks))
	require.NoError(t, err)
	destination := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer destination.Close()
	s, err := sandbox.Start(sandbox.Config{WebhookClient: destination.Client(), Deployment: acme})
	require.NoError(t, err)
	defer s.Close()
	client, err := webhooks.New(webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Webhooks)), Options: s.Options(),
	})
	require.NoError(t, err)
	hook, err := client.CreateWebhook(t.Context(), sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "SOLANA_MAINNET", Enabled: true, DestinationURL: destination.URL,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{s.WalletAddress()}},
	})
	require.NoError(t, err)
	live := strings.NewReplacer(`"webhookId"`, `"hook"`, `"transactions"`, `"txs"`, `"slot"`, `"height"`, `"meta"`, `"outcome"`,
		`"blockNumber"`, `"block"`, `"hash"`, `"txid"`, "SOLANA_MAINNET", "sol", "ETH_MAINNET", "eth")
	for _, body := range []string{ledgerBody, evmBody} {
		require.NoError(t, s.Webhooks().Deliver(hook.ID, []byte(live.Replace(body))))
		sandbox.Settle(s, 10*time.Second)
	}
	deliveries := s.Deliveries()
	require.Len(t, deliveries, 2)
	vendor, env := file(t, acmeHooks), []string{secretVariable + "=" + s.Webhooks().Secret()}
	want := []verified{
		{Kind: "ledger", Webhook: "w1", Network: "SOLANA_MAINNET", Place: "slot 7", Transactions: []string{ledgerTx}},
		{Kind: "evm", Webhook: "w2", Network: "ETH_MAINNET", Place: "block 9 0x00000000000000000000000000000000000000000000000000000000000000ab", Transactions: []string{"0x00000000000000000000000000000000000000000000000000000000000000cd"}},
	}
	for i, d := range deliveries {
		require.Contains(t, string(d.Body), `"txs"`, "the vendor's words")
		headers := file(t, headersOf(d.Header))
		require.Contains(t, strings.ToLower(headersOf(d.Header)), "x-acme-sig")
		got := call{in: string(d.Body), env: env}.run(t, "verify-webhook", "--headers", headers, "--deployment", vendor, "--json")
		require.Zero(t, got.status, got.err)
		var all verified
		require.NoError(t, json.Unmarshal([]byte(got.out), &all))
		require.NotEmpty(t, all.SignedAt)
		want[i].Valid, want[i].SignedAt = true, all.SignedAt
		require.Equal(t, want[i], all)

		call{in: string(d.Body), env: env}.run(t, "verify-webhook", "--headers", headers).fails(t, statusMalformed, webhooks.HeaderSignature)
		call{in: string(d.Body) + " ", env: env}.run(t, "verify-webhook", "--headers", headers, "--deployment", vendor).fails(t, statusSignature, "does not match")
	}
}

func TestVerifyWebhookOfVendorRefuses(t *testing.T) {
	headers, env := file(t, delivery(t, ledgerBody)), []string{secretVariable + "=" + theSecret}
	verify := func(vendor string) result {
		return call{in: ledgerBody, env: env}.run(t, "verify-webhook", "--headers", headers, "--deployment", vendor)
	}
	verify(file(t, acmeHooks)).fails(t, statusMalformed, "X-Acme-Sig", "X-Acme-Once", "X-Acme-At")
	verify(file(t, `{"services": {"webhooks": {"heads": {}}}}`)).fails(t, statusMalformed, ":1: ", "services.webhooks.heads")
	verify("/nonexistent").fails(t, statusMalformed, "/nonexistent")
	verify("-").fails(t, statusUsage, "standard input")
	got := verify(file(t, `{"services": {"lending": {}}}`))
	require.Zero(t, got.status, "the file says nothing of deliveries: %s", got.err)
}
