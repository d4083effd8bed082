package calls

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

// calls make each call of a service against a sandbox once.
var calls = map[sandbox.Service]func(*Book){
	sandbox.Lending: lendingCalls, sandbox.SmartAccount: smartAccountCalls, sandbox.Leverage: leverageCalls,
	sandbox.PredictMeta: predictMetaCalls, sandbox.Swap: swapCalls, sandbox.AMM: ammCalls,
	sandbox.ProviderSwap: providerSwapCalls, sandbox.BurnClose: burnCloseCalls,
	sandbox.OnchainData: onchainDataCalls, sandbox.SocialSearch: socialSearchCalls, sandbox.Webhooks: webhookCalls,
}

// Routes is how many calls the services have.
const Routes = 154

// Record makes all calls of a sandbox whose undocumented answers have one shape, and those
// that more makes of each service. It holds that each route was asked.
func Record(t *testing.T, shape int, more ...func(*Book)) []*Row {
	t.Helper()
	s, err := sandbox.Start(sandbox.Config{
		NoLimits: true, ManualClock: true, InstantConfirmation: true, StrictEcho: true, Shape: shape,
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	var rows []*Row
	for _, service := range sandbox.Services() {
		require.Contains(t, calls, service, "no calls")
		b := &Book{t: t, Sandbox: s, Service: service, make: flows.Makers(flows.HostsOf(s))[service]}
		calls[service](b)
		for _, make := range more {
			make(b)
		}
		rows = append(rows, b.rows...)
	}
	hits, asked := s.Hits(), 0
	for _, route := range s.Routes() {
		if route.Service == sandbox.RPC {
			continue
		}
		asked++
		if hits[route] == 0 && shape == 1 {
			t.Errorf("no call of %s", route)
		}
	}
	require.Equal(t, Routes, asked)
	require.Empty(t, s.Violations())
	return rows
}
