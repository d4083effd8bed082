package services

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// Market is the leading market of an event that people bet on, and what was last paid
// there for yes.
type Market struct {
	Ticker string           `json:"ticker"`
	Title  string           `json:"title"` // of the event
	Yes    walletfi.Decimal `json:"yes"`   // 0 to 1
	Volume *uint64          `json:"volume24h"`
}

const (
	listedMarkets = 6
	marketsLast   = 15 * time.Second
)

// ListMarkets lists the leading markets of events that are open. What statuses a market
// has is not documented; those of an event are.
func (c *Clients) ListMarkets(ctx context.Context) ([]Market, error) {
	return c.markets.get("", marketsLast, func() ([]Market, error) {
		page, err := c.PredictMeta.ListEvents(ctx, predictmeta.EventsRequest{
			Limit:  new(listedMarkets),
			Status: predictmeta.EventActive,
		})
		if err != nil {
			return nil, err
		}
		all := []Market{}
		for _, listed := range page.Items {
			event, err := c.PredictMeta.GetEvent(ctx, listed.Ticker, predictmeta.EventRequest{IncludeMarkets: new(true)})
			if err != nil {
				return nil, err
			}
			if len(event.Markets) > 0 {
				m := event.Markets[0]
				all = append(all, Market{m.Ticker, event.Title, m.LastPrice, m.Volume24h})
			}
		}
		return all, nil
	})
}
