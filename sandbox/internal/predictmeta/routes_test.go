package predictmeta_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is a sandbox under test.
type started struct{ *worldtest.World }

type answer = worldtest.Answer

func start(t *testing.T, c play.Config) *started { return &started{worldtest.Start(t, c)} }

const lively = "BTC-R6-M1" // a market with a trade every five seconds or so

// startLively opens a sandbox without limits, whose answers have the
// first of their shapes, or another.
func startLively(t *testing.T, shape int) *started {
	t.Helper()
	return start(t, play.Config{ManualClock: true, NoLimits: true, Shape: shape})
}

// startDrifting opens a sandbox whose answers deviate from their documented types.
func startDrifting(t *testing.T) *started {
	t.Helper()
	return start(t, play.Config{ManualClock: true, NoLimits: true, Drift: true})
}

// get asks for a path below /api/v1 and wants an answer.
func (s *started) get(t *testing.T, path string) answer {
	t.Helper()
	a := s.Do(t, play.PredictMeta, "GET", "/api/v1"+path, nil)
	require.Equal(t, 200, a.Status, "%s: %s", path, a.Raw)
	return a
}

func (s *started) post(t *testing.T, path string, body any) answer {
	t.Helper()
	a := s.Do(t, play.PredictMeta, "POST", "/api/v1"+path, body)
	require.Equal(t, 200, a.Status, "%s: %s", path, a.Raw)
	return a
}

// cents reads a price of the wire.
func cents(t *testing.T, v any) int64 {
	t.Helper()
	n, ok := v.(json.Number)
	require.True(t, ok, "%v is no number", v)
	f, err := n.Float64()
	require.NoError(t, err)
	require.True(t, f >= 0 && f <= 1, "%v", f)
	cents := math.Round(f * 100)
	require.InDelta(t, f*100, cents, 1e-9)
	return int64(cents)
}

func count(t *testing.T, v any) int64 {
	t.Helper()
	n, ok := v.(json.Number)
	require.True(t, ok, "%v is no number", v)
	i, err := n.Int64()
	require.NoError(t, err)
	return i
}

func list(t *testing.T, a answer, path ...any) []any {
	t.Helper()
	list, ok := a.At(path...).([]any)
	require.True(t, ok, "%v of %s is no array", path, a.Raw)
	return list
}

func keys(t *testing.T, v any) []string {
	t.Helper()
	m, ok := v.(map[string]any)
	require.True(t, ok, "%v is no object", v)
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestHasEveryRoute(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == play.PredictMeta {
			n++
			assert.True(t, strings.HasPrefix(r.Pattern, "/api/v1/"), "%s", r)
		}
	}
	assert.Equal(t, 23, n)
	assert.NotContains(t, s.URL(play.PredictMeta), "/api")
	assert.True(t, strings.HasPrefix(s.PredictMetaWSURL(), "ws://127.0.0.1:"))
}

func TestEvents(t *testing.T) {
	s := startLively(t, 0)
	a := s.get(t, "/events")
	assert.Len(t, list(t, a, "events"), 50, "the default limit")
	assert.Equal(t, []string{"60", "50", "0"}, []string{a.Text("total"), a.Text("limit"), a.Text("offset")})
	assert.Equal(t, []string{"close_time", "status", "ticker", "title"}, keys(t, a.At("events", 0)))

	rest := s.get(t, "/events?offset=50&limit=20")
	assert.Len(t, list(t, rest, "events"), 10)
	assert.Empty(t, list(t, s.get(t, "/events?offset=1000"), "events"))
	seen := map[string]bool{}
	for _, e := range append(list(t, a, "events"), list(t, rest, "events")...) {
		seen[e.(map[string]any)["ticker"].(string)] = true
	}
	assert.Len(t, seen, 60)

	for query, total := range map[string]string{
		"status=active": "30", "status=closed": "10", "status=determined": "10", "status=finalized": "10",
		"category=crypto": "12", "series_ticker=BTC": "6", "series_ticker=BTC&status=active": "3", "category=none": "0",
	} {
		assert.Equal(t, total, s.get(t, "/events?"+query).Text("total"), query)
	}

	e := s.get(t, "/event/BTC-R6?include_markets=false")
	assert.Equal(t, []string{"category", "close_time", "description", "series_ticker", "status", "ticker", "title"}, keys(t, e.JSON))
	assert.Equal(t, "BTC", e.Text("series_ticker"))
	assert.Equal(t, "crypto", e.Text("category"))
	assert.Equal(t, "2026-01-31T00:00:00.000Z", e.Text("close_time"))
	whole := s.get(t, "/event/BTC-R6?include_markets=true")
	require.Len(t, list(t, whole, "markets"), 3)
	assert.Equal(t, []string{"last_price", "no_mint", "ticker", "volume_24h", "yes_mint"}, keys(t, whole.At("markets", 0)))
	market := s.get(t, "/market/"+lively)
	for _, field := range []string{"ticker", "yes_mint", "no_mint", "last_price", "volume_24h"} {
		assert.Equal(t, market.At(field), whole.At("markets", 0, field), field)
	}
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/event/NONE", nil).Status)
}

func TestEventsWalkThroughTheirStates(t *testing.T) {
	s := startLively(t, 0)
	states := func() [2]string {
		return [2]string{
			s.get(t, "/event/BTC-R4").Text("status"), s.get(t, "/market/BTC-R4-M1").Text("status"),
		}
	}
	s.Advance(6*time.Hour - time.Second)
	assert.Equal(t, [2]string{"active", "active"}, states())
	assert.NotEmpty(t, list(t, s.get(t, "/orderbook/BTC-R4-M1"), "bids"))
	s.Advance(time.Second)
	assert.Equal(t, [2]string{"closed", "closed"}, states())
	book := s.get(t, "/orderbook/BTC-R4-M1")
	assert.Empty(t, list(t, book, "bids"))
	assert.Empty(t, list(t, book, "asks"))
	closed := s.get(t, "/market/BTC-R4-M1")
	s.Advance(time.Hour - time.Second)
	waiting := s.get(t, "/market/BTC-R4-M1")
	assert.Equal(t, closed.At("yes_price"), waiting.At("yes_price"), "nothing moves any more")
	assert.Equal(t, closed.At("last_price"), waiting.At("last_price"))
	s.Advance(time.Second)
	assert.Equal(t, [2]string{"determined", "determined"}, states())
	settled := s.get(t, "/market/BTC-R4-M1")
	want := int64(0)
	if cents(t, closed.At("yes_price")) >= 50 {
		want = 100
	}
	assert.Equal(t, want, cents(t, settled.At("yes_price")))
	assert.Equal(t, 100-want, cents(t, settled.At("no_price")))
	s.Advance(23 * time.Hour)
	assert.Equal(t, [2]string{"finalized", "finalized"}, states())
	assert.Equal(t, "0", s.get(t, "/market/BTC-R4-M1").Text("volume_24h"), "the last trade is a day old")
}

func TestMarkets(t *testing.T) {
	s := startLively(t, 0)
	a := s.get(t, "/markets")
	assert.Len(t, list(t, a, "markets"), 50)
	assert.Equal(t, []string{"168", "50", "0"}, []string{a.Text("total"), a.Text("limit"), a.Text("offset")})
	assert.Equal(t, []string{
		"created_at", "event_ticker", "last_price", "ledger_mint", "no_mint", "no_price", "open_interest",
		"status", "ticker", "title", "volume_24h", "yes_mint", "yes_price",
	}, keys(t, a.At("markets", 0)))
	assert.Equal(t, "500", s.get(t, "/markets?limit=1000").Text("limit"))
	assert.Equal(t, "3", s.get(t, "/markets?event_ticker=BTC-R6").Text("total"))
	assert.Equal(t, "0", s.get(t, "/markets?status=paused").Text("total"))
	assert.Equal(t, "10", s.get(t, "/markets?status=initialized").Text("total"))

	m := s.get(t, "/market/"+lively)
	assert.Equal(t, int64(100), cents(t, m.At("yes_price"))+cents(t, m.At("no_price")))
	assert.Positive(t, count(t, m.At("open_interest")))
	assert.Equal(t, "2025-12-17T00:00:00.000Z", m.Text("created_at"))
	for _, mint := range []string{"yes_mint", "no_mint", "ledger_mint"} {
		assert.Equal(t, m.JSON, s.get(t, "/market/by-mint/"+m.Text(mint)).JSON, mint)
		decimals, ok := s.decimals(m.Text(mint))
		assert.True(t, ok, mint)
		assert.EqualValues(t, 6, decimals)
	}
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/market/NONE", nil).Status)
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/market/by-mint/"+s.Mint("USDC"), nil).Status)
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "GET", "/api/v1/market/by-mint/0OIl", nil).Status)
	assert.Equal(t, []string{"path parameter mint_address is no address"}, s.TakeProblems())
}

func TestMarketOpensLater(t *testing.T) {
	s := startLively(t, 0)
	const late = "/market/BTC-R6-M3"
	m := s.get(t, late)
	assert.Equal(t, []string{"initialized", "0", "0", "0"}, []string{m.Text("status"), m.Text("last_price"), m.Text("volume_24h"), m.Text("open_interest")})
	assert.Empty(t, list(t, s.get(t, "/orderbook/BTC-R6-M3"), "asks"))
	s.Advance(2 * time.Hour)
	m = s.get(t, late)
	assert.Equal(t, "active", m.Text("status"))
	assert.NotEqual(t, "0", m.Text("last_price"))
	assert.NotEqual(t, "0", m.Text("volume_24h"))
}

func TestBatch(t *testing.T) {
	s := startLively(t, 0)
	m := s.get(t, "/market/RATE-R5-M2")
	a := s.post(t, "/markets/batch", map[string]any{
		"tickers": []string{"SOL-R6-M1", "NONE", "BTC-R6-M1"}, "mints": []string{m.Text("no_mint"), m.Text("ledger_mint"), s.Mint("USDC")},
	})
	var tickers []string
	for _, x := range list(t, a, "markets") {
		assert.Equal(t, []string{"last_price", "no_mint", "ticker", "yes_mint"}, keys(t, x))
		tickers = append(tickers, x.(map[string]any)["ticker"].(string))
	}
	assert.Equal(t, []string{"SOL-R6-M1", "BTC-R6-M1", "RATE-R5-M2"}, tickers)
	assert.Equal(t, []any{"NONE", s.Mint("USDC")}, a.At("not_found"))
	assert.Equal(t, m.At("last_price"), a.At("markets", 2, "last_price"))

	var all []string
	for _, x := range list(t, s.get(t, "/markets?limit=101"), "markets") {
		all = append(all, x.(map[string]any)["ticker"].(string))
	}
	require.Len(t, all, 101)
	assert.Len(t, list(t, s.post(t, "/markets/batch", map[string]any{"tickers": all[:100]}), "markets"), 100)
	for _, body := range []map[string]any{
		{"tickers": all}, {"tickers": all[:99], "mints": []string{m.Text("yes_mint"), m.Text("no_mint")}},
	} {
		assert.Equal(t, 400, s.Do(t, play.PredictMeta, "POST", "/api/v1/markets/batch", body).Status)
		assert.Equal(t, []string{"tickers and mints have more than 100 elements together"}, s.TakeProblems())
	}
	assert.Empty(t, list(t, s.post(t, "/markets/batch", map[string]any{"mints": []string{}}), "markets"))
}

func TestOutcomeMints(t *testing.T) {
	s := startDrifting(t)
	all := list(t, s.get(t, "/outcome_mints"), "outcome_mints")
	assert.Len(t, all, 336, "two of each market")
	m := s.get(t, "/market/BTC-R6-M1")
	assert.Contains(t, all, any(map[string]any{"mint": m.Text("yes_mint"), "market_ticker": "BTC-R6-M1", "outcome": "yes"}))
	assert.Contains(t, all, any(map[string]any{"mint": m.Text("no_mint"), "market_ticker": "BTC-R6-M1", "outcome": "no"}))
	closes := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC).Unix()
	for offset, n := range map[int64]int{0: 56, 1: 0, -1: 56} {
		got := s.get(t, fmt.Sprintf("/outcome_mints?min_close_timestamp=%d", closes+offset))
		assert.Len(t, list(t, got, "outcome_mints"), n)
	}

	ask := map[string]any{"addresses": []string{m.Text("ledger_mint"), m.Text("no_mint"), s.Mint("SOL"), m.Text("yes_mint")}}
	objects := s.post(t, "/filter_outcome_mints", ask)
	assert.Equal(t, []any{m.Text("ledger_mint"), s.Mint("SOL")}, objects.At("non_outcome_mints"))
	assert.Equal(t, map[string]any{"mint": m.Text("no_mint"), "market_ticker": "BTC-R6-M1", "outcome": "no"}, objects.At("outcome_mints", 0))
	texts := s.post(t, "/filter_outcome_mints", ask)
	assert.Equal(t, []any{m.Text("no_mint"), m.Text("yes_mint")}, texts.At("outcome_mints"), "the drift")
	assert.Equal(t, objects.At("non_outcome_mints"), texts.At("non_outcome_mints"))

	addresses := slices.Repeat([]string{s.Mint("SOL")}, 201)
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "POST", "/api/v1/filter_outcome_mints", map[string]any{"addresses": addresses}).Status)
	assert.Equal(t, []string{"field addresses has more than 200 elements"}, s.TakeProblems())
	a := s.post(t, "/filter_outcome_mints", map[string]any{"addresses": addresses[:200]})
	assert.Len(t, list(t, a, "non_outcome_mints"), 200)
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "POST", "/api/v1/filter_outcome_mints", map[string]any{"addresses": []string{"x"}}).Status)
	assert.Equal(t, []string{"field addresses [0] is no address"}, s.TakeProblems())
}

func TestCatalog(t *testing.T) {
	s := startLively(t, 0)
	a := s.get(t, "/categories")
	events := int64(0)
	for _, c := range list(t, a, "categories") {
		assert.Equal(t, []string{"events_count", "id", "name"}, keys(t, c))
		n := count(t, c.(map[string]any)["events_count"])
		events += n
		id := c.(map[string]any)["id"].(string)
		assert.Equal(t, fmt.Sprint(n), s.get(t, "/events?category="+id).Text("total"), id)
	}
	assert.EqualValues(t, 60, events)
	assert.Len(t, list(t, s.get(t, "/series"), "series"), 10)
	crypto := s.get(t, "/series?category=crypto")
	assert.Equal(t, map[string]any{"ticker": "BTC", "title": "Bitcoin price", "category": "crypto", "events_count": json.Number("6")}, crypto.At("series", 0))
	assert.Len(t, list(t, crypto, "series"), 2)
	assert.Equal(t, map[string]any{"id": "ice_hockey", "name": "Ice hockey"}, s.get(t, "/sports").At("sports", 3))
}

func TestSearch(t *testing.T) {
	s := startLively(t, 0)
	for query, n := range map[string]int{
		"q=will": 20, "q=will&limit=500": 168, "q=round&type=event&limit=100": 60, "q=bitcoin&type=event": 6,
		"q=bitcoin&type=all&limit=100": 24, "q=bitcoin&type=market": 18, "q=nothing+of+the+kind": 0,
		"q=" + url.QueryEscape("ROUND 3 bitcoin") + "&type=event": 1,
	} {
		assert.Len(t, list(t, s.get(t, "/search?"+query), "results"), n, query)
	}
	a := s.get(t, "/search?q=btc-r6-m1")
	assert.Equal(t, "market", a.Text("results", 0, "type"))
	assert.Equal(t, lively, a.Text("results", 0, "ticker"))
	assert.Equal(t, "1", a.Text("results", 0, "relevance_score"))
	last := 2.0
	for _, r := range list(t, s.get(t, "/search?q=bitcoin"), "results") {
		score, err := r.(map[string]any)["relevance_score"].(json.Number).Float64()
		require.NoError(t, err)
		assert.True(t, score > 0 && score <= last)
		last = score
	}
}

// predictMetaDecimals returns the decimals of a mint of a market's, as the
// ledger has it.
func (s *started) decimals(mint string) (uint8, bool) {
	s.Lock()
	defer s.Unlock()
	m, ok := ledger.AsMint(s.Chain.Account(s.PredictMeta.ByMint[mint].Key))
	if !ok {
		return 0, false
	}
	return m.Decimals(), true
}
