package predictmeta_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/ratelimit"
)

var errReset = errors.New("connection reset by peer")

func TestBudgets(t *testing.T) {
	for name, row := range map[string]struct {
		cfg   predictmeta.Config
		burst int // requests that go at once
		per   time.Duration
	}{
		"without a key":              {predictmeta.Config{}, 10, time.Minute},
		"with a key, as it is":       {predictmeta.Config{APIKey: walletfi.NewSecret("k-123456")}, 50, 0},
		"with a key and its budgets": {predictmeta.Config{APIKey: walletfi.NewSecret("k-123456"), Budgets: []ratelimit.Budget{{Requests: 3, Per: time.Second}}}, 3, time.Second},
		"without a key, its own":     {predictmeta.Config{Budgets: []ratelimit.Budget{{Requests: 8, Per: time.Minute}}}, 8, time.Minute},
	} {
		wiretest.InBubble(t, name, func(t *testing.T) {
			c, wire := carriedClient(t, row.cfg, answer{status: 200, body: `{"sports":[]}`})
			for range 50 {
				require.NoError(t, wiretest.Error(c.ListSports(t.Context())))
			}
			require.Len(t, wire.at, 50)
			for i := range wire.at {
				since := wire.at[i].Sub(wire.at[max(0, i-row.burst)])
				require.True(t, i < row.burst || since >= row.per, "request %d came %v after that %d before", i, since, row.burst)
			}
			require.Zero(t, wire.at[row.burst-1].Sub(wire.at[0]))
		})
	}
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, predictmeta.Config{Options: walletfi.Options{MaxQueueWait: new(time.Duration(0))}}, answer{status: 200, body: `{"sports":[]}`})
		for range predictmeta.AnonymousBudget.Requests {
			require.NoError(t, wiretest.Error(c.ListSports(t.Context())))
		}
		require.ErrorIs(t, wiretest.Error(c.ListSports(t.Context())), walletfi.ErrRateLimited)
		require.Len(t, wire.seen, 10)
		other, _ := carriedClient(t, predictmeta.Config{Options: walletfi.Options{
			MaxQueueWait: new(time.Duration(0)), Limiter: func(ratelimit.Scope) ratelimit.Limiter { return c.Limiter(predictmeta.ClassAll) },
		}}, answer{status: 200, body: `{"sports":[]}`})
		_, err := other.ListSports(t.Context())
		require.ErrorIs(t, err, walletfi.ErrRateLimited, "the budget is shared")
	})
}

func TestStatuses(t *testing.T) {
	for status, row := range map[int]struct {
		kind  error
		tries int // with one repeat allowed
	}{
		400: {walletfi.ErrInvalidRequest, 1}, 401: {walletfi.ErrUnauthorized, 1}, 404: {walletfi.ErrNotFound, 1},
		429: {walletfi.ErrRateLimited, 2}, 500: {walletfi.ErrUnavailable, 2}, 503: {walletfi.ErrUnavailable, 2},
	} {
		wiretest.InBubble(t, http.StatusText(status), func(t *testing.T) {
			retry := walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(1)}}
			c, wire := carriedClient(t, predictmeta.Config{APIKey: walletfi.NewSecret("k-123456"), Options: retry}, answer{status: status, body: `{"error":"no k-123456"}`})
			_, err := c.BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: []string{"MK-1"}})
			require.ErrorIs(t, err, row.kind)
			require.Len(t, wire.seen, row.tries, "a POST that reads is repeated too")
			r := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, status, r.StatusCode)
			require.Equal(t, "predictmeta", r.Service)
			require.Equal(t, "BatchMarkets", r.Op)
			require.NotContains(t, err.Error()+string(r.Body), "k-123456")
		})
	}
}

// What fails has no result.
func TestNothingBesideAnError(t *testing.T) {
	c, _ := carriedClient(t, predictmeta.Config{APIKey: walletfi.NewSecret("k-123456")}, answer{status: 404})
	ctx := t.Context()
	for name, call := range map[string]func() (any, error){
		"GetEvent":              func() (any, error) { return c.GetEvent(ctx, "E", predictmeta.EventRequest{}) },
		"ListEvents":            func() (any, error) { return c.ListEvents(ctx, predictmeta.EventsRequest{}) },
		"GetForecast":           func() (any, error) { return c.GetForecast(ctx, "E", predictmeta.ForecastRequest{}) },
		"GetEventCandlesticks":  func() (any, error) { return c.GetEventCandlesticks(ctx, "E", predictmeta.CandlesticksRequest{}) },
		"GetMarketCandlesticks": func() (any, error) { return c.GetMarketCandlesticks(ctx, "M", predictmeta.CandlesticksRequest{}) },
		"GetMarketCandlesticksByMint": func() (any, error) {
			return c.GetMarketCandlesticksByMint(ctx, mint(1), predictmeta.CandlesticksRequest{})
		},
		"GetMarket":           func() (any, error) { return c.GetMarket(ctx, "M") },
		"GetMarketByMint":     func() (any, error) { return c.GetMarketByMint(ctx, mint(1)) },
		"ListMarkets":         func() (any, error) { return c.ListMarkets(ctx, predictmeta.MarketsRequest{}) },
		"ListOutcomeMints":    func() (any, error) { return c.ListOutcomeMints(ctx, predictmeta.OutcomeMintsRequest{}) },
		"GetOrderBook":        func() (any, error) { return c.GetOrderBook(ctx, "M", predictmeta.OrderBookRequest{}) },
		"GetOrderBookByMint":  func() (any, error) { return c.GetOrderBookByMint(ctx, mint(1)) },
		"ListTrades":          func() (any, error) { return c.ListTrades(ctx, predictmeta.TradesRequest{}) },
		"ListTradesByMint":    func() (any, error) { return c.ListTradesByMint(ctx, mint(1), predictmeta.TradesRequest{}) },
		"GetMilestones":       func() (any, error) { return c.GetMilestones(ctx, "E") },
		"GetMilestonesByMint": func() (any, error) { return c.GetMilestonesByMint(ctx, mint(1)) },
		"BatchMilestones":     func() (any, error) { return c.BatchMilestones(ctx, []string{"E"}) },
		"ListSeries":          func() (any, error) { return c.ListSeries(ctx, predictmeta.SeriesRequest{}) },
		"ListCategories":      func() (any, error) { return c.ListCategories(ctx) },
		"ListSports":          func() (any, error) { return c.ListSports(ctx) },
		"Search":              func() (any, error) { return c.Search(ctx, predictmeta.SearchRequest{Query: "x"}) },
	} {
		t.Run(name, func(t *testing.T) {
			result, err := call()
			require.ErrorIs(t, err, walletfi.ErrNotFound)
			require.Nil(t, result)
			refused := wiretest.As[*walletfi.ResponseError](t, err)
			require.Equal(t, name, refused.Op)
		})
	}
}

func TestRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, predictmeta.Config{},
			answer{err: errReset},
			answer{status: 429, header: map[string]string{"Retry-After": "7"}},
			answer{status: 503},
			answer{status: 200, body: `{"outcome_mints":[],"non_outcome_mints":["` + mint(1) + `"]}`},
		)
		found, err := c.FilterOutcomeMints(t.Context(), []string{mint(1)})
		require.NoError(t, err)
		require.Equal(t, &predictmeta.FilteredMints{NonOutcomeMints: []string{mint(1)}}, found)
		require.Len(t, wire.seen, 4)
		require.GreaterOrEqual(t, wire.at[2].Sub(wire.at[1]), 7*time.Second)
	})
}

func TestTooLarge(t *testing.T) {
	c, _ := carriedClient(t, predictmeta.Config{Options: walletfi.Options{MaxResponseBytes: 100}}, answer{status: 200, body: `{"sports":[` + strings.Repeat(" ", 100) + `]}`})
	require.ErrorIs(t, wiretest.Error(c.ListSports(t.Context())), walletfi.ErrDecode)
}
