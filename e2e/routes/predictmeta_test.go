package routes

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.PredictMeta], documented[sandbox.PredictMeta] = reachPredictMeta, 23 }

func reachPredictMeta(t *testing.T, s *sandbox.Sandbox) {
	c := flows.PredictMeta(t, s)
	event := predictEvents(t, c)
	market := predictMarkets(t, c)
	predictMints(t, s, c, market)
	predictCandles(t, s, c, event, market)
	predictBooks(t, c, market)
	predictTrades(t, c, market)
	predictMilestones(t, c, event, market)
	predictCatalogue(t, c)
}

// predictEvents walks the pages and returns an event that is trading.
func predictEvents(t *testing.T, c *predictmeta.Client) string {
	ctx, n, ticker := t.Context(), 0, ""
	for event, err := range c.AllEvents(ctx, predictmeta.EventsRequest{Limit: new(25)}) {
		require.NoError(t, err)
		if event.Status == predictmeta.EventActive && ticker == "" {
			ticker = event.Ticker
		}
		n++
	}
	page, err := c.ListEvents(ctx, predictmeta.EventsRequest{})
	require.NoError(t, err)
	require.Equal(t, &n, page.Total)
	require.Len(t, page.Items, predictmeta.DefaultEventsLimit)
	event, err := c.GetEvent(ctx, ticker, predictmeta.EventRequest{IncludeMarkets: new(true)})
	require.NoError(t, err)
	require.NotEmpty(t, event.Markets)
	require.False(t, event.CloseTime.IsZero())
	return ticker
}

// predictMarkets asks for more than a call may hold, and returns a market that
// is lively.
func predictMarkets(t *testing.T, c *predictmeta.Client) *predictmeta.Market {
	ctx := t.Context()
	var tickers []string
	for market, err := range c.AllMarkets(ctx, predictmeta.MarketsRequest{}) {
		require.NoError(t, err)
		tickers = append(tickers, market.Ticker)
	}
	require.Greater(t, len(tickers), 100, "the batch must need splitting")
	batch, err := c.BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: append(tickers, "NO-SUCH")})
	require.NoError(t, err)
	require.Len(t, batch.Markets, len(tickers))
	for i, m := range batch.Markets {
		require.Equal(t, tickers[i], m.Ticker, "in the caller's order")
	}
	require.Equal(t, []string{"NO-SUCH"}, batch.NotFound)
	market, err := c.GetMarket(ctx, "BTC-R6-M1")
	require.NoError(t, err)
	require.NotZero(t, market.Volume24h)
	return market
}

func predictMints(t *testing.T, s *sandbox.Sandbox, c *predictmeta.Client, market *predictmeta.Market) {
	ctx := t.Context()
	for _, mint := range []string{market.YesMint, market.NoMint, market.LedgerMint} {
		found, err := c.GetMarketByMint(ctx, mint)
		require.NoError(t, err)
		if mint != market.LedgerMint {
			require.Equal(t, market.Ticker, found.Ticker)
		}
	}
	mints, err := c.ListOutcomeMints(ctx, predictmeta.OutcomeMintsRequest{})
	require.NoError(t, err)
	require.Greater(t, len(mints.Items), 200, "the filter must need splitting")
	addresses := []string{s.Mint("USDC")}
	for _, m := range mints.Items {
		addresses = append(addresses, m.Mint)
	}
	for range 2 { // the shape takes turns
		filtered, err := c.FilterOutcomeMints(ctx, addresses)
		require.NoError(t, err)
		require.Len(t, filtered.OutcomeMints, len(mints.Items))
		require.Equal(t, []string{s.Mint("USDC")}, filtered.NonOutcomeMints)
	}
}

func predictCandles(t *testing.T, s *sandbox.Sandbox, c *predictmeta.Client, event string, market *predictmeta.Market) {
	ctx := t.Context()
	span := predictmeta.CandlesticksRequest{Interval: predictmeta.Interval1h, Start: s.Now().Add(-24 * time.Hour), End: s.Now()}
	candles, err := c.GetEventCandlesticks(ctx, event, span)
	require.NoError(t, err)
	require.NotEmpty(t, candles.Candlesticks)
	strange := 0
	for range 3 { // three shapes take turns, of which one has other names
		byTicker, err := c.GetMarketCandlesticks(ctx, market.Ticker, span)
		require.NotEmpty(t, byTicker.Candlesticks)
		byMint, another := c.GetMarketCandlesticksByMint(ctx, market.YesMint, span)
		require.Len(t, byMint.Candlesticks, len(byTicker.Candlesticks))
		for _, err := range []error{err, another} {
			if err == nil {
				continue
			}
			strange++
			unread, ok := errors.AsType[*walletfi.UnreadError](err)
			require.True(t, ok, "%v", err)
			require.Len(t, unread.Records, len(byTicker.Candlesticks))
			require.True(t, unread.Records[0].Kept)
		}
	}
	require.Equal(t, 2, strange)
	forecast, err := c.GetForecast(ctx, event, predictmeta.ForecastRequest{Interval: predictmeta.Interval4h, Start: span.Start, End: span.End})
	require.NoError(t, err)
	require.NotEmpty(t, forecast.Forecasts)
}

func predictBooks(t *testing.T, c *predictmeta.Client, market *predictmeta.Market) {
	ctx := t.Context()
	snapshot, err := c.GetOrderBook(ctx, market.Ticker, predictmeta.OrderBookRequest{Depth: new(5)})
	require.NoError(t, err)
	book := snapshot.OrderBook()
	bid, ok := book.BestBid()
	require.True(t, ok)
	ask, ok := book.BestAsk()
	require.True(t, ok)
	require.Equal(t, -1, bid.Price.Cmp(ask.Price))
	require.LessOrEqual(t, len(book.Bids()), 5)
	for range 2 {
		byMint, err := c.GetOrderBookByMint(ctx, market.YesMint)
		require.NoError(t, err)
		_, ok := byMint.OrderBook().BestBid()
		require.True(t, ok)
	}
}

func predictTrades(t *testing.T, c *predictmeta.Client, market *predictmeta.Market) {
	ctx, n := t.Context(), 0
	page, err := c.ListTrades(ctx, predictmeta.TradesRequest{Ticker: market.Ticker, Side: predictmeta.SideBuy, Limit: new(7)})
	require.NoError(t, err)
	require.Len(t, page.Items, 7)
	for trade, err := range c.AllTradesByMint(ctx, market.YesMint, predictmeta.TradesRequest{Limit: new(100)}) {
		require.NoError(t, err)
		require.Equal(t, market.Ticker, trade.Ticker)
		require.Equal(t, 1, trade.Price.Sign())
		if n++; n == 250 {
			break
		}
	}
	require.Equal(t, 250, n)
	for trade, err := range c.AllTrades(ctx, predictmeta.TradesRequest{Ticker: market.Ticker, Side: predictmeta.SideBuy, Limit: new(7)}) {
		require.NoError(t, err)
		require.Equal(t, predictmeta.SideBuy, trade.Side)
		if n++; n == 270 {
			break
		}
	}
	require.Equal(t, 270, n, "three pages")
}

func predictMilestones(t *testing.T, c *predictmeta.Client, event string, market *predictmeta.Market) {
	ctx := t.Context()
	milestones, err := c.GetMilestones(ctx, event)
	require.NoError(t, err)
	require.Equal(t, event, milestones.Ticker)
	for range 3 {
		_, err = c.GetMilestonesByMint(ctx, market.YesMint)
		require.NoError(t, err)
		_, err = c.BatchMilestones(ctx, []string{event})
		require.NoError(t, err)
	}
}

func predictCatalogue(t *testing.T, c *predictmeta.Client) {
	ctx := t.Context()
	categories, err := c.ListCategories(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, categories.Items)
	series, err := c.ListSeries(ctx, predictmeta.SeriesRequest{Category: categories.Items[0].ID})
	require.NoError(t, err)
	require.NotEmpty(t, series.Items)
	sports, err := c.ListSports(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, sports.Items)
	results, err := c.Search(ctx, predictmeta.SearchRequest{Query: "btc", Type: predictmeta.SearchAll, Limit: new(5)})
	require.NoError(t, err)
	require.NotEmpty(t, results.Items)
}
