package services

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// Market is a prediction market, and what was last paid for yes.
type Market struct {
	Ticker string           `json:"ticker"`
	Title  string           `json:"title"`
	Yes    walletfi.Decimal `json:"yes"` // 0 to 1
	Volume uint64           `json:"volume24h"`
}

const (
	listedMarkets = 8
	marketsLast   = 15 * time.Second
)

// ListMarkets lists prediction markets that are open.
func (c *Clients) ListMarkets(ctx context.Context) ([]Market, error) {
	return c.markets.get("", marketsLast, func() ([]Market, error) {
		page, err := c.PredictMeta.ListMarkets(ctx, predictmeta.MarketsRequest{Limit: new(listedMarkets)})
		if err != nil {
			return nil, err
		}
		all := []Market{}
		for _, m := range page.Items {
			all = append(all, Market{m.Ticker, m.Title, m.YesPrice, m.Volume24h})
		}
		return all, nil
	})
}
