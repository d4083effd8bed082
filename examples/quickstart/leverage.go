package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
)

// leveragedPosition opens a long position, raises the price and closes it.
func leveragedPosition(ctx context.Context, t *tour) error {
	c, err := leverage.New(leverage.Config{
		BaseURL: t.sandbox.URL(sandbox.Leverage), APIKey: walletfi.NewSecret(t.sandbox.APIKey(sandbox.Leverage)),
	})
	if err != nil {
		return err
	}
	offers, err := c.ListOffers(ctx, leverage.OffersRequest{
		Side: leverage.SideLong, Search: "SOL", IncludeTokens: new(true),
	})
	if err != nil || len(offers.Items) == 0 {
		return errors.Join(err, check(false, "there is an offer"))
	}
	offer := offers.Items[0]
	opened, err := c.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{
		Offer: offer.Address, Owner: t.me, CollateralAmount: 20_000_000, Leverage: walletfi.MustDecimal("3"),
		Slippage: walletfi.SlippageBps(50),
	}, TipLamports: 10_000, CollateralMint: t.sandbox.Mint("USDC")})
	if err != nil {
		return err
	}
	if _, err := t.execute(ctx, opened.Unsigned()); err != nil {
		return err
	}
	before, err := position(ctx, c, t.me)
	if err != nil {
		return err
	}
	t.say("open       %s times at %s, liquidated at %s",
		before.EffectiveLeverage, before.EntryPrice, before.LiquidationPrice)

	if err := t.sandbox.Market().SetPrice(offer.BaseTokenAddress,
		uint64(before.CurrentPrice.Float64()*1.1e6)); err != nil {
		return err
	}
	after, err := position(ctx, c, t.me)
	if err != nil {
		return err
	}
	t.say("risen      to %s: profit %s USD, %s %%", after.CurrentPrice, after.UnrealizedPnLUSD, after.ROIPercent)

	closed, err := c.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{
		Position: after.Address, Owner: t.me, Slippage: walletfi.SlippageBps(50),
	}}, walletfi.Urgent())
	if err != nil {
		return err
	}
	if _, err := t.execute(ctx, closed.Unsigned()); err != nil {
		return err
	}
	left, err := c.ListPositions(ctx, leverage.PositionsRequest{Owner: t.me, Status: leverage.StatusExecuted})
	if err != nil {
		return err
	}
	return errors.Join(
		check(after.UnrealizedPnLUSD.Cmp(before.UnrealizedPnLUSD) > 0, "the profit grew"),
		check(len(left.Items) == 0, "no position is open"),
	)
}

// position returns the one open position.
func position(ctx context.Context, c *leverage.Client, owner string) (*leverage.Position, error) {
	page, err := c.ListPositions(ctx, leverage.PositionsRequest{Owner: owner, Status: leverage.StatusExecuted})
	if err != nil {
		return nil, err
	}
	if err := check(len(page.Items) == 1, "one position is open, not %d", len(page.Items)); err != nil {
		return nil, err
	}
	return &page.Items[0], nil
}
