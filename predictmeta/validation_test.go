package predictmeta_test

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestRequestsRefused(t *testing.T) {
	c := unreachable(t)
	ctx := t.Context()
	late, early := time.Unix(9, 0), time.Unix(8, 0)
	wiretest.AllRefused(t, map[string]error{
		"event of no name: ticker":          wiretest.Error(c.GetEvent(ctx, "", predictmeta.EventRequest{})),
		"event out of place: ticker":        wiretest.Error(c.GetEvent(ctx, "..", predictmeta.EventRequest{})),
		"market of no name: ticker":         wiretest.Error(c.GetMarket(ctx, "")),
		"market of no mint: mint_address":   wiretest.Error(c.GetMarketByMint(ctx, "")),
		"market of a ticker: mint_address":  wiretest.Error(c.GetMarketByMint(ctx, "MK-1")),
		"book of no name: ticker":           wiretest.Error(c.GetOrderBook(ctx, "", predictmeta.OrderBookRequest{})),
		"book of no mint: mint_address":     wiretest.Error(c.GetOrderBookByMint(ctx, "")),
		"milestones of none: ticker":        wiretest.Error(c.GetMilestones(ctx, "")),
		"milestones, no mint: mint_address": wiretest.Error(c.GetMilestonesByMint(ctx, "x")),
		"batch with a blank: tickers[1]":    wiretest.Error(c.BatchMilestones(ctx, []string{"EV-1", " "})),
		"filter with no mint: addresses[1]": wiretest.Error(c.FilterOutcomeMints(ctx, []string{mint(1), ""})),
		"nothing to look for: q":            wiretest.Error(c.Search(ctx, predictmeta.SearchRequest{Query: " "})),
		"a header with a key: header":       wiretest.Error(c.ListSports(ctx, walletfi.WithHeader("X-Api-Key", "y"))),
		"a book of depth -1: depth":         wiretest.Error(c.GetOrderBook(ctx, "M", predictmeta.OrderBookRequest{Depth: new(-1)})),
		"search for a weekday: limit, type": wiretest.Error(
			c.Search(ctx, predictmeta.SearchRequest{Query: "x", Type: "day", Limit: new(-1)})),
		"events before the start: limit, offset, status": wiretest.Error(
			c.ListEvents(ctx, predictmeta.EventsRequest{Limit: new(-1), Offset: new(-1), Status: "open"})),
		"markets before the start: limit, offset": wiretest.Error(
			c.ListMarkets(ctx, predictmeta.MarketsRequest{Limit: new(-1), Offset: new(-1), Status: "open"})),
		"a forecast by the minute: end_time, interval": wiretest.Error(
			c.GetForecast(ctx, "EV-1", predictmeta.ForecastRequest{Interval: predictmeta.Interval1m, Start: late, End: early})),
		"event candles by the week: end_time, interval": wiretest.Error(
			c.GetEventCandlesticks(ctx, "EV-1", predictmeta.CandlesticksRequest{Interval: "1w", Start: late, End: early})),
		"market candles backwards: end_time": wiretest.Error(
			c.GetMarketCandlesticks(ctx, "MK-1", predictmeta.CandlesticksRequest{Interval: "1w", Start: late, End: early})),
		"mint candles backwards: end_time, mint_address": wiretest.Error(
			c.GetMarketCandlesticksByMint(ctx, "x", predictmeta.CandlesticksRequest{Start: late, End: early})),
		"trades of no side: end_time, limit, offset, side": wiretest.Error(
			c.ListTrades(ctx, predictmeta.TradesRequest{Limit: new(-1), Offset: new(-1), Side: "both", Start: late, End: early})),
		"trades of no mint: mint_address, side": wiretest.Error(
			c.ListTradesByMint(ctx, "", predictmeta.TradesRequest{Side: "both"})),
		"markets without names: mints[0], tickers[1]": wiretest.Error(
			c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"M", ""}, Mints: []string{"MK-1"}})),
	})
}

func TestConfigRefused(t *testing.T) {
	good := predictmeta.Config{BaseURL: "https://meta.test"}
	wiretest.ConfigsRefused(t, predictmeta.New, good, map[string]func(*predictmeta.Config){
		"no base URL: baseURL":        func(c *predictmeta.Config) { c.BaseURL = "" },
		"plain http: baseURL":         func(c *predictmeta.Config) { c.BaseURL = "http://meta.test" },
		"key with line break: apiKey": func(c *predictmeta.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") },
		"a budget of nothing: budgets[0].Requests": func(c *predictmeta.Config) {
			c.Budgets = []ratelimit.Budget{{Per: time.Second}}
		},
		"an ambiguous word: deployment.services.predictmeta.keys.title": func(c *predictmeta.Config) {
			c.Deployment = wiretest.Words{Keys: map[string]string{"ticker": "x", "title": "x"}}.Of("predictmeta")
		},
	})
}
