package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

// marketData reads a network's top pool and its candles.
func marketData(ctx context.Context, t *tour) error {
	c, err := onchaindata.New(onchaindata.Config{
		Tier: onchaindata.TierDemo, DemoBaseURL: t.sandbox.URL(sandbox.OnchainData),
		APIKey: walletfi.NewSecret(t.sandbox.APIKey(sandbox.OnchainData)),
	})
	if err != nil {
		return err
	}
	page, err := c.ListTopPools(ctx, "solana",
		onchaindata.TopPoolsRequest{Include: []onchaindata.PoolInclude{onchaindata.IncludeDEX}})
	if err != nil || len(page.Items) == 0 {
		return errors.Join(err, check(false, "there are pools"))
	}
	pool, cent := page.Items[0], walletfi.MustDecimal("0.01")
	t.say("pool       %s, base at %s USD", pool.Name, pool.BaseTokenPriceUSD.Round(cent))
	candles, err := c.ListPoolCandles(ctx, "solana", pool.Address, onchaindata.CandlesRequest{
		Timeframe: onchaindata.TimeframeHour,
		Aggregate: new(1),
		Limit:     new(24),
	})
	if err != nil {
		return err
	}
	for _, candle := range candles.Items[:min(3, len(candles.Items))] {
		hour, high, low := candle.Timestamp.Format("15:04"), candle.High.Round(cent), candle.Low.Round(cent)
		t.say("candle     %s  high %s  low %s", hour, high, low)
		if err := check(candle.Low.Cmp(candle.High) <= 0, "a low is not above its high"); err != nil {
			return err
		}
	}
	return check(len(candles.Items) > 0, "there are candles")
}
