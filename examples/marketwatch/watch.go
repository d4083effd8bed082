package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// depth is the number of levels per side, and of trades, that are shown.
const depth = 8

// watch shows the market until the time is up or the user interrupts.
func (s *service) watch(ctx context.Context, o options, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, o.lasts)
	defer cancel()
	// The feed connects while the market is read. It sends no initial state, only
	// changes: the book comes by BookOnSubscribe.
	stream, err := s.client.Stream(ctx, predictmeta.StreamRequest{
		Subscriptions: []predictmeta.Subscription{
			{Channel: predictmeta.ChannelMarket, Ticker: o.market},
			{Channel: predictmeta.ChannelOrderBook, Ticker: o.market},
			{Channel: predictmeta.ChannelTrades, Ticker: o.market},
		},
		SlowChannels:    map[predictmeta.Channel]predictmeta.SlowPolicy{predictmeta.ChannelMarket: predictmeta.KeepLatest},
		BookOnSubscribe: true, RefreshDepth: new(depth),
	})
	if err != nil {
		return err
	}
	defer stream.Close()
	v, err := s.found(ctx, o.market)
	if err != nil {
		return err
	}
	for {
		if err := v.draw(out); err != nil {
			return err
		}
		event, err := stream.Recv(ctx)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			return nil
		}
		if err != nil {
			return err
		}
		v.take(event)
	}
}

// found returns the market before the first event of the feed.
func (s *service) found(ctx context.Context, ticker string) (*view, error) {
	market, err := s.client.GetMarket(ctx, ticker)
	if err != nil {
		return nil, err
	}
	v := &view{
		market: market, yes: market.YesPrice, no: market.NoPrice, state: "connecting",
		book: predictmeta.NewOrderBook(ticker, time.Time{}, nil, nil), // until the first one comes
	}
	page, err := s.client.ListTrades(ctx, predictmeta.TradesRequest{Ticker: ticker, Limit: new(depth)})
	if err != nil {
		return nil, err
	}
	for _, t := range page.Items {
		v.trades = append(v.trades, predictmeta.TradeUpdate{
			Ticker: t.Ticker, Price: t.Price, Quantity: t.Quantity, Side: t.Side, Timestamp: t.Timestamp,
		})
	}
	v.lastFound = newest(page.Items)
	return v, nil
}

// newest returns the time of the newest trade, in any order, and zero without
// trades.
func newest(trades []predictmeta.Trade) (at walletfi.Time) {
	for _, t := range trades {
		if t.Timestamp.After(at.Time) {
			at = t.Timestamp
		}
	}
	return at
}
