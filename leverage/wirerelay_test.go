package leverage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/leverage"
)

func TestWireRelays(t *testing.T) {
	signed := string(signedTransaction())
	wiretest.Run(t, []wiretest.Case{{
		Name: "SendTransaction",
		Call: wiretest.By(client, (*leverage.Client).SendTransaction,
			leverage.SendRequest{Transaction: signedTransaction(), MEVProtect: new(false)}),
		Method: "POST", Target: "/api/v1/bundle/submit", Header: key, Body: `{"transaction":"` + signed + `","mevProtect":false}`,
		File: "SendTransaction.json",
		Then: func(t *testing.T, result any) {
			sent := result.(*leverage.Sent)
			require.Equal(t, signature, sent.Signature, "of what was signed, whatever the service says")
			require.Empty(t, sent.BundleID)
			require.JSONEq(t, `{"signature":"S9","slot":7}`, sent.Raw.String())
		},
	}, {
		Name:   "SendTransaction, least",
		Call:   wiretest.By(client, (*leverage.Client).SendTransaction, leverage.SendRequest{Transaction: "2VfUX"}),
		Method: "POST", Target: "/api/v1/bundle/submit", Body: `{"transaction":"2VfUX"}`, Reply: `"S8"`,
		Then: func(t *testing.T, result any) { require.Equal(t, "S8", result.(*leverage.Sent).Signature) },
	}, {
		Name:   "SendBundle",
		Call:   wiretest.By(client, (*leverage.Client).SendBundle, []walletfi.Base58Transaction{signedTransaction(), "2VfUY"}),
		Method: "POST", Target: "/api/v1/bundle", Header: key, Body: `{"transactions":["` + signed + `","2VfUY"]}`,
		File: "SendBundle.json",
		Then: func(t *testing.T, result any) {
			sent := result.(*leverage.Sent)
			require.Equal(t, signature, sent.Signature)
			require.Equal(t, "b-7", sent.BundleID)
		},
	}})
}
