package sandbox

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

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

const predictMetaLively = "BTC-R6-M1" // a market with a trade every five seconds or so

// predictMetaStart opens a sandbox without limits, whose answers have the
// first of their shapes, or another.
func predictMetaStart(t *testing.T, shape int) *started {
	t.Helper()
	return start(t, Config{ManualClock: true, NoLimits: true, Shape: shape})
}

// predictMetaGet asks for a path behind /api/v1 and wants an answer.
func (s *started) predictMetaGet(t *testing.T, path string) answer {
	t.Helper()
	a := s.do(t, PredictMeta, "GET", "/api/v1"+path, nil)
	require.Equal(t, 200, a.Status, "%s: %s", path, a.Raw)
	return a
}

func (s *started) predictMetaPost(t *testing.T, path string, body any) answer {
	t.Helper()
	a := s.do(t, PredictMeta, "POST", "/api/v1"+path, body)
	require.Equal(t, 200, a.Status, "%s: %s", path, a.Raw)
	return a
}

// predictMetaCents reads a price of the wire.
func predictMetaCents(t *testing.T, v any) int64 {
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

func predictMetaCount(t *testing.T, v any) int64 {
	t.Helper()
	n, ok := v.(json.Number)
	require.True(t, ok, "%v is no number", v)
	i, err := n.Int64()
	require.NoError(t, err)
	return i
}

func predictMetaList(t *testing.T, a answer, path ...any) []any {
	t.Helper()
	list, ok := a.at(path...).([]any)
	require.True(t, ok, "%v of %s is no array", path, a.Raw)
	return list
}

func predictMetaKeys(t *testing.T, v any) []string {
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

func TestPredictMetaHasEveryRoute(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	n := 0
	for _, r := range s.Routes() {
		if r.Service == PredictMeta {
			n++
			assert.True(t, strings.HasPrefix(r.Pattern, "/api/v1/"), "%s", r)
		}
	}
	assert.Equal(t, 23, n)
	assert.NotContains(t, s.URL(PredictMeta), "/api")
	assert.True(t, strings.HasPrefix(s.PredictMetaWSURL(), "ws://127.0.0.1:"))
}

func TestPredictMetaEvents(t *testing.T) {
	s := predictMetaStart(t, 0)
	a := s.predictMetaGet(t, "/events")
	assert.Len(t, predictMetaList(t, a, "events"), 50, "the default limit")
	assert.Equal(t, []string{"60", "50", "0"}, []string{a.text("total"), a.text("limit"), a.text("offset")})
	assert.Equal(t, []string{"close_time", "status", "ticker", "title"}, predictMetaKeys(t, a.at("events", 0)))

	rest := s.predictMetaGet(t, "/events?offset=50&limit=20")
	assert.Len(t, predictMetaList(t, rest, "events"), 10)
	assert.Empty(t, predictMetaList(t, s.predictMetaGet(t, "/events?offset=1000"), "events"))
	seen := map[string]bool{}
	for _, e := range append(predictMetaList(t, a, "events"), predictMetaList(t, rest, "events")...) {
		seen[e.(map[string]any)["ticker"].(string)] = true
	}
	assert.Len(t, seen, 60)

	for query, total := range map[string]string{
		"status=active": "30", "status=closed": "10", "status=determined": "10", "status=finalized": "10",
		"category=crypto": "12", "series_ticker=BTC": "6", "series_ticker=BTC&status=active": "3", "category=none": "0",
	} {
		assert.Equal(t, total, s.predictMetaGet(t, "/events?"+query).text("total"), query)
	}

	e := s.predictMetaGet(t, "/event/BTC-R6?include_markets=false")
	assert.Equal(t, []string{"category", "close_time", "description", "series_ticker", "status", "ticker", "title"}, predictMetaKeys(t, e.JSON))
	assert.Equal(t, "BTC", e.text("series_ticker"))
	assert.Equal(t, "crypto", e.text("category"))
	assert.Equal(t, "2026-01-31T00:00:00.000Z", e.text("close_time"))
	whole := s.predictMetaGet(t, "/event/BTC-R6?include_markets=true")
	require.Len(t, predictMetaList(t, whole, "markets"), 3)
	assert.Equal(t, []string{"last_price", "no_mint", "ticker", "volume_24h", "yes_mint"}, predictMetaKeys(t, whole.at("markets", 0)))
	market := s.predictMetaGet(t, "/market/"+predictMetaLively)
	for _, field := range []string{"ticker", "yes_mint", "no_mint", "last_price", "volume_24h"} {
		assert.Equal(t, market.at(field), whole.at("markets", 0, field), field)
	}
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1/event/NONE", nil).Status)
}

func TestPredictMetaEventsWalkThroughTheirStates(t *testing.T) {
	s := predictMetaStart(t, 0)
	states := func() [2]string {
		return [2]string{
			s.predictMetaGet(t, "/event/BTC-R4").text("status"), s.predictMetaGet(t, "/market/BTC-R4-M1").text("status"),
		}
	}
	s.Advance(6*time.Hour - time.Second)
	assert.Equal(t, [2]string{"active", "active"}, states())
	assert.NotEmpty(t, predictMetaList(t, s.predictMetaGet(t, "/orderbook/BTC-R4-M1"), "bids"))
	s.Advance(time.Second)
	assert.Equal(t, [2]string{"closed", "closed"}, states())
	book := s.predictMetaGet(t, "/orderbook/BTC-R4-M1")
	assert.Empty(t, predictMetaList(t, book, "bids"))
	assert.Empty(t, predictMetaList(t, book, "asks"))
	closed := s.predictMetaGet(t, "/market/BTC-R4-M1")
	s.Advance(time.Hour - time.Second)
	waiting := s.predictMetaGet(t, "/market/BTC-R4-M1")
	assert.Equal(t, closed.at("yes_price"), waiting.at("yes_price"), "nothing moves any more")
	assert.Equal(t, closed.at("last_price"), waiting.at("last_price"))
	s.Advance(time.Second)
	assert.Equal(t, [2]string{"determined", "determined"}, states())
	settled := s.predictMetaGet(t, "/market/BTC-R4-M1")
	want := int64(0)
	if predictMetaCents(t, closed.at("yes_price")) >= 50 {
		want = 100
	}
	assert.Equal(t, want, predictMetaCents(t, settled.at("yes_price")))
	assert.Equal(t, 100-want, predictMetaCents(t, settled.at("no_price")))
	s.Advance(23 * time.Hour)
	assert.Equal(t, [2]string{"finalized", "finalized"}, states())
	assert.Equal(t, "0", s.predictMetaGet(t, "/market/BTC-R4-M1").text("volume_24h"), "the last trade is a day old")
}

func TestPredictMetaMarkets(t *testing.T) {
	s := predictMetaStart(t, 0)
	a := s.predictMetaGet(t, "/markets")
	assert.Len(t, predictMetaList(t, a, "markets"), 50)
	assert.Equal(t, []string{"168", "50", "0"}, []string{a.text("total"), a.text("limit"), a.text("offset")})
	assert.Equal(t, []string{
		"created_at", "event_ticker", "last_price", "ledger_mint", "no_mint", "no_price", "open_interest",
		"status", "ticker", "title", "volume_24h", "yes_mint", "yes_price",
	}, predictMetaKeys(t, a.at("markets", 0)))
	assert.Equal(t, "500", s.predictMetaGet(t, "/markets?limit=1000").text("limit"))
	assert.Equal(t, "3", s.predictMetaGet(t, "/markets?event_ticker=BTC-R6").text("total"))
	assert.Equal(t, "0", s.predictMetaGet(t, "/markets?status=paused").text("total"))
	assert.Equal(t, "10", s.predictMetaGet(t, "/markets?status=initialized").text("total"))

	m := s.predictMetaGet(t, "/market/"+predictMetaLively)
	assert.Equal(t, int64(100), predictMetaCents(t, m.at("yes_price"))+predictMetaCents(t, m.at("no_price")))
	assert.Positive(t, predictMetaCount(t, m.at("open_interest")))
	assert.Equal(t, "2025-12-17T00:00:00.000Z", m.text("created_at"))
	for _, mint := range []string{"yes_mint", "no_mint", "ledger_mint"} {
		assert.Equal(t, m.JSON, s.predictMetaGet(t, "/market/by-mint/"+m.text(mint)).JSON, mint)
		decimals, ok := s.predictMetaDecimals(m.text(mint))
		assert.True(t, ok, mint)
		assert.EqualValues(t, 6, decimals)
	}
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1/market/NONE", nil).Status)
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1/market/by-mint/"+s.Mint("USDC"), nil).Status)
	assert.Equal(t, 400, s.do(t, PredictMeta, "GET", "/api/v1/market/by-mint/0OIl", nil).Status)
}

func TestPredictMetaMarketOpensLater(t *testing.T) {
	s := predictMetaStart(t, 0)
	const late = "/market/BTC-R6-M3"
	m := s.predictMetaGet(t, late)
	assert.Equal(t, []string{"initialized", "0", "0", "0"}, []string{m.text("status"), m.text("last_price"), m.text("volume_24h"), m.text("open_interest")})
	assert.Empty(t, predictMetaList(t, s.predictMetaGet(t, "/orderbook/BTC-R6-M3"), "asks"))
	s.Advance(2 * time.Hour)
	m = s.predictMetaGet(t, late)
	assert.Equal(t, "active", m.text("status"))
	assert.NotEqual(t, "0", m.text("last_price"))
	assert.NotEqual(t, "0", m.text("volume_24h"))
}

func TestPredictMetaBatch(t *testing.T) {
	s := predictMetaStart(t, 0)
	m := s.predictMetaGet(t, "/market/RATE-R5-M2")
	a := s.predictMetaPost(t, "/markets/batch", map[string]any{
		"tickers": []string{"SOL-R6-M1", "NONE", "BTC-R6-M1"}, "mints": []string{m.text("no_mint"), m.text("ledger_mint"), s.Mint("USDC")},
	})
	var tickers []string
	for _, x := range predictMetaList(t, a, "markets") {
		assert.Equal(t, []string{"last_price", "no_mint", "ticker", "yes_mint"}, predictMetaKeys(t, x))
		tickers = append(tickers, x.(map[string]any)["ticker"].(string))
	}
	assert.Equal(t, []string{"SOL-R6-M1", "BTC-R6-M1", "RATE-R5-M2"}, tickers)
	assert.Equal(t, []any{"NONE", s.Mint("USDC")}, a.at("not_found"))
	assert.Equal(t, m.at("last_price"), a.at("markets", 2, "last_price"))

	var all []string
	for _, x := range predictMetaList(t, s.predictMetaGet(t, "/markets?limit=101"), "markets") {
		all = append(all, x.(map[string]any)["ticker"].(string))
	}
	require.Len(t, all, 101)
	assert.Len(t, predictMetaList(t, s.predictMetaPost(t, "/markets/batch", map[string]any{"tickers": all[:100]}), "markets"), 100)
	for _, body := range []map[string]any{
		{"tickers": all}, {"tickers": all[:99], "mints": []string{m.text("yes_mint"), m.text("no_mint")}}, {}, {"mints": []string{}},
	} {
		assert.Equal(t, 400, s.do(t, PredictMeta, "POST", "/api/v1/markets/batch", body).Status)
		assert.Equal(t, []string{"a batch of none or of more than 100 markets"}, s.takeViolations())
	}
}

func TestPredictMetaOutcomeMints(t *testing.T) {
	s := predictMetaStart(t, 0)
	all := predictMetaList(t, s.predictMetaGet(t, "/outcome_mints"), "outcome_mints")
	assert.Len(t, all, 336, "two of each market")
	m := s.predictMetaGet(t, "/market/BTC-R6-M1")
	assert.Contains(t, all, any(map[string]any{"mint": m.text("yes_mint"), "market_ticker": "BTC-R6-M1", "outcome": "yes"}))
	assert.Contains(t, all, any(map[string]any{"mint": m.text("no_mint"), "market_ticker": "BTC-R6-M1", "outcome": "no"}))
	closes := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC).Unix()
	for offset, n := range map[int64]int{0: 56, 1: 0, -1: 56} {
		got := s.predictMetaGet(t, fmt.Sprintf("/outcome_mints?min_close_timestamp=%d", closes+offset))
		assert.Len(t, predictMetaList(t, got, "outcome_mints"), n)
	}

	ask := map[string]any{"addresses": []string{m.text("ledger_mint"), m.text("no_mint"), s.Mint("SOL"), m.text("yes_mint")}}
	objects := s.predictMetaPost(t, "/filter_outcome_mints", ask)
	assert.Equal(t, []any{m.text("ledger_mint"), s.Mint("SOL")}, objects.at("non_outcome_mints"))
	assert.Equal(t, map[string]any{"mint": m.text("no_mint"), "market_ticker": "BTC-R6-M1", "outcome": "no"}, objects.at("outcome_mints", 0))
	texts := s.predictMetaPost(t, "/filter_outcome_mints", ask)
	assert.Equal(t, []any{m.text("no_mint"), m.text("yes_mint")}, texts.at("outcome_mints"), "the other shape")
	assert.Equal(t, objects.at("non_outcome_mints"), texts.at("non_outcome_mints"))

	addresses := slices.Repeat([]string{s.Mint("SOL")}, 201)
	assert.Equal(t, 400, s.do(t, PredictMeta, "POST", "/api/v1/filter_outcome_mints", map[string]any{"addresses": addresses}).Status)
	assert.Equal(t, []string{"more than 200 addresses"}, s.takeViolations())
	a := s.predictMetaPost(t, "/filter_outcome_mints", map[string]any{"addresses": addresses[:200]})
	assert.Len(t, predictMetaList(t, a, "non_outcome_mints"), 200)
	assert.Equal(t, 400, s.do(t, PredictMeta, "POST", "/api/v1/filter_outcome_mints", map[string]any{"addresses": []string{"x"}}).Status)
}

func TestPredictMetaCatalog(t *testing.T) {
	s := predictMetaStart(t, 0)
	a := s.predictMetaGet(t, "/categories")
	events := int64(0)
	for _, c := range predictMetaList(t, a, "categories") {
		assert.Equal(t, []string{"events_count", "id", "name"}, predictMetaKeys(t, c))
		n := predictMetaCount(t, c.(map[string]any)["events_count"])
		events += n
		id := c.(map[string]any)["id"].(string)
		assert.Equal(t, fmt.Sprint(n), s.predictMetaGet(t, "/events?category="+id).text("total"), id)
	}
	assert.EqualValues(t, 60, events)
	assert.Len(t, predictMetaList(t, s.predictMetaGet(t, "/series"), "series"), 10)
	crypto := s.predictMetaGet(t, "/series?category=crypto")
	assert.Equal(t, map[string]any{"ticker": "BTC", "title": "Bitcoin price", "category": "crypto", "events_count": json.Number("6")}, crypto.at("series", 0))
	assert.Len(t, predictMetaList(t, crypto, "series"), 2)
	assert.Equal(t, map[string]any{"id": "ice_hockey", "name": "Ice hockey"}, s.predictMetaGet(t, "/sports").at("sports", 3))
}

func TestPredictMetaSearch(t *testing.T) {
	s := predictMetaStart(t, 0)
	for query, n := range map[string]int{
		"q=will": 20, "q=will&limit=500": 168, "q=round&type=event&limit=100": 60, "q=bitcoin&type=event": 6,
		"q=bitcoin&type=all&limit=100": 24, "q=bitcoin&type=market": 18, "q=nothing+of+the+kind": 0,
		"q=" + url.QueryEscape("ROUND 3 bitcoin") + "&type=event": 1,
	} {
		assert.Len(t, predictMetaList(t, s.predictMetaGet(t, "/search?"+query), "results"), n, query)
	}
	a := s.predictMetaGet(t, "/search?q=btc-r6-m1")
	assert.Equal(t, "market", a.text("results", 0, "type"))
	assert.Equal(t, predictMetaLively, a.text("results", 0, "ticker"))
	assert.Equal(t, "1", a.text("results", 0, "relevance_score"))
	last := 2.0
	for _, r := range predictMetaList(t, s.predictMetaGet(t, "/search?q=bitcoin"), "results") {
		score, err := r.(map[string]any)["relevance_score"].(json.Number).Float64()
		require.NoError(t, err)
		assert.True(t, score > 0 && score <= last)
		last = score
	}
}

// predictMetaDecimals returns the decimals of a mint of a market's, as the
// ledger has it.
func (s *started) predictMetaDecimals(mint string) (uint8, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := ledger.AsMint(s.chain.Account(s.predictMeta.byMint[mint].key))
	if !ok {
		return 0, false
	}
	return m.Decimals(), true
}
