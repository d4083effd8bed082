package hollow

import (
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
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

const somewhere = "https://service.example"

// clients make the client of each service.
var clients = map[sandbox.Service]func(walletfi.Options) (any, error){
	sandbox.Lending: func(o walletfi.Options) (any, error) {
		return lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.SmartAccount: func(o walletfi.Options) (any, error) {
		token := walletfi.Token{Access: walletfi.NewSecret("at-123456"), Refresh: walletfi.NewSecret("rt-123456")}
		return smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: token, Options: o})
	},
	sandbox.Leverage: func(o walletfi.Options) (any, error) {
		return leverage.New(leverage.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.PredictMeta: func(o walletfi.Options) (any, error) {
		return predictmeta.New(predictmeta.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.Swap: func(o walletfi.Options) (any, error) {
		return swap.New(swap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.AMM: func(o walletfi.Options) (any, error) {
		return amm.New(amm.Config{TradeURL: somewhere, DataURL: somewhere, Pause: new(time.Duration), Options: o})
	},
	sandbox.ProviderSwap: func(o walletfi.Options) (any, error) {
		return providerswap.New(providerswap.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.BurnClose: func(o walletfi.Options) (any, error) {
		return burnclose.New(burnclose.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.OnchainData: func(o walletfi.Options) (any, error) {
		base := somewhere + "/api/v3/onchain"
		return onchaindata.New(onchaindata.Config{DemoBaseURL: base, APIKey: wiretest.Key(), Options: o})
	},
	sandbox.SocialSearch: func(o walletfi.Options) (any, error) {
		return socialsearch.New(socialsearch.Config{BaseURL: somewhere, BearerToken: wiretest.Key(), Options: o})
	},
	sandbox.Webhooks: func(o walletfi.Options) (any, error) {
		return webhooks.New(webhooks.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	},
}
