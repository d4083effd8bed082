package hostile

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// calls make each call of a service against a sandbox once.
var calls = map[sandbox.Service]func(*book){
	sandbox.Lending: lendingCalls, sandbox.SmartAccount: smartAccountCalls, sandbox.Leverage: leverageCalls,
	sandbox.PredictMeta: predictMetaCalls, sandbox.Swap: swapCalls, sandbox.AMM: ammCalls,
	sandbox.ProviderSwap: providerSwapCalls, sandbox.BurnClose: burnCloseCalls,
	sandbox.OnchainData: onchainDataCalls, sandbox.SocialSearch: socialSearchCalls, sandbox.Webhooks: webhookCalls,
}

// makers make the client of each service.
func makers(s *sandbox.Sandbox) map[sandbox.Service]maker {
	url := s.URL
	key := func(of sandbox.Service) walletfi.Secret { return walletfi.NewSecret(s.APIKey(of)) }
	return map[sandbox.Service]maker{
		sandbox.Lending: func(o walletfi.Options) (any, error) {
			return lending.New(lending.Config{BaseURL: url(sandbox.Lending), APIKey: key(sandbox.Lending), Options: o})
		},
		sandbox.Leverage: func(o walletfi.Options) (any, error) {
			return leverage.New(leverage.Config{BaseURL: url(sandbox.Leverage), APIKey: key(sandbox.Leverage), Options: o})
		},
		sandbox.PredictMeta: func(o walletfi.Options) (any, error) {
			return predictmeta.New(predictmeta.Config{
				BaseURL: url(sandbox.PredictMeta), APIKey: key(sandbox.PredictMeta), Options: o,
			})
		},
		sandbox.Swap: func(o walletfi.Options) (any, error) {
			return swap.New(swap.Config{BaseURL: url(sandbox.Swap), APIKey: key(sandbox.Swap), Options: o})
		},
		sandbox.AMM: func(o walletfi.Options) (any, error) {
			return amm.New(amm.Config{
				TradeURL: url(sandbox.AMM), DataURL: s.AMM().DataURL(), Pause: new(time.Duration), Options: o,
			})
		},
		sandbox.ProviderSwap: func(o walletfi.Options) (any, error) {
			return providerswap.New(providerswap.Config{
				BaseURL: url(sandbox.ProviderSwap) + "/api/v2", APIKey: key(sandbox.ProviderSwap), Options: o,
			})
		},
		sandbox.BurnClose: func(o walletfi.Options) (any, error) {
			return burnclose.New(burnclose.Config{BaseURL: url(sandbox.BurnClose), APIKey: key(sandbox.BurnClose), Options: o})
		},
		sandbox.OnchainData: func(o walletfi.Options) (any, error) {
			return onchaindata.New(onchaindata.Config{
				DemoBaseURL: url(sandbox.OnchainData), APIKey: key(sandbox.OnchainData), Options: o,
			})
		},
		sandbox.SocialSearch: func(o walletfi.Options) (any, error) {
			return socialsearch.New(socialsearch.Config{
				BaseURL: url(sandbox.SocialSearch), BearerToken: key(sandbox.SocialSearch), Options: o,
			})
		},
		sandbox.Webhooks: func(o walletfi.Options) (any, error) {
			return webhooks.New(webhooks.Config{BaseURL: url(sandbox.Webhooks), APIKey: key(sandbox.Webhooks), Options: o})
		},
		sandbox.SmartAccount: func(o walletfi.Options) (any, error) {
			return smartaccount.New(smartaccount.Config{BaseURL: url(sandbox.SmartAccount), Options: o})
		},
	}
}

// routes is how many calls the services have.
const routes = 154

// record makes all calls of a sandbox whose undocumented answers have one shape, and holds
// that each route was asked.
func record(t *testing.T, shape int) []*row {
	t.Helper()
	s, err := sandbox.Start(sandbox.Config{
		NoLimits: true, ManualClock: true, InstantConfirmation: true, StrictEcho: true, Shape: shape,
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	var rows []*row
	for _, service := range sandbox.Services() {
		require.Contains(t, calls, service, "no calls")
		b := &book{t: t, s: s, service: service, make: makers(s)[service]}
		calls[service](b)
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
	require.Equal(t, routes, asked)
	require.Empty(t, s.Violations())
	return rows
}
