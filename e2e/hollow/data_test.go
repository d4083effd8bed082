package hollow

import (
	"testing"

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
	r := rows{service: sandbox.PredictMeta}
	type c = predictmeta.Client
	market, trades := wholeMarket, `{"trades":[`+wholeTrade+`],"total":1,"limit":100,"offset":0}`

	r.add("GET /api/v1/event/{ticker}", wholeEvent,
		(*c).GetEvent, "EV", predictmeta.EventRequest{})
	r.add("GET /api/v1/events", `{"events":[`+wholeEvent+`],"total":1,"limit":50,"offset":0}`,
		(*c).ListEvents, predictmeta.EventsRequest{})
	r.add("GET /api/v1/event/{ticker}/forecast", `{"ticker":"EV","forecasts":[]}`,
		(*c).GetForecast, "EV", predictmeta.ForecastRequest{Interval: predictmeta.Interval1h})
	r.add("GET /api/v1/event/{ticker}/candlesticks", `{"ticker":"EV","interval":"1h","candlesticks":[]}`,
		(*c).GetEventCandlesticks, "EV", predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h})
	r.add("GET /api/v1/market/{ticker}", market, (*c).GetMarket, "MK")
	r.add("GET /api/v1/market/by-mint/{mint_address}", market, (*c).GetMarketByMint, mintIn)
	r.add("GET /api/v1/markets", `{"markets":[`+wholeMarket+`],"total":1,"limit":50,"offset":0}`,
		(*c).ListMarkets, predictmeta.MarketsRequest{})
	r.add("POST /api/v1/markets/batch", `{"markets":[],"not_found":["MK"]}`,
		(*c).BatchMarkets, predictmeta.BatchMarketsRequest{Tickers: []string{"MK"}})
	r.add("GET /api/v1/outcome_mints", `{"outcome_mints":[]}`, (*c).ListOutcomeMints, predictmeta.OutcomeMintsRequest{})
	r.add("POST /api/v1/filter_outcome_mints", mints(`{"outcome_mints":[{"mint":"$IN","market_ticker":"MK","outcome":"yes"}],"non_outcome_mints":["$OUT"]}`),
		(*c).FilterOutcomeMints, []string{mintIn, mintOut})
	r.add("GET /api/v1/market/{ticker}/candlesticks", `{"a":1,"candlesticks":[]}`,
		(*c).GetMarketCandlesticks, "MK", predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h}).listed = true
	r.add("GET /api/v1/market/by-mint/{mint_address}/candlesticks", `{"a":1,"candlesticks":[]}`,
		(*c).GetMarketCandlesticksByMint, mintIn, predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h}).listed = true
	r.add("GET /api/v1/orderbook/{ticker}", `{"ticker":"MK","timestamp":"2026-01-01T00:00:00Z","bids":[],"asks":[]}`,
		(*c).GetOrderBook, "MK", predictmeta.OrderBookRequest{})
	r.add("GET /api/v1/orderbook/by-mint/{mint_address}", `{"a":1,"bids":[],"asks":[]}`,
		(*c).GetOrderBookByMint, mintIn).named = true
	r.add("GET /api/v1/trades", trades, (*c).ListTrades, predictmeta.TradesRequest{})
	r.add("GET /api/v1/trades/by-mint/{mint_address}", trades, (*c).ListTradesByMint, mintIn, predictmeta.TradesRequest{})
	r.add("GET /api/v1/milestones/{ticker}", `{"ticker":"EV","milestones":[]}`, (*c).GetMilestones, "EV")
	r.add("GET /api/v1/milestones/by-mint/{mint_address}", `{"a":1,"milestones":[]}`, (*c).GetMilestonesByMint, mintIn).listed = true
	r.add("POST /api/v1/milestones/batch", `{"a":1,"milestones":[]}`, (*c).BatchMilestones, []string{"EV"}).listed = true
	r.add("GET /api/v1/series", `{"series":[]}`, (*c).ListSeries, predictmeta.SeriesRequest{})
	r.add("GET /api/v1/categories", `{"categories":[]}`, (*c).ListCategories)
	r.add("GET /api/v1/sports", `{"sports":[]}`, (*c).ListSports)
	r.add("GET /api/v1/search", `{"results":[{"type":"market","ticker":"T"}]}`, (*c).Search, predictmeta.SearchRequest{Query: "x"})
	return r.rows
}

func hollowSocialSearch(_ *testing.T) []hollow {
	r := rows{service: sandbox.SocialSearch}
	type c = socialsearch.Client

	r.add("GET /2/posts/search/recent", `{"data":[],"meta":{"result_count":0}}`,
		(*c).SearchRecent, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")})
	r.add("GET /2/users/by/username/{username}", `{"data":{"id":"1","username":"x"}}`, (*c).GetUserByUsername, "x")
	r.add("GET /2/users/{id}/posts", `{"data":[],"meta":{"result_count":0}}`, (*c).ListUserPosts, "1", socialsearch.UserPostsRequest{})
	r.add("GET /2/posts/{id}", `{"data":{"id":"1"}}`, (*c).GetPost, "1")
	return r.rows
}

func hollowWebhooks(_ *testing.T) []hollow {
	r := rows{service: sandbox.Webhooks}
	type c = webhooks.Client

	r.add("POST /webhooks/rest/v1/webhooks/template/{templateId}", `{"a":1,"id":"wh_1"}`,
		(*c).CreateWebhook, "evmWalletFilter", webhooks.CreateWebhookRequest{
			Name: "n", Network: "N", DestinationURL: "https://example.com/hook", TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xAb"}},
		}).named = true
	r.add("GET /webhooks/rest/v1/webhooks", `{"webhooks":[]}`, (*c).ListWebhooks).found = "webhooks:list"
	r.add("GET /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1,"id":"wh_1"}`, (*c).GetWebhook, "wh_1").named = true
	r.add("PATCH /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1,"webhookId":"wh_1"}`,
		(*c).UpdateWebhook, "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(false)})
	r.add("DELETE /webhooks/rest/v1/webhooks/{webhookId}", `{"a":1}`, (*c).DeleteWebhook, "wh_1")
	r.add("POST /webhooks/rest/v1/webhooks/{webhookId}/test", `{"a":1}`, (*c).TestWebhook, "wh_1")
	return r.rows
}
