package predictmeta_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestRefusesWhatIsMalformed(t *testing.T) {
	s := startLively(t, 0)
	mint := s.get(t, "/market/"+lively).Text("yes_mint")
	for _, x := range []struct {
		path, problem string
	}{
		{"/event/BTC-R6?include_markets=1", "query parameter include_markets is not of type bool"},
		{"/event/BTC-R6?markets=true", "unknown query parameter markets"},
		{"/events?offset=-1", "query parameter offset is not of type int"},
		{"/events?status=open", "query parameter status is none of active, closed, determined, finalized"},
		{"/events?limit=1&limit=2", "query parameter limit is sent more than once"},
		{"/events?category=", "query parameter category is empty"},
		{"/event/BTC-R6/forecast?interval=15m", "query parameter interval is none of 1h, 4h, 1d"},
		{"/event/BTC-R6/candlesticks?interval=1w", "query parameter interval is none of 1m, 5m, 15m, 1h, 4h, 1d"},
		{"/market/" + lively + "?depth=1", "unknown query parameter depth"},
		{"/markets?limit=ten", "query parameter limit is not of type int"},
		{"/markets?category=crypto", "unknown query parameter category"},
		{"/outcome_mints?min_close_timestamp=2026-01-01T00:00:00Z", "query parameter min_close_timestamp is not of type int64"},
		{"/orderbook/by-mint/" + mint + "?limit=1", "unknown query parameter limit"},
		{"/trades?side=yes", "query parameter side is none of buy, sell"},
		{"/trades?market=x", "unknown query parameter market"},
		{"/milestones/BTC-R6?limit=1", "unknown query parameter limit"},
		{"/series?ticker=BTC", "unknown query parameter ticker"},
		{"/categories?limit=1", "unknown query parameter limit"},
		{"/sports?limit=1", "unknown query parameter limit"},
		{"/search", "query parameter q is missing"},
		{"/search?q=x&type=series", "query parameter type is none of event, market, all"},
	} {
		a := s.Do(t, play.PredictMeta, "GET", "/api/v1"+x.path, nil)
		assert.Equal(t, 400, a.Status, x.path)
		assert.Equal(t, []string{x.problem}, s.TakeProblems(), x.path)
	}
	for _, x := range []struct{ path, body, problem string }{
		{"/markets/batch", `{"tickers":"BTC"}`, "field tickers is not an array"},
		{"/markets/batch", `{"market_tickers":[]}`, "unknown field market_tickers"},
		{"/markets/batch", `{"mints":[1]}`, "field mints[0] is not of type string"},
		{"/filter_outcome_mints", `{}`, "field addresses is missing"},
		{"/milestones/batch", `{"tickers":null}`, "field tickers is null"},
	} {
		a := s.Do(t, play.PredictMeta, "POST", "/api/v1"+x.path, x.body)
		assert.Equal(t, 400, a.Status, x.path)
		assert.Contains(t, s.TakeProblems(), x.problem, x.path)
	}
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/market/"+lively, nil).Status, "the path begins with /api/v1")
	assert.Equal(t, 405, s.Do(t, play.PredictMeta, "POST", "/api/v1/markets", map[string]any{}).Status)
	assert.Equal(t, []string{"no such route", "the method is not allowed here"}, s.TakeProblems())
}

func TestKeyIsOptional(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	get := func(headers ...string) answer {
		return s.Do(t, play.PredictMeta, "GET", "/api/v1/sports", nil, headers...)
	}
	assert.Equal(t, 200, get("X-Api-Key", "").Status)
	first, second := get("X-Api-Key", "wrong"), get("X-Api-Key", "wrong")
	assert.Equal(t, 401, first.Status)
	assert.Equal(t, "the key is not valid", first.Text("error"))
	assert.Equal(t, "the key is not valid", second.Text("message"), "the envelope's other shape")
	assert.Equal(t, 401, get("X-Api-Key", "", "Authorization", "Bearer "+s.APIKey(play.PredictMeta)).Status)
	assert.Equal(t, []string{"a credential in Authorization, which is not asked for"}, s.TakeProblems())
	s.Fault(play.Route{Service: play.PredictMeta, Method: "GET", Pattern: "/api/v1/sports"}, play.Fault{Status: 503, Times: 1})
	assert.Equal(t, 503, get().Status)
	assert.Equal(t, 200, get().Status)
}

func TestLimits(t *testing.T) {
	for _, x := range []struct {
		configured int
		key        bool
		limit      int
	}{{0, false, 10}, {500, false, 10}, {0, true, 300}, {25, true, 25}} {
		s := start(t, play.Config{ManualClock: true, PredictMetaLimit: x.configured})
		var headers []string
		if !x.key {
			headers = []string{"X-Api-Key", ""}
		}
		get := func() answer { return s.Do(t, play.PredictMeta, "GET", "/api/v1/sports", nil, headers...) }
		for i := range x.limit {
			require.Equal(t, 200, get().Status, i)
		}
		a := get()
		require.Equal(t, 429, a.Status, "%+v", x)
		assert.Equal(t, "60", a.Header.Get("Retry-After"))
		s.Advance(time.Minute)
		assert.Equal(t, 200, get().Status)
	}
	_, err := world.Open(play.Config{PredictMetaLimit: -1})
	assert.EqualError(t, err, "sandbox: PredictMetaLimit must not be negative")
}

func TestIsTheSeeds(t *testing.T) {
	books := map[string]int{}
	for _, seed := range []uint64{1, 1, 2} {
		s := start(t, play.Config{ManualClock: true, Seed: seed})
		s.Advance(time.Hour)
		a := s.get(t, "/market/"+lively)
		books[fmt.Sprintf("%s %s", a.Raw, s.get(t, "/orderbook/"+lively).Raw)]++
	}
	assert.Len(t, books, 2)
	for _, n := range books {
		assert.Contains(t, []int{1, 2}, n)
	}
	whole, steps := startLively(t, 0), startLively(t, 0)
	whole.Advance(time.Hour)
	for range 60 {
		steps.Advance(time.Minute)
	}
	assert.Equal(t, whole.get(t, "/trades").JSON, steps.get(t, "/trades").JSON, "however the time passed")
}
