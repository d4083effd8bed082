package hollow

import (
	"context"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/webhooks"
)

func init() {
	hollows[sandbox.PredictMeta] = hollowPredictMeta
	hollows[sandbox.OnchainData] = hollowOnchainData
	hollows[sandbox.SocialSearch] = hollowSocialSearch
	hollows[sandbox.Webhooks] = hollowWebhooks
}

func hollowPredictMeta(_ *testing.T) []hollow {
	r := rowsOf[predictmeta.Client]{service: sandbox.PredictMeta, client: func(o walletfi.Options) (*predictmeta.Client, error) {
		return predictmeta.New(predictmeta.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = predictmeta.Client
	const market = `{"ticker":"MK","last_price":0,"yes_price":0,"no_price":0}`
	const trades = `{"trades":[{"quantity":1}],"total":0,"limit":100,"offset":0}`

	r.add("GET /api/v1/event/{ticker}", `{"ticker":"EV","title":"t","status":"active"}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetEvent(ctx, "EV", predictmeta.EventRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/events", `{"events":[],"total":0,"limit":50,"offset":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListEvents(ctx, predictmeta.EventsRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/event/{ticker}/forecast", `{"ticker":"EV","forecasts":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetForecast(ctx, "EV", predictmeta.ForecastRequest{Interval: predictmeta.Interval1h}, o...)
		return err
	})
	r.add("GET /api/v1/event/{ticker}/candlesticks", `{"ticker":"EV","interval":"1h","candlesticks":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetEventCandlesticks(ctx, "EV", predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h}, o...)
		return err
	})
	r.add("GET /api/v1/market/{ticker}", market, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMarket(ctx, "MK", o...)
		return err
	})
	r.add("GET /api/v1/market/by-mint/{mint_address}", market, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMarketByMint(ctx, mintIn, o...)
		return err
	})
	r.add("GET /api/v1/markets", `{"markets":[],"total":0,"limit":50,"offset":0}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListMarkets(ctx, predictmeta.MarketsRequest{}, o...)
		return err
	})
	r.add("POST /api/v1/markets/batch", `{"markets":[],"not_found":["MK"]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"MK"}}, o...)
		return err
	})
	r.add("GET /api/v1/outcome_mints", `{"outcome_mints":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListOutcomeMints(ctx, predictmeta.OutcomeMintsRequest{}, o...)
		return err
	})
	r.add("POST /api/v1/filter_outcome_mints", mints(`{"outcome_mints":[],"non_outcome_mints":["$IN"]}`), func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.FilterOutcomeMints(ctx, []string{mintIn}, o...)
		return err
	})
	r.add("GET /api/v1/market/{ticker}/candlesticks", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMarketCandlesticks(ctx, "MK", predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h}, o...)
		return err
	})
	r.add("GET /api/v1/market/by-mint/{mint_address}/candlesticks", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMarketCandlesticksByMint(ctx, mintIn, predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h}, o...)
		return err
	})
	r.add("GET /api/v1/orderbook/{ticker}", `{"ticker":"MK","bids":[],"asks":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetOrderBook(ctx, "MK", predictmeta.OrderBookRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/orderbook/by-mint/{mint_address}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetOrderBookByMint(ctx, mintIn, o...)
		return err
	})
	r.add("GET /api/v1/trades", trades, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTrades(ctx, predictmeta.TradesRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/trades/by-mint/{mint_address}", trades, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTradesByMint(ctx, mintIn, predictmeta.TradesRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/milestones/{ticker}", `{"ticker":"EV","milestones":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMilestones(ctx, "EV", o...)
		return err
	})
	r.add("GET /api/v1/milestones/by-mint/{mint_address}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetMilestonesByMint(ctx, mintIn, o...)
		return err
	})
	r.add("POST /api/v1/milestones/batch", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.BatchMilestones(ctx, []string{"EV"}, o...)
		return err
	})
	r.add("GET /api/v1/series", `{"series":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListSeries(ctx, predictmeta.SeriesRequest{}, o...)
		return err
	})
	r.add("GET /api/v1/categories", `{"categories":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListCategories(ctx, o...)
		return err
	})
	r.add("GET /api/v1/sports", `{"sports":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListSports(ctx, o...)
		return err
	})
	r.add("GET /api/v1/search", `{"results":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.Search(ctx, predictmeta.SearchRequest{Query: "x"}, o...)
		return err
	})
	return r.rows
}

func hollowSocialSearch(_ *testing.T) []hollow {
	r := rowsOf[socialsearch.Client]{service: sandbox.SocialSearch, client: func(o walletfi.Options) (*socialsearch.Client, error) {
		return socialsearch.New(socialsearch.Config{BaseURL: somewhere, BearerToken: wiretest.Key(), Options: o})
	}}
	type c = socialsearch.Client

	r.add("GET /2/posts/search/recent", `{"data":[],"meta":{"result_count":0}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SearchRecent(ctx, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")}, o...)
		return err
	})
	r.add("GET /2/users/by/username/{username}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetUserByUsername(ctx, "x", o...)
		return err
	})
	r.add("GET /2/users/{id}/posts", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListUserPosts(ctx, "1", socialsearch.UserPostsRequest{}, o...)
		return err
	})
	r.add("GET /2/posts/{id}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetPost(ctx, "1", o...)
		return err
	})
	return r.rows
}

func hollowWebhooks(_ *testing.T) []hollow {
	r := rowsOf[webhooks.Client]{service: sandbox.Webhooks, client: func(o walletfi.Options) (*webhooks.Client, error) {
		return webhooks.New(webhooks.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: o})
	}}
	type c = webhooks.Client

	r.add("POST /webhooks/rest/v1/webhooks/template/{templateId}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.Create(ctx, "evmWalletFilter", webhooks.CreateRequest{
			Name: "n", Network: "N", DestinationURL: "https://example.com/hook", TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xAb"}},
		}, o...)
		return err
	})
	r.add("GET /webhooks/rest/v1/webhooks", `{"webhooks":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.List(ctx, o...)
		return err
	}).found = "webhooks:list"
	r.add("GET /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.Get(ctx, "wh_1", o...)
		return err
	})
	r.add("PATCH /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.Update(ctx, "wh_1", webhooks.UpdateRequest{Enabled: new(false)}, o...)
		return err
	})
	r.add("DELETE /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		return c.Delete(ctx, "wh_1", o...)
	})
	r.add("POST /webhooks/rest/v1/webhooks/{webhookId}/test", `{"a":1}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.Test(ctx, "wh_1", o...)
		return err
	})
	return r.rows
}
