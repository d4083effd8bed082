package predictmeta_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// lister serves a list of so many records named r0, r1, ... at most 3 a page.
func lister(t testing.TB, member, record string, records int) *wiretest.Server {
	t.Helper()
	return wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		var page []string
		for i := offset; i < min(records, offset+3); i++ {
			page = append(page, called(record, fmt.Sprintf("r%d", i)))
		}
		fmt.Fprintf(w, `{%q:[%s],"total":%d}`, member, strings.Join(page, ","), records)
	})
}

// names collects a sequence.
func names[T any](seq iter.Seq2[T, error], name func(T) string) (all []string, err error) {
	for item, err := range seq {
		if err != nil {
			return all, err
		}
		all = append(all, name(item))
	}
	return all, nil
}

func TestAll(t *testing.T) {
	for name, row := range map[string]struct {
		member, record string
		path           string
		all            func(ctx context.Context, c *predictmeta.Client) ([]string, error)
	}{
		"events": {"events", wholeEvent, "/api/v1/events?limit=5&status=active", func(ctx context.Context, c *predictmeta.Client) ([]string, error) {
			return names(c.AllEvents(ctx, predictmeta.EventsRequest{Limit: new(5), Offset: new(1), Status: "active"}), func(e predictmeta.Event) string { return e.Ticker })
		}},
		"markets": {"markets", wholeMarket, "/api/v1/markets?limit=5&status=active", func(ctx context.Context, c *predictmeta.Client) ([]string, error) {
			return names(c.AllMarkets(ctx, predictmeta.MarketsRequest{Limit: new(5), Offset: new(1), Status: "active"}), func(m predictmeta.Market) string { return m.Ticker })
		}},
		"trades": {"trades", wholeTrade, "/api/v1/trades?limit=5&side=buy", func(ctx context.Context, c *predictmeta.Client) ([]string, error) {
			return names(c.AllTrades(ctx, predictmeta.TradesRequest{Limit: new(5), Offset: new(1), Side: "buy"}), func(t predictmeta.Trade) string { return t.ID })
		}},
		"trades by mint": {"trades", wholeTrade, "/api/v1/trades/by-mint/" + mint(1) + "?limit=5", func(ctx context.Context, c *predictmeta.Client) ([]string, error) {
			return names(c.AllTradesByMint(ctx, mint(1), predictmeta.TradesRequest{Limit: new(5), Offset: new(1)}), func(t predictmeta.Trade) string { return t.ID })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			server := lister(t, row.member, row.record, 6)
			all, err := row.all(t.Context(), client(t, server.URL))
			require.NoError(t, err)
			require.Equal(t, []string{"r1", "r2", "r3", "r4", "r5"}, all)
			var offsets []string
			for _, r := range server.Requests() {
				u, err := url.Parse(r.Target)
				require.NoError(t, err)
				q := u.Query()
				offsets = append(offsets, q.Get("offset"))
				q.Del("offset")
				require.Equal(t, row.path, u.Path+"?"+q.Encode())
			}
			require.Equal(t, []string{"1", "4"}, offsets)
			broken := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
			all, err = row.all(t.Context(), client(t, broken.URL))
			require.ErrorIs(t, err, walletfi.ErrNotFound)
			require.Empty(t, all)
			require.Len(t, broken.Requests(), 1)
		})
	}
}

// batcher answers the batch routes with what it was asked for, and with 500
// to a body that names fail.
func batcher(t testing.TB, fail string) *wiretest.Server {
	return wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var asked struct{ Tickers, Mints, Addresses []string }
		_ = json.Unmarshal(body, &asked)
		if fail != "" && strings.Contains(string(body), fail) {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		markets := []json.RawMessage{}
		for _, ticker := range asked.Tickers {
			markets = append(markets, json.RawMessage(called(wholeSummary, ticker)))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"markets": markets, "not_found": asked.Mints,
			"outcome_mints": asked.Addresses[:len(asked.Addresses)/2], "non_outcome_mints": asked.Addresses[len(asked.Addresses)/2:],
		})
	})
}

func tickers(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("MK-%03d", i)
	}
	return all
}

// sizes are how many items each request named, largest first.
func sizes(t *testing.T, server *wiretest.Server) []int {
	t.Helper()
	var all []int
	for _, r := range server.Requests() {
		var asked struct{ Tickers, Mints, Addresses []string }
		require.NoError(t, json.Unmarshal([]byte(r.Body), &asked))
		all = append(all, len(asked.Tickers)+len(asked.Mints)+len(asked.Addresses))
	}
	slices.SortFunc(all, func(a, b int) int { return b - a })
	return all
}

func TestBatchMarketsSplits(t *testing.T) {
	for name, row := range map[string]struct {
		tickers, mints int
		sizes          []int
	}{
		"nothing":         {0, 0, nil},
		"one":             {1, 0, []int{1}},
		"a full call":     {60, 40, []int{100}},
		"one too many":    {60, 41, []int{100, 1}},
		"many of either":  {150, 250, []int{100, 100, 100, 100}},
		"mints alone":     {0, 101, []int{100, 1}},
		"a part of mints": {100, 1, []int{100, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			server := batcher(t, "")
			batch, err := client(t, server.URL).BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: tickers(row.tickers), Mints: mints(row.mints)})
			require.NoError(t, err)
			require.Equal(t, row.sizes, sizes(t, server))
			require.Len(t, batch.Markets, row.tickers)
			for i, ticker := range tickers(row.tickers) {
				require.Equal(t, ticker, batch.Markets[i].Ticker, "the order is the caller's")
			}
			require.Equal(t, mints(row.mints), append([]string{}, batch.NotFound...))
		})
	}
}

func TestBatchMarketsInPart(t *testing.T) {
	server := batcher(t, "MK-150")
	batch, err := client(t, server.URL).BatchMarkets(t.Context(), predictmeta.BatchMarketsRequest{Tickers: tickers(250)})
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	partial := wiretest.As[*walletfi.PartialError](t, err)
	require.Equal(t, [3]int{150, 250, 100}, [3]int{partial.Done, partial.Total, partial.First})
	require.Len(t, batch.Markets, 150)
	require.Equal(t, "MK-200", batch.Markets[100].Ticker)
}

func TestFilterSplits(t *testing.T) {
	server := batcher(t, "")
	var raw walletfi.RawResponse
	found, err := client(t, server.URL).FilterOutcomeMints(t.Context(), mints(401), walletfi.WithRawResponse(&raw))
	require.NoError(t, err)
	require.Equal(t, []int{200, 200, 1}, sizes(t, server))
	require.Len(t, found.OutcomeMints, 200)
	require.Equal(t, mint(200), found.OutcomeMints[100].Mint)
	require.Len(t, found.NonOutcomeMints, 201)
	require.Equal(t, mint(400), found.NonOutcomeMints[200])
	require.Contains(t, string(raw.Body), mint(400), "the last answer is captured")

	none, err := unreachable(t).FilterOutcomeMints(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, &predictmeta.FilteredMints{}, none)

	found, err = client(t, batcher(t, mint(399)).URL).FilterOutcomeMints(t.Context(), mints(401))
	partial := wiretest.As[*walletfi.PartialError](t, err)
	require.Equal(t, 201, partial.Done)
	require.Equal(t, mint(400), found.NonOutcomeMints[100])
}

// TestCandlesticksAscend: candlesticks are oldest first, whatever the service's order.
func TestCandlesticksAscend(t *testing.T) {
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		list := ""
		for _, second := range []int{3, 1, 5, 2, 4} {
			list += fmt.Sprintf(`,{"timestamp":"2026-01-01T00:00:0%dZ","open":1,"high":1,"low":1,"close":1,"volume":1}`, second)
		}
		fmt.Fprintf(w, `{"ticker":"T","interval":"1m","candlesticks":[%s]}`, list[1:])
	})
	c := client(t, server.URL)
	for name, get := range map[string]func() (*predictmeta.Candlesticks, error){
		"event": func() (*predictmeta.Candlesticks, error) {
			return c.GetEventCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		},
		"market": func() (*predictmeta.Candlesticks, error) {
			return c.GetMarketCandlesticks(t.Context(), "T", predictmeta.CandlesticksRequest{})
		},
		"mint": func() (*predictmeta.Candlesticks, error) {
			return c.GetMarketCandlesticksByMint(t.Context(), "So11111111111111111111111111111111111111112", predictmeta.CandlesticksRequest{})
		},
	} {
		got, err := get()
		require.NoError(t, err, name)
		require.Len(t, got.Candlesticks, 5, name)
		for i, candle := range got.Candlesticks {
			require.Equal(t, i+1, candle.Timestamp.Second(), name)
		}
	}
}
