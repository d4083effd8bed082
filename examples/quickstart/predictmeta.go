package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// predictionMarket finds an active market and reads its order book.
func predictionMarket(ctx context.Context, t *tour) error {
	c, err := predictmeta.New(predictmeta.Config{
		BaseURL: t.sandbox.URL(sandbox.PredictMeta), APIKey: walletfi.NewSecret(t.sandbox.APIKey(sandbox.PredictMeta)),
	})
	if err != nil {
		return err
	}
	found, err := c.Search(ctx, predictmeta.SearchRequest{Query: "btc", Type: predictmeta.SearchMarkets, Limit: new(50)})
	if err != nil {
		return err
	}
	for _, result := range found.Items {
		snapshot, err := c.GetOrderBook(ctx, result.Ticker, predictmeta.OrderBookRequest{Depth: new(5)})
		if err != nil {
			return err
		}
		book := snapshot.OrderBook()
		bid, bids := book.BestBid()
		ask, asks := book.BestAsk()
		if !bids || !asks {
			continue // not active
		}
		spread, _ := book.Spread()
		t.say("%s  %s", result.Ticker, result.Title)
		t.say("book       %d at %s, %d at %s, spread %s", bid.Quantity, bid.Price, ask.Quantity, ask.Price, spread)
		return check(bid.Price.Cmp(ask.Price) < 0, "the book is not crossed")
	}
	return errors.New("no market in the search result has an order book")
}
