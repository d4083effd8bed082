package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestErrorsOfNew: the error of a constructor names the package and the fields as in Go, all
// that are wrong at once.
func TestErrorsOfNew(t *testing.T) {
	late := walletfi.Options{Retry: walletfi.RetryPolicy{MinWait: -1}, MaxResponseBytes: -1}
	wrong := []ratelimit.Budget{{Requests: 1}}
	const base = "Config.BaseURL is required"
	const after = "; Config.Retry.MinWait must not be negative; Config.MaxResponseBytes must not be negative"
	table := map[string]struct {
		err  error
		text string
	}{
		"lending":  {made(lending.New(lending.Config{})), "lending: Config.APIKey is required; " + base},
		"leverage": {made(leverage.New(leverage.Config{Options: late})), "leverage: " + base + after},
		"smartaccount": {
			made(smartaccount.New(smartaccount.Config{RefreshTimeout: -1})),
			"smartaccount: Config.RefreshTimeout must not be negative; " + base,
		},
		"predictmeta": {
			made(predictmeta.New(predictmeta.Config{APIKey: walletfi.NewSecret(" "), Options: late})),
			"predictmeta: Config.APIKey begins or ends with a blank; " + base + after,
		},
		"swap": {made(swap.New(swap.Config{Budgets: wrong})), "swap: Config.Budgets[0].Per must be above 0 and at most 100 years, is 0s; " + base},
		"amm": {
			made(amm.New(amm.Config{Pause: new(-time.Second), Options: late})), "amm: Config.Pause must not be negative; " +
				"Config.TradeURL is required" + after + "; Config.DataURL is required",
		},
		"providerswap": {
			made(providerswap.New(providerswap.Config{BaseURL: "https://swap.example.com/api/v2/api/v2"})),
			"providerswap: Config.APIKey is required; Config.BaseURL must be https://swap.example.com/api/v2; " +
				"OwnRoutes is for a gateway with other paths",
		},
		"burnclose": {
			made(burnclose.New(burnclose.Config{AuthHeader: "cookie"})),
			"burnclose: Config.AuthHeader must be x-api-key, bearer; " + base,
		},
		"onchaindata": {
			made(onchaindata.New(onchaindata.Config{})),
			"onchaindata: Config.APIKey is required; Config.DemoBaseURL is required",
		},
		"socialsearch": {
			made(socialsearch.New(socialsearch.Config{})), "socialsearch: Config.BearerToken is required; " + base,
		},
		"webhooks": {made(webhooks.New(webhooks.Config{})), "webhooks: Config.APIKey is required; " + base},

		"wallet": {
			made(wallet.New(wallet.Config{PollEvery: -1})), "wallet: Config.Guard is required; " +
				"Config.Submitter is required without a node; Config.Confirmer is required without a node; " +
				"Config.PollEvery must not be negative",
		},
		"rpcnode": {
			made(rpcnode.New(rpcnode.Config{Commitment: "soon"})), "rpcnode: Config.URL is not an absolute URL; " +
				"Config.Commitment must be processed, confirmed or finalized",
		},
		"rpcnode.Pool": {
			made(rpcnode.NewPool(rpcnode.PoolConfig{SendTo: -1})),
			"rpcnode: PoolConfig.Nodes are required; PoolConfig.SendTo must not be negative",
		},
		"rpcnode.Watcher": {
			made(rpcnode.NewWatcher(rpcnode.WatcherConfig{Commitment: "soon", SocketURL: walletfi.NewSecret("wss://example.com")})),
			"rpcnode: WatcherConfig.Commitment must be processed, confirmed or finalized",
		},

		"socialsearch.Meter": {
			made(socialsearch.NewMeter(socialsearch.MeterConfig{Budget: -1, Every: 1})),
			"socialsearch: MeterConfig.Budget must not be negative; MeterConfig.Every must be at least a minute",
		},
		"webhooks.Receiver": {
			made(webhooks.NewReceiver(webhooks.ReceiverConfig{Queue: -1})), "webhooks: ReceiverConfig.Verifier.Secrets must not be empty; " +
				"ReceiverConfig.Handler is required; ReceiverConfig.Queue must not be negative",
		},
	}
	for service := range flows.Clients {
		require.Contains(t, table, string(service))
	}
	require.Len(t, flows.Clients, 11)
	for name, c := range table {
		t.Run(name, func(t *testing.T) {
			require.EqualError(t, c.err, c.text)
			require.ErrorIs(t, c.err, walletfi.ErrInvalidRequest)
			require.ErrorAs(t, c.err, new(*walletfi.ValidationError))
		})
	}
}

func made[T any](_ T, err error) error { return err }
