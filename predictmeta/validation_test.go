package predictmeta_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestRequestsRefused(t *testing.T) {
	c := unreachable(t)
	ctx := t.Context()
	late, early := time.Unix(9, 0), time.Unix(8, 0)
	for name, row := range map[string]struct {
		call func() error
		want []string
	}{
		"event of no name":    {func() error { _, err := c.GetEvent(ctx, "", predictmeta.EventRequest{}); return err }, []string{"ticker"}},
		"event out of place":  {func() error { _, err := c.GetEvent(ctx, "..", predictmeta.EventRequest{}); return err }, []string{"ticker"}},
		"market of no name":   {func() error { _, err := c.GetMarket(ctx, ""); return err }, []string{"ticker"}},
		"market of no mint":   {func() error { _, err := c.GetMarketByMint(ctx, ""); return err }, []string{"mint_address"}},
		"market of a ticker":  {func() error { _, err := c.GetMarketByMint(ctx, "MK-1"); return err }, []string{"mint_address"}},
		"book of no name":     {func() error { _, err := c.GetOrderBook(ctx, "", predictmeta.OrderBookRequest{}); return err }, []string{"ticker"}},
		"book of no mint":     {func() error { _, err := c.GetOrderBookByMint(ctx, ""); return err }, []string{"mint_address"}},
		"milestones of none":  {func() error { _, err := c.GetMilestones(ctx, ""); return err }, []string{"ticker"}},
		"milestones, no mint": {func() error { _, err := c.GetMilestonesByMint(ctx, "x"); return err }, []string{"mint_address"}},
		"batch with a blank":  {func() error { _, err := c.BatchMilestones(ctx, []string{"EV-1", " "}); return err }, []string{"tickers[1]"}},
		"filter with no mint": {func() error { _, err := c.FilterOutcomeMints(ctx, []string{mint(1), ""}); return err }, []string{"addresses[1]"}},
		"nothing to look for": {func() error { _, err := c.Search(ctx, predictmeta.SearchRequest{Query: " "}); return err }, []string{"q"}},
		"a header with a key": {func() error { _, err := c.ListSports(ctx, walletfi.WithHeader("X-Api-Key", "y")); return err }, []string{"header"}},
		"a book of depth -1": {func() error {
			_, err := c.GetOrderBook(ctx, "M", predictmeta.OrderBookRequest{Depth: new(-1)})
			return err
		}, []string{"depth"}},
		"search for a weekday": {func() error {
			_, err := c.Search(ctx, predictmeta.SearchRequest{Query: "x", Type: "day", Limit: new(-1)})
			return err
		}, []string{"limit", "type"}},
		"events before the start": {func() error {
			_, err := c.ListEvents(ctx, predictmeta.EventsRequest{Limit: new(-1), Offset: new(-1), Status: "open"})
			return err
		}, []string{"limit", "offset", "status"}},
		"markets before the start": {func() error {
			_, err := c.ListMarkets(ctx, predictmeta.MarketsRequest{Limit: new(-1), Offset: new(-1), Status: "open"})
			return err
		}, []string{"limit", "offset"}},
		"a forecast by the minute": {func() error {
			_, err := c.GetForecast(ctx, "EV-1", predictmeta.ForecastRequest{Interval: predictmeta.Interval1m, Start: late, End: early})
			return err
		}, []string{"end_time", "interval"}},
		"event candles by the week": {func() error {
			_, err := c.GetEventCandlesticks(ctx, "EV-1", predictmeta.CandlesticksRequest{Interval: "1w", Start: late, End: early})
			return err
		}, []string{"end_time", "interval"}},
		"market candles backwards": {func() error {
			_, err := c.GetMarketCandlesticks(ctx, "MK-1", predictmeta.CandlesticksRequest{Interval: "1w", Start: late, End: early})
			return err
		}, []string{"end_time"}},
		"mint candles backwards": {func() error {
			_, err := c.GetMarketCandlesticksByMint(ctx, "x", predictmeta.CandlesticksRequest{Start: late, End: early})
			return err
		}, []string{"end_time", "mint_address"}},
		"trades of no side": {func() error {
			_, err := c.ListTrades(ctx, predictmeta.TradesRequest{Limit: new(-1), Offset: new(-1), Side: "both", Start: late, End: early})
			return err
		}, []string{"end_time", "limit", "offset", "side"}},
		"trades of no mint": {func() error {
			_, err := c.ListTradesByMint(ctx, "", predictmeta.TradesRequest{Side: "both"})
			return err
		}, []string{"mint_address", "side"}},
		"markets without names": {func() error {
			_, err := c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"M", ""}, Mints: []string{"MK-1"}})
			return err
		}, []string{"mints[0]", "tickers[1]"}},
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, row.call(), row.want...) })
	}
}

func TestConfigRefused(t *testing.T) {
	good := predictmeta.Config{BaseURL: "https://meta.test"}
	for name, row := range map[string]struct {
		change func(*predictmeta.Config)
		want   []string
	}{
		"no base URL":         {func(c *predictmeta.Config) { c.BaseURL = "" }, []string{"baseURL"}},
		"plain http":          {func(c *predictmeta.Config) { c.BaseURL = "http://meta.test" }, []string{"baseURL"}},
		"key with line break": {func(c *predictmeta.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") }, []string{"apiKey"}},
		"a budget of nothing": {func(c *predictmeta.Config) { c.Budgets = []ratelimit.Budget{{Per: time.Second}} }, []string{"Budget.Requests"}},
		"an ambiguous word": {func(c *predictmeta.Config) {
			c.Deployment = wiretest.Words{Keys: map[string]string{"ticker": "x", "title": "x"}}.Of("predictmeta")
		}, []string{"deployment.services.predictmeta.keys.title"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			row.change(&cfg)
			c, err := predictmeta.New(cfg)
			require.Nil(t, c)
			requireRefused(t, err, row.want...)
			require.NotContains(t, err.Error(), "k-1")
		})
	}
	_, err := predictmeta.New(good)
	require.NoError(t, err)
}
