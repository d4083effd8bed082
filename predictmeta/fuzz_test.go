package predictmeta_test

import (
	"errors"
	"math"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

func FuzzAnswers(f *testing.F) {
	wiretest.FuzzDecode(f, wire.Unmarshal, func() []any {
		return []any{
			new(predictmeta.Event), new(predictmeta.EventPage), new(predictmeta.Forecast), new(predictmeta.Candlesticks),
			new(predictmeta.Market), new(predictmeta.MarketPage), new(predictmeta.MarketBatch), new(predictmeta.FilteredMints),
			new(predictmeta.BookSnapshot), new(predictmeta.TradePage), new(predictmeta.Milestones),
			new(predictmeta.Series), new(predictmeta.Category), new(predictmeta.Sport), new(predictmeta.SearchResult),
		}
	}, ``, `null`, `[]`, `{"markets":[[]]}`, `{"bids":{}}`, `{"volume":1.5}`, `{"timestamp":1e400}`, `"x"`)
}

// FuzzUndocumented: whatever JSON comes where no shape is documented, it is
// kept and nothing panics, unless it is of another market.
func FuzzUndocumented(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"candles":[{}]}}`, `[{"ticker":"E","milestones":[{}]}]`, `{"E":[{"name":"n"}]}`, `{"orderbook":{"bids":[]}}`,
		`null`, `{"results":[[]]}`, `"x"`, `{"milestones":{"E":{"milestones":null}}}`, ` [1]`, `{"data":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := carriedClient(t, predictmeta.Config{APIKey: walletfi.NewSecret("k-123456")}, answer{status: 200, body: string(b)})
		check := func(raw walletfi.Document, err error) {
			if errors.Is(err, walletfi.ErrMismatch) {
				return
			}
			if err != nil {
				require.ErrorIs(t, err, walletfi.ErrDecode)
				return
			}
			require.Equal(t, string(b), raw.String())
		}
		once := walletfi.WithoutRetry()
		if v, err := c.GetMarketCandlesticks(t.Context(), "M", predictmeta.CandlesticksRequest{}, once); err != nil {
			check(nil, err)
		} else if !v.Raw.IsZero() {
			check(v.Raw, nil)
		}
		if v, err := c.GetOrderBookByMint(t.Context(), mint(1), once); err != nil {
			check(nil, err)
		} else if !v.Raw.IsZero() {
			check(v.Raw, nil)
		}
		if v, err := c.BatchMilestones(t.Context(), []string{"E"}, once); err != nil {
			check(nil, err)
		} else if !v.Raw.IsZero() {
			check(v.Raw, nil)
		}
	})
}

// FuzzTradesRequest: what a market is called never leaves its place in the
// URL, and the query says what the request did.
func FuzzTradesRequest(f *testing.F) {
	f.Add("MK-1", 0, 0, "", int64(0), int64(0))
	f.Add("../events", 50, 3, "buy", int64(1767225600), int64(1767225601))
	f.Add("a/b?c=d#e%2f&side=sell", -1, math.MaxInt, "sell", int64(-5), int64(1)<<40)
	f.Fuzz(func(t *testing.T, ticker string, limit, offset int, side string, from, to int64) {
		c, wire := carriedClient(t, predictmeta.Config{}, answer{status: 200, body: `{"trades":[]}`})
		req := predictmeta.TradesRequest{
			Ticker: ticker, Limit: new(limit), Offset: new(offset), Side: predictmeta.Side(side),
			Start: time.Unix(from, 0), End: time.Unix(to, 0),
		}
		if _, err := c.ListTrades(t.Context(), req); err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.seen)
			return
		}
		sent := wire.seen[0].URL
		require.Equal(t, "/api/v1/trades", sent.EscapedPath())
		require.Empty(t, sent.Fragment)
		q := sent.Query()
		require.Equal(t, ticker, q.Get("ticker"))
		require.Equal(t, side, q.Get("side"))
		require.Equal(t, strconv.Itoa(limit), q.Get("limit"))
		require.Equal(t, strconv.Itoa(offset), q.Get("offset"))
		require.Equal(t, !req.Start.IsZero(), q.Has("start_time"))
		if _, err := c.GetEvent(t.Context(), ticker, predictmeta.EventRequest{}); err == nil {
			require.Equal(t, "/api/v1/event/"+url.PathEscape(ticker), wire.seen[1].URL.EscapedPath())
		}
	})
}
