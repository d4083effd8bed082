package main

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestVerifyWebhookOfService: what the service itself signed is valid, whichever chain
// it is about. The sandbox's signatures are not made by the code that verifies them.
func TestVerifyWebhookOfService(t *testing.T) {
	destination := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer destination.Close()
	s, err := sandbox.Start(sandbox.Config{WebhookClient: destination.Client()})
	require.NoError(t, err)
	defer s.Close()
	client, err := webhooks.New(webhooks.Config{BaseURL: s.URL(sandbox.Webhooks), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Webhooks))})
	require.NoError(t, err)
	hook, err := client.CreateWebhook(t.Context(), sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "SOLANA_MAINNET", Enabled: true, DestinationURL: destination.URL,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{s.WalletAddress()}},
	})
	require.NoError(t, err)
	for _, body := range []string{ledgerBody, evmBody} {
		require.NoError(t, s.Webhooks().Deliver(hook.ID, []byte(body)))
		sandbox.Settle(s, 10*time.Second)
	}
	deliveries := s.Deliveries()
	require.Len(t, deliveries, 2)
	for i, kind := range []string{"ledger", "evm"} {
		headers := file(t, headersOf(deliveries[i].Header))
		got := call{in: string(deliveries[i].Body), env: []string{secretVariable + "=" + s.Webhooks().Secret()}}.run(t, "verify-webhook", "--headers", headers)
		require.Zero(t, got.status, got.err)
		require.Contains(t, got.out, "kind "+kind)
		old := s.Webhooks().Secret() + "x"
		call{in: string(deliveries[i].Body), env: []string{secretVariable + "=" + old}}.run(t, "verify-webhook", "--headers", headers).fails(t, statusSignature, "does not match")
	}
}
