package services

import (
	"context"
	"fmt"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
)

// Trade is a swap to be quoted.
type Trade struct {
	Owner       string // base58
	From, To    string // mints
	Amount      walletfi.Amount
	SlippageBps int
}

// Quote is one service's offer.
type Quote struct {
	Service string           `json:"service"`
	Out     walletfi.Amount  `json:"out"`   // expected
	Least   walletfi.Amount  `json:"least"` // after slippage
	Impact  walletfi.Decimal `json:"impactPercent"`
	// Err is why there is no offer.
	Err   error `json:"-"`
	build func(ctx context.Context) (walletfi.Unsigned, error)
}

// Build asks the service for the offer's transactions.
func (q *Quote) Build(ctx context.Context) (walletfi.Unsigned, error) { return q.build(ctx) }

// quoters are the services that quote a swap.
var quoters = []struct {
	service string
	quote   func(*Clients, context.Context, Trade) (*Quote, error)
}{
	{"swap", (*Clients).quoteSwap}, {"amm", (*Clients).quoteAMM}, {"providerswap", (*Clients).quoteProviders},
}

// Quotes asks all services at the same time, so that they see the same market. A
// service that fails does not affect the others.
func (c *Clients) Quotes(ctx context.Context, trade Trade) []*Quote {
	quotes := make([]*Quote, len(quoters))
	var group sync.WaitGroup
	for i, q := range quoters {
		group.Go(func() {
			quote, err := q.quote(c, ctx, trade)
			if err != nil {
				quote = &Quote{Err: err}
			}
			quote.Service = q.service
			quotes[i] = quote
		})
	}
	group.Wait()
	return quotes
}

// Quote asks one service.
func (c *Clients) Quote(ctx context.Context, service string, trade Trade) (*Quote, error) {
	for _, q := range quoters {
		if q.service == service {
			quote, err := q.quote(c, ctx, trade)
			if err == nil {
				quote.Service = service
			}
			return quote, err
		}
	}
	return nil, &walletfi.ValidationError{Field: "service", Problem: fmt.Sprintf("%q quotes no swaps", service)}
}

func (c *Clients) quoteSwap(ctx context.Context, trade Trade) (*Quote, error) {
	quote, err := c.Swap.GetQuote(ctx, swap.QuoteRequest{
		InputMint: trade.From, OutputMint: trade.To, Amount: trade.Amount, Slippage: walletfi.SlippageBps(trade.SlippageBps),
	})
	if err != nil {
		return nil, err
	}
	build := func(ctx context.Context) (walletfi.Unsigned, error) {
		built, err := c.Swap.BuildSwap(ctx, swap.BuildRequest{Owner: trade.Owner, Quote: quote})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return built.Unsigned(), nil
	}
	return &Quote{Out: quote.OutAmount, Least: quote.MinOutAmount, Impact: quote.PriceImpactPct, build: build}, nil
}

func (c *Clients) quoteAMM(ctx context.Context, trade Trade) (*Quote, error) {
	quote, err := c.AMM.QuoteBaseIn(ctx, amm.QuoteRequest{
		InputMint: trade.From, OutputMint: trade.To, Amount: trade.Amount, Slippage: walletfi.SlippageBps(trade.SlippageBps),
	})
	if err != nil {
		return nil, err
	}
	build := func(ctx context.Context) (walletfi.Unsigned, error) {
		// A follow-up call skips the pause, which would make the quote stale.
		built, err := c.AMM.BuildSwap(ratelimit.WithFollowUp(ctx), amm.BuildRequest{Quote: quote, Owner: trade.Owner})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		return built.Unsigned(), nil
	}
	return &Quote{Out: quote.OutAmount, Least: quote.OtherAmountThreshold, Impact: quote.PriceImpactPct, build: build}, nil
}

func (c *Clients) quoteProviders(ctx context.Context, trade Trade) (*Quote, error) {
	request := providerswap.QuoteRequest{
		InputMint: trade.From, OutputMint: trade.To, Amount: trade.Amount, Slippage: walletfi.SlippageBps(trade.SlippageBps),
	}
	quote, err := c.ProviderSwap.GetQuote(ctx, request)
	if err != nil {
		return nil, err
	}
	build := func(ctx context.Context) (walletfi.Unsigned, error) {
		built, err := c.ProviderSwap.BuildSwap(ctx, providerswap.BuildRequest{QuoteRequest: request, Owner: trade.Owner})
		if err != nil {
			return walletfi.Unsigned{}, err
		}
		// The service quotes again: the new quote must be as good as the shown one.
		if built.MinOutAmount < quote.MinOutAmount {
			return walletfi.Unsigned{}, fmt.Errorf("the minimum output fell from %s to %s since the quote",
				quote.MinOutAmount, built.MinOutAmount)
		}
		return built.Unsigned(), nil
	}
	return &Quote{Out: quote.OutAmount, Least: quote.MinOutAmount, Impact: quote.PriceImpactPct, build: build}, nil
}
