// Package services holds the clients of the eleven services and the node.
package services

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/settings"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// Clients are the clients that all users share, so that they share the limits of
// the keys. A smart account belongs to one user: see SmartAccounts.
type Clients struct {
	Lending      *lending.Client
	Leverage     *leverage.Client
	PredictMeta  *predictmeta.Client
	Swap         *swap.Client
	AMM          *amm.Client
	ProviderSwap *providerswap.Client
	BurnClose    *burnclose.Client
	OnchainData  *onchaindata.Client
	SocialSearch *socialsearch.Client
	Webhooks     *webhooks.Client
	Node         *rpcnode.Client
	Tokens       *Tokens

	markets cache[[]Market]
	posts   cache[[]Post]
}

// quoteAge is how old a quote may be when a transaction is built from it.
const quoteAge = 30 * time.Second

// New makes the clients, with options that are the same for all.
func New(ctx context.Context, s *settings.Settings, options walletfi.Options) (*Clients, error) {
	at, c := s.Services, &Clients{}
	var missing []error
	key := func(name string) walletfi.Secret {
		secret, err := s.Secret(name)
		if err == nil && secret.IsZero() {
			err = fmt.Errorf("set %s or %s_FILE", settings.Variable(name), settings.Variable(name))
		}
		missing = append(missing, err)
		return secret
	}
	var problems [11]error
	c.Lending, problems[0] = lending.New(lending.Config{
		BaseURL: at.Lending, APIKey: key(settings.LendingKey), Options: options,
	})
	c.Leverage, problems[1] = leverage.New(leverage.Config{
		BaseURL: at.Leverage, APIKey: key(settings.LeverageKey), Options: options,
	})
	c.PredictMeta, problems[2] = predictmeta.New(predictmeta.Config{
		BaseURL: at.PredictMeta, APIKey: key(settings.PredictMetaKey), Options: options,
	})
	c.Swap, problems[3] = swap.New(swap.Config{
		BaseURL: at.Swap, APIKey: key(settings.SwapKey), Freshness: swap.Freshness{MaxAge: quoteAge}, Options: options,
	})
	c.AMM, problems[4] = amm.New(amm.Config{TradeURL: at.AMMTrade, DataURL: at.AMMData, Options: options})
	c.ProviderSwap, problems[5] = providerswap.New(providerswap.Config{
		BaseURL: at.ProviderSwap, APIKey: key(settings.ProviderSwapKey), Options: options,
	})
	c.BurnClose, problems[6] = burnclose.New(burnclose.Config{
		BaseURL: at.BurnClose, APIKey: key(settings.BurnCloseKey), Options: options,
	})
	data := onchaindata.Config{
		Tier: onchaindata.Tier(at.OnchainDataTier), APIKey: key(settings.OnchainDataKey), DemoBaseURL: at.OnchainData,
		Options: options,
	}
	if data.Tier == onchaindata.TierPro {
		data.DemoBaseURL, data.ProBaseURL = "", at.OnchainData
	}
	c.OnchainData, problems[7] = onchaindata.New(data)
	c.SocialSearch, problems[8] = socialsearch.New(socialsearch.Config{
		BaseURL: at.SocialSearch, BearerToken: key(settings.SocialSearchKey), Options: options,
	})
	c.Webhooks, problems[9] = webhooks.New(webhooks.Config{
		BaseURL: at.Webhooks, APIKey: key(settings.WebhooksKey), Options: options,
	})
	c.Node, problems[10] = rpcnode.New(rpcnode.Config{URL: key(settings.RPCURL)})
	// A client without its secret cannot be made: the secret is named, not the client's error.
	if err := cmp.Or(errors.Join(missing...), errors.Join(problems[:]...)); err != nil {
		return nil, err
	}
	c.Tokens = newTokens(c.Swap)
	if err := c.Tokens.Refresh(ctx); err != nil {
		return nil, fmt.Errorf("the list of tokens: %w", err)
	}
	return c, nil
}
