package services

import (
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/onchaindata"
)

// Chart is a token's price over time, in its largest pool.
type Chart struct {
	Pool    string               `json:"pool"`
	Candles []onchaindata.Candle `json:"candles"` // the oldest first
}

// Chart returns the candles of a token: 120 hours in steps of an hour.
func (c *Clients) Chart(ctx context.Context, network, mint string) (*Chart, error) {
	pools, err := c.OnchainData.ListTopPools(ctx, network, onchaindata.TopPoolsRequest{
		Include: []onchaindata.PoolInclude{onchaindata.IncludeBaseToken},
	})
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(pools.Items, func(p onchaindata.Pool) bool {
		return p.BaseToken != nil && p.BaseToken.Address == mint
	})
	if at < 0 {
		return nil, fmt.Errorf("no pool trades %s", Short(mint))
	}
	pool := pools.Items[at]
	page, err := c.OnchainData.ListPoolCandles(ctx, network, pool.Address, onchaindata.CandlesRequest{
		Timeframe: onchaindata.TimeframeHour, Aggregate: new(1), Limit: new(120),
	})
	if err != nil {
		return nil, err
	}
	// The service's order is not documented, and a chart draws from left to right.
	slices.SortFunc(page.Items, func(a, b onchaindata.Candle) int { return a.Timestamp.Compare(b.Timestamp.Time) })
	return &Chart{Pool: pool.Name, Candles: page.Items}, nil
}
