package predictmeta_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

var (
	key   = map[string]string{"x-api-key": "k-123456", "Authorization": ""}
	start = time.Unix(1767225600, 999)
	end   = time.Unix(1767229200, 0)
)

func TestWireEvents(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(client, (*predictmeta.Client).GetEvent,
			"EV-1/x y", predictmeta.EventRequest{IncludeMarkets: new(true)}),
		Method: "GET", Target: "/api/v1/event/EV-1%2Fx%20y?include_markets=true", Header: key, Reply: strings.Replace(wiretest.File(t, "GetEvent.json"), "EV-1", "EV-1/x y", 1),
		Want: &predictmeta.Event{
			Ticker: "EV-1/x y", Title: "Who wins?", Status: predictmeta.EventActive, SeriesTicker: "SE-1", Category: "Politics",
			CloseTime: instant(t, "2026-11-03T23:59:59.5Z"),
			Markets: []predictmeta.MarketSummary{
				{Ticker: "MK-1", YesMint: "Y111111111111111111111111111111111", NoMint: "N111111111111111111111111111111111", LastPrice: wiretest.Decimal(t, "0.50"), Volume24h: new(uint64(maxUint64))},
				{Ticker: "MK-2", YesMint: "Y211111111111111111111111111111111", NoMint: "N211111111111111111111111111111111", LastPrice: wiretest.Decimal(t, "0.25"), Volume24h: new(uint64(0))},
			},
		},
	}, {
		Name:   "GetEvent, without markets",
		Call:   wiretest.By(client, (*predictmeta.Client).GetEvent, "EV-1", predictmeta.EventRequest{}),
		Method: "GET", Target: "/api/v1/event/EV-1", Header: key, Reply: `{"ticker":"EV-1","status":"suspended","close_time":"2026-11-03T23:59:59Z"}`,
		Want: &predictmeta.Event{Ticker: "EV-1", Status: "suspended", CloseTime: instant(t, "2026-11-03T23:59:59Z")},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).ListEvents, predictmeta.EventsRequest{
			Limit: new(2), Offset: new(4), Status: predictmeta.EventFinalized, Category: "Politics & more", SeriesTicker: "SE-1",
		}),
		Method: "GET", Target: "/api/v1/events?category=Politics+%26+more&limit=2&offset=4&series_ticker=SE-1&status=finalized",
		Header: key, File: "ListEvents.json",
		Want: &predictmeta.EventPage{Total: new(7), Limit: new(2), Offset: new(4), Items: []predictmeta.Event{
			{Ticker: "EV-1", Title: "Who wins?", Status: predictmeta.EventFinalized, CloseTime: instant(t, "2026-11-03T23:59:59Z")},
			{Ticker: "EV-2", Status: "paused", CloseTime: instant(t, "2026-11-04T00:00:00Z")},
		}},
	}, {
		Name:   "ListEvents, least",
		Call:   wiretest.By(client, (*predictmeta.Client).ListEvents, predictmeta.EventsRequest{}),
		Method: "GET", Target: "/api/v1/events", Header: key, Reply: `{"events":[]}`, Want: &predictmeta.EventPage{Items: []predictmeta.Event{}},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).GetForecast,
			"EV-1", predictmeta.ForecastRequest{Interval: predictmeta.Interval4h, Start: start, End: end}),
		Method: "GET", Target: "/api/v1/event/EV-1/forecast?end_time=1767229200&interval=4h&start_time=1767225600", Header: key, File: "GetForecast.json",
		Then: func(t *testing.T, result any) {
			f := result.(*predictmeta.Forecast)
			require.Equal(t, "EV-1", f.Ticker)
			require.Len(t, f.Forecasts, 2)
			require.Equal(t, predictmeta.ForecastPoint{
				Timestamp: instant(t, "2026-01-01T00:00:00Z"), Probability: wiretest.Decimal(t, "0.000000000000000001"), Volume: new(uint64(0)),
			}, f.Forecasts[0])
			require.True(t, f.Forecasts[1].Timestamp.Equal(time.Unix(1767229200, 0)))
			require.Equal(t, new(uint64(12)), f.Forecasts[1].Volume)
		},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).GetEventCandlesticks,
			"EV-1", predictmeta.CandlesticksRequest{Interval: predictmeta.Interval5m}),
		Method: "GET", Target: "/api/v1/event/EV-1/candlesticks?interval=5m", Header: key, File: "GetEventCandlesticks.json",
		Want: &predictmeta.Candlesticks{Ticker: "EV-1", Interval: predictmeta.Interval5m, Candlesticks: []predictmeta.Candlestick{
			{Timestamp: instant(t, "2026-01-01T00:00:00Z"), Open: wiretest.Decimal(t, "0.5"), High: wiretest.Decimal(t, "0.62"), Low: wiretest.Decimal(t, "0.41"), Close: wiretest.Decimal(t, "0.60"), Volume: new(uint64(maxUint64))},
			{Timestamp: instant(t, "2026-01-01T00:05:00Z"), Open: wiretest.Decimal(t, "0"), High: wiretest.Decimal(t, "1"), Low: wiretest.Decimal(t, "0"), Close: wiretest.Decimal(t, "0.10"), Volume: new(uint64(0))},
		}},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).GetMilestones, "EV-1"),
		Method: "GET", Target: "/api/v1/milestones/EV-1", Header: key, File: "GetMilestones.json",
		Want: &predictmeta.Milestones{Ticker: "EV-1", Milestones: []predictmeta.Milestone{
			{Name: "Debate", Timestamp: instant(t, "2026-01-01T00:00:00Z"), ProbabilityBefore: wiretest.Decimal(t, "0.4"), ProbabilityAfter: wiretest.Decimal(t, "0.6"), VolumeSpike: new(int64(-3))},
			{Name: "Vote", VolumeSpike: new(int64(1<<63 - 1))},
		}},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).ListSeries, predictmeta.SeriesRequest{Category: "Economics"}),
		Method: "GET", Target: "/api/v1/series?category=Economics", Header: key, File: "ListSeries.json",
		Want: &predictmeta.SeriesPage{Items: []predictmeta.Series{{Ticker: "SE-1", Title: "Weekly", Category: "Economics", EventsCount: new(52)}, {Ticker: "SE-2", Category: "economics"}}},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).ListCategories),
		Method: "GET", Target: "/api/v1/categories", Header: key, File: "ListCategories.json",
		Want: &predictmeta.CategoryPage{Items: []predictmeta.Category{{ID: "politics", Name: "Politics", EventsCount: new(0)}, {ID: "2", Name: "Sport", EventsCount: new(3)}}},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).ListSports),
		Method: "GET", Target: "/api/v1/sports", Header: key, File: "ListSports.json",
		Want: &predictmeta.SportPage{Items: []predictmeta.Sport{{ID: "football", Name: "Football"}}},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).Search,
			predictmeta.SearchRequest{Query: "who wins?", Type: predictmeta.SearchAll, Limit: new(5)}),
		Method: "GET", Target: "/api/v1/search?limit=5&q=who+wins%3F&type=all", Header: key, File: "Search.json",
		Want: &predictmeta.SearchPage{Items: []predictmeta.SearchResult{
			{Type: predictmeta.SearchEvents, Ticker: "EV-1", Title: "Who wins?", RelevanceScore: wiretest.Decimal(t, "0.987654321098765432")},
			{Type: "series", Ticker: "SE-1"},
		}},
	}})
}

func TestWireMarkets(t *testing.T) {
	market := &predictmeta.Market{
		Ticker: "MK-1", EventTicker: "EV-1", Title: "Yes?", YesMint: "Y111111111111111111111111111111111", NoMint: "N111111111111111111111111111111111", LedgerMint: "L111111111111111111111111111111111", Status: "initialized",
		LastPrice: wiretest.Decimal(t, "0.52"), YesPrice: wiretest.Decimal(t, "0.520"), NoPrice: wiretest.Decimal(t, "0.48"),
		Volume24h: new(uint64(12)), OpenInterest: new(uint64(maxUint64)), CreatedAt: instant(t, "2025-06-01T00:00:00Z"),
	}
	byMint := new(*market)
	byMint.NoMint = mint(1)
	tape := &predictmeta.TradePage{Total: new(2), Limit: new(100), Offset: new(9), Items: []predictmeta.Trade{{
		ID: "T1", Ticker: "MK-1", Price: wiretest.Decimal(t, "0.52"), Side: predictmeta.SideBuy, Outcome: predictmeta.OutcomeYes,
		Timestamp: instant(t, "2026-01-01T00:00:00Z"), TakerAddress: "A", MakerAddress: "B",
	}, {
		ID: "2", Ticker: "MK-1", Price: wiretest.Decimal(t, "0.1"), Quantity: maxUint64, Side: predictmeta.SideBuy, Outcome: "draw", Timestamp: instant(t, "2026-01-01T00:00:00Z"),
	}}}
	wiretest.Run(t, []wiretest.Case{{
		Call:   wiretest.By(client, (*predictmeta.Client).GetMarket, "MK-1"),
		Method: "GET", Target: "/api/v1/market/MK-1", Header: key, File: "GetMarket.json", Want: market,
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).GetMarketByMint, mint(1)),
		Method: "GET", Target: "/api/v1/market/by-mint/" + mint(1), Header: key, Reply: strings.Replace(wiretest.File(t, "GetMarket.json"), "N111111111111111111111111111111111", mint(1), 1), Want: byMint,
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).ListMarkets,
			predictmeta.MarketsRequest{Limit: new(50), Offset: new(3), Status: "Active", EventTicker: "EV-1"}),
		Method: "GET", Target: "/api/v1/markets?event_ticker=EV-1&limit=50&offset=3&status=Active", Header: key, File: "ListMarkets.json",
		Want: &predictmeta.MarketPage{Total: new(2), Limit: new(50), Offset: new(3), Items: []predictmeta.Market{
			{Ticker: "MK-1", EventTicker: "EV-1", Title: "Yes?", YesMint: "Y111111111111111111111111111111111", NoMint: "N111111111111111111111111111111111", LedgerMint: "L111111111111111111111111111111111", Status: "active",
				LastPrice: wiretest.Decimal(t, "0"), YesPrice: wiretest.Decimal(t, "0"), NoPrice: wiretest.Decimal(t, "1.00"),
				Volume24h: new(uint64(0)), OpenInterest: new(uint64(0)), CreatedAt: instant(t, "2025-06-01T00:00:00Z")},
		}},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).BatchMarkets,
			predictmeta.BatchMarketsRequest{Tickers: []string{"MK-1", "MK-404"}, Mints: []string{mint(3)}}),
		Method: "POST", Target: "/api/v1/markets/batch", Header: key, File: "BatchMarkets.json",
		Body: `{"tickers":["MK-1","MK-404"],"mints":["` + mint(3) + `"]}`,
		Want: &predictmeta.MarketBatch{
			Markets:  []predictmeta.MarketSummary{{Ticker: "MK-1", YesMint: "Y111111111111111111111111111111111", NoMint: "N111111111111111111111111111111111", LastPrice: wiretest.Decimal(t, "0.99")}},
			NotFound: []string{"MK-404"},
		},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).ListOutcomeMints,
			predictmeta.OutcomeMintsRequest{MinClose: time.Unix(0, 0)}),
		Method: "GET", Target: "/api/v1/outcome_mints?min_close_timestamp=0", Header: key, File: "ListOutcomeMints.json",
		Want: &predictmeta.OutcomeMintPage{Items: []predictmeta.OutcomeMint{
			{Mint: "Y111111111111111111111111111111111", MarketTicker: "MK-1", Outcome: predictmeta.OutcomeYes},
			{Mint: "N111111111111111111111111111111111", MarketTicker: "MK-1", Outcome: predictmeta.OutcomeNo},
			{Mint: "X111111111111111111111111111111111", MarketTicker: "7", Outcome: "maybe"},
		}},
	}, {
		Name:   "ListOutcomeMints, all",
		Call:   wiretest.By(client, (*predictmeta.Client).ListOutcomeMints, predictmeta.OutcomeMintsRequest{}),
		Method: "GET", Target: "/api/v1/outcome_mints", Header: key, Reply: `{"outcome_mints":[]}`, Want: &predictmeta.OutcomeMintPage{Items: []predictmeta.OutcomeMint{}},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).FilterOutcomeMints, []string{mint(1), mint(2), mint(3)}),
		Method: "POST", Target: "/api/v1/filter_outcome_mints", Header: key, Reply: strings.NewReplacer("Y111111111111111111111111111111111", mint(1), "N111111111111111111111111111111111", mint(2), "Z111111111111111111111111111111111", mint(3)).Replace(wiretest.File(t, "FilterOutcomeMints.json")),
		Body: `{"addresses":["` + mint(1) + `","` + mint(2) + `","` + mint(3) + `"]}`,
		Want: &predictmeta.FilteredMints{
			OutcomeMints:    []predictmeta.OutcomeMint{{Mint: mint(1), MarketTicker: "MK-1", Outcome: predictmeta.OutcomeYes}, {Mint: mint(2)}},
			NonOutcomeMints: []string{mint(3)},
		},
	}, {
		Call:   wiretest.By(client, (*predictmeta.Client).GetOrderBook, "MK-1", predictmeta.OrderBookRequest{Depth: new(2)}),
		Method: "GET", Target: "/api/v1/orderbook/MK-1?depth=2", Header: key, File: "GetOrderBook.json",
		Want: &predictmeta.BookSnapshot{
			Ticker: "MK-1", Timestamp: instant(t, "2026-01-01T00:00:00.123456789Z"),
			Bids:   []predictmeta.Level{{Price: wiretest.Decimal(t, "0.51"), Quantity: 100}, {Price: wiretest.Decimal(t, "0.515"), Quantity: maxUint64}},
			Asks:   []predictmeta.Level{{Price: wiretest.Decimal(t, "0.53"), Quantity: 7}},
			Spread: wiretest.Decimal(t, "0.015"), MidPrice: wiretest.Decimal(t, "0.5225"),
		},
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).ListTrades, predictmeta.TradesRequest{
			Ticker: "MK-1", Side: predictmeta.SideBuy, Start: start, End: end, Limit: new(100), Offset: new(9),
		}),
		Method: "GET", Target: "/api/v1/trades?end_time=1767229200&limit=100&offset=9&side=buy&start_time=1767225600&ticker=MK-1",
		Header: key, File: "ListTrades.json", Want: tape,
	}, {
		Call: wiretest.By(client, (*predictmeta.Client).ListTradesByMint,
			mint(1), predictmeta.TradesRequest{Side: predictmeta.SideBuy}),
		Method: "GET", Target: "/api/v1/trades/by-mint/" + mint(1) + "?side=buy", Header: key, File: "ListTrades.json", Want: tape,
	}})
}

func TestTimeFormats(t *testing.T) {
	for name, row := range map[string]struct {
		format predictmeta.TimeFormat
		want   string
	}{
		"as it is":     {nil, "start_time=1767225600"},
		"seconds":      {predictmeta.UnixSeconds, "start_time=1767225600"},
		"milliseconds": {predictmeta.UnixMilliseconds, "start_time=1767225600000"},
		"RFC 3339":     {predictmeta.RFC3339, "start_time=2026-01-01T00%3A00%3A00.000000999Z"},
		"its own":      {func(time.Time) string { return "x" }, "start_time=x"},
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Serve(t, nothing)
			c := clientOf(t, predictmeta.Config{BaseURL: server.URL, TimeFormat: row.format})
			_, err := c.ListTrades(t.Context(), predictmeta.TradesRequest{Start: start.In(time.FixedZone("", 3600))})
			require.NoError(t, err)
			require.Equal(t, "/api/v1/trades?"+row.want, server.Requests()[0].Target)
		})
	}
}

// nothing is an answer that lists nothing.
func nothing(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"sports":[],"trades":[]}`) }

func TestKeyIsOptional(t *testing.T) {
	server := wiretest.Serve(t, nothing)
	_, err := clientOf(t, predictmeta.Config{BaseURL: server.URL}).ListSports(t.Context())
	require.NoError(t, err)
	require.NotContains(t, server.Requests()[0].Header, "X-Api-Key")
}

func TestDeploymentOfCalls(t *testing.T) {
	server := wiretest.Serve(t, nothing)
	c := clientOf(t, predictmeta.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("k-123456"), Options: walletfi.Options{Deployment: wiretest.Words{
		Headers:  map[string]string{"x-api-key": "x-live-key"},
		Query:    map[string]string{"side": "direction"},
		Segments: map[string]string{"trades": "fills"},
		Values:   map[string]map[string]string{"side": {"buy": "BID"}},
	}.Of("predictmeta")}})
	_, err := c.ListTrades(t.Context(), predictmeta.TradesRequest{Side: predictmeta.SideBuy})
	require.NoError(t, err)
	request := server.Requests()[0]
	require.Equal(t, "/api/v1/fills?direction=BID", request.Target)
	require.Equal(t, "k-123456", request.Header.Get("x-live-key"))
	require.Empty(t, request.Header.Get("x-api-key"))
}
