package flows

import (
	"time"

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

// Maker makes a client of a service.
type Maker func(walletfi.Options) (any, error)

// Hosts say where the services are and who calls them.
type Hosts struct {
	URL  func(sandbox.Service) string
	Key  func(sandbox.Service) walletfi.Secret
	Data string // the second URL of [sandbox.AMM]

	Token walletfi.Token // of [sandbox.SmartAccount]
}

// HostsOf are those of a sandbox, with no token yet.
func HostsOf(s *sandbox.Sandbox) Hosts {
	return Hosts{
		URL: s.URL, Data: s.AMM().DataURL(),
		Key: func(of sandbox.Service) walletfi.Secret { return key(s, of) },
	}
}

// Makers make the client of each service.
func Makers(at Hosts) map[sandbox.Service]Maker {
	all := dataMakers(at)
	all[sandbox.SmartAccount] = func(o walletfi.Options) (any, error) {
		return smartaccount.New(smartaccount.Config{BaseURL: at.URL(sandbox.SmartAccount), Token: at.Token, Options: o})
	}
	all[sandbox.Lending] = func(o walletfi.Options) (any, error) {
		return lending.New(lending.Config{BaseURL: at.URL(sandbox.Lending), APIKey: at.Key(sandbox.Lending), Options: o})
	}
	all[sandbox.Leverage] = func(o walletfi.Options) (any, error) {
		return leverage.New(leverage.Config{BaseURL: at.URL(sandbox.Leverage), APIKey: at.Key(sandbox.Leverage), Options: o})
	}
	all[sandbox.Swap] = func(o walletfi.Options) (any, error) {
		return swap.New(swap.Config{BaseURL: at.URL(sandbox.Swap), APIKey: at.Key(sandbox.Swap), Options: o})
	}
	all[sandbox.AMM] = func(o walletfi.Options) (any, error) {
		return amm.New(amm.Config{
			TradeURL: at.URL(sandbox.AMM), DataURL: at.Data, Pause: new(time.Duration), Options: o,
		})
	}
	all[sandbox.ProviderSwap] = func(o walletfi.Options) (any, error) {
		return providerswap.New(providerswap.Config{
			BaseURL: at.URL(sandbox.ProviderSwap) + "/api/v2", APIKey: at.Key(sandbox.ProviderSwap), Options: o,
		})
	}
	all[sandbox.BurnClose] = func(o walletfi.Options) (any, error) {
		return burnclose.New(burnclose.Config{
			BaseURL: at.URL(sandbox.BurnClose), APIKey: at.Key(sandbox.BurnClose), Options: o,
		})
	}
	return all
}

// dataMakers make the clients of the services that move nothing.
func dataMakers(at Hosts) map[sandbox.Service]Maker {
	return map[sandbox.Service]Maker{
		sandbox.PredictMeta: func(o walletfi.Options) (any, error) {
			return predictmeta.New(predictmeta.Config{
				BaseURL: at.URL(sandbox.PredictMeta), APIKey: at.Key(sandbox.PredictMeta), Options: o,
			})
		},
		sandbox.OnchainData: func(o walletfi.Options) (any, error) {
			return onchaindata.New(onchaindata.Config{
				DemoBaseURL: at.URL(sandbox.OnchainData), APIKey: at.Key(sandbox.OnchainData), Options: o,
			})
		},
		sandbox.SocialSearch: func(o walletfi.Options) (any, error) {
			return socialsearch.New(socialsearch.Config{
				BaseURL: at.URL(sandbox.SocialSearch), BearerToken: at.Key(sandbox.SocialSearch), Options: o,
			})
		},
		sandbox.Webhooks: func(o walletfi.Options) (any, error) {
			return webhooks.New(webhooks.Config{
				BaseURL: at.URL(sandbox.Webhooks), APIKey: at.Key(sandbox.Webhooks), Options: o,
			})
		},
	}
}
