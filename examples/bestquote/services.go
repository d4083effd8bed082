package main

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

func (t *trader) askAMM(ctx context.Context, want order) (*offer, error) {
	request := amm.QuoteRequest{
		InputMint: want.from.Mint, OutputMint: want.to.Mint, Amount: want.amount,
		Slippage: walletfi.SlippageBps(want.slippageBps),
	}
	if want.legacy {
		request.TxVersion = amm.TxVersionLegacy
	}
	quote, err := t.amm.QuoteBaseIn(ctx, request)
	if err != nil {
		return nil, err
	}
	built := wallet.OrderOf(t.amm.BuildSwap, amm.BuildRequest{Quote: quote, Owner: t.owner.String()})
	order := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
		// A follow-up call skips the pause, which would make the quote stale.
		return built.Build(ratelimit.WithFollowUp(ctx))
	})
	return &offer{out: quote.OutAmount, least: quote.OtherAmountThreshold, impact: quote.PriceImpactPct, order: order}, nil
}

func (t *trader) askSwap(ctx context.Context, want order) (*offer, error) {
	quote, err := t.swap.GetQuote(ctx, swap.QuoteRequest{
		InputMint: want.from.Mint, OutputMint: want.to.Mint, Amount: want.amount,
		Slippage: walletfi.SlippageBps(want.slippageBps),
	})
	if err != nil {
		return nil, err
	}
	order := wallet.OrderOf(t.swap.BuildSwap, swap.BuildRequest{Owner: t.owner.String(), Quote: quote})
	return &offer{out: quote.OutAmount, least: quote.MinOutAmount, impact: quote.PriceImpactPct, order: order}, nil
}

func (t *trader) askProviders(ctx context.Context, want order) (*offer, error) {
	request := providerswap.QuoteRequest{
		InputMint: want.from.Mint, OutputMint: want.to.Mint, Amount: want.amount,
		Slippage: walletfi.SlippageBps(want.slippageBps),
	}
	quote, err := t.provider.GetQuote(ctx, request)
	if err != nil {
		return nil, err
	}
	built := wallet.OrderOf(t.provider.BuildSwap, providerswap.BuildRequest{
		QuoteRequest: request,
		Owner:        t.owner.String(),
	})
	order := wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
		unsigned, err := built.Build(ctx)
		// The service quotes again: the new quote must be as good as the chosen one.
		if err == nil && built.Answer.MinOutAmount < quote.MinOutAmount {
			err = fmt.Errorf("the minimum output fell from %s to %s since the quote",
				quote.MinOutAmount, built.Answer.MinOutAmount)
		}
		return unsigned, err
	})
	return &offer{out: quote.OutAmount, least: quote.MinOutAmount, impact: quote.PriceImpactPct, order: order}, nil
}
