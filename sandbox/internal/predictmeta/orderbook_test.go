package predictmeta_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// side reads one side of a book: prices in cents and quantities.
func side(t *testing.T, levels any) (prices, quantities []int64) {
	t.Helper()
	for _, l := range levels.([]any) {
		level := l.(map[string]any)
		require.Equal(t, []string{"price", "quantity"}, keys(t, level))
		prices = append(prices, cents(t, level["price"]))
		quantities = append(quantities, count(t, level["quantity"]))
	}
	return prices, quantities
}

func TestOrderBook(t *testing.T) {
	s := startLively(t, 0)
	distinct := map[string]bool{}
	for range 40 {
		s.Advance(13 * time.Second)
		a := s.get(t, "/orderbook/"+lively)
		require.Equal(t, []string{"asks", "bids", "mid_price", "spread", "ticker", "timestamp"}, keys(t, a.JSON))
		assert.Equal(t, s.Time(), moment(t, a.At("timestamp")))
		bids, _ := side(t, a.At("bids"))
		asks, quantities := side(t, a.At("asks"))
		require.Len(t, bids, 10, "the default depth")
		require.Len(t, asks, 10)
		for i := range 9 {
			assert.Greater(t, bids[i], bids[i+1])
			assert.Less(t, asks[i], asks[i+1])
			assert.Positive(t, quantities[i])
		}
		assert.Equal(t, asks[0]-bids[0], cents(t, a.At("spread")))
		assert.Equal(t, (asks[0]+bids[0])/2, cents(t, a.At("mid_price")))
		m := s.get(t, "/market/"+lively)
		assert.Equal(t, a.At("mid_price"), m.At("yes_price"))
		distinct[m.Text("yes_price")] = true
	}
	assert.Greater(t, len(distinct), 3, "prices move")

	shallow := s.get(t, "/orderbook/"+lively+"?depth=1")
	assert.Len(t, list(t, shallow, "bids"), 1)
	deep := s.get(t, "/orderbook/"+lively+"?depth=1000")
	bids, _ := side(t, deep.At("bids"))
	assert.EqualValues(t, 1, bids[len(bids)-1], "down to a cent")
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/orderbook/NONE", nil).Status)
}

func TestOrderBookByMint(t *testing.T) {
	s := startLively(t, 0)
	m := s.get(t, "/market/"+lively)
	book := s.get(t, "/orderbook/"+lively)
	const path = "/orderbook/by-mint/"
	assert.Equal(t, book.JSON, s.get(t, path+m.Text("yes_mint")).JSON)
	wrapped := s.get(t, path+m.Text("yes_mint"))
	assert.Equal(t, map[string]any{"mint": m.Text("yes_mint"), "outcome": "yes", "orderbook": book.JSON}, wrapped.JSON)

	no := s.get(t, path+m.Text("no_mint")+"?depth=3")
	yesBids, yesQuantities := side(t, book.At("bids"))
	noAsks, noQuantities := side(t, no.At("asks"))
	require.Len(t, noAsks, 3)
	for i := range noAsks {
		assert.Equal(t, int64(100), yesBids[i]+noAsks[i], "who bids for yes offers no")
		assert.Equal(t, yesQuantities[i], noQuantities[i])
	}
	assert.Equal(t, int64(100), cents(t, no.At("mid_price"))+cents(t, book.At("mid_price")))
	assert.Equal(t, book.At("spread"), no.At("spread"))
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1"+path+m.Text("ledger_mint"), nil).Status, "no outcome mint")
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1"+path+s.Mint("SOL"), nil).Status)
}

func TestUndocumentedShapes(t *testing.T) {
	s := startLively(t, 0)
	m := s.get(t, "/market/"+lively)
	want := s.get(t, "/event/BTC-R6/candlesticks?interval=15m")
	for _, path := range []string{"/market/" + lively, "/market/by-mint/" + m.Text("ledger_mint")} {
		path += "/candlesticks?interval=15m"
		sister := s.get(t, path)
		assert.Equal(t, want.At("candlesticks"), sister.At("candlesticks"))
		assert.Equal(t, []string{lively, "15m"}, []string{sister.Text("ticker"), sister.Text("interval")})
		assert.Equal(t, want.At("candlesticks"), s.get(t, path).JSON, "a bare array")
		upstream := s.get(t, path)
		assert.Equal(t, want.At("candlesticks", 0, "close"), upstream.At("candlesticks", 0, "price", "close"))
		end := moment(t, want.At("candlesticks", 0, "timestamp")).Add(15 * time.Minute).Unix()
		assert.Equal(t, fmt.Sprint(end), upstream.Text("candlesticks", 0, "end_period_ts"))
		assert.Equal(t, "BTC", upstream.Text("series_ticker"))
	}

	milestones := s.get(t, "/milestones/BTC-R6")
	assert.Equal(t, milestones.JSON, s.get(t, "/milestones/by-mint/"+m.Text("yes_mint")).JSON)
	assert.Equal(t, milestones.At("milestones"), s.get(t, "/milestones/by-mint/"+m.Text("yes_mint")).JSON)

	ask := map[string]any{"tickers": []string{"SOL-R6", "BTC-R6", "NONE", "SOL-R6"}}
	under := s.post(t, "/milestones/batch", ask)
	require.Len(t, list(t, under, "milestones"), 2, "each once")
	assert.Equal(t, milestones.JSON, under.At("milestones", 1))
	assert.Equal(t, under.At("milestones"), s.post(t, "/milestones/batch", ask).JSON)
	object := s.post(t, "/milestones/batch", ask)
	assert.Equal(t, []string{"BTC-R6", "SOL-R6"}, keys(t, object.JSON))
	assert.Equal(t, milestones.At("milestones"), object.At("BTC-R6"))
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "POST", "/api/v1/milestones/batch", map[string]any{"tickers": []string{}}).Status)
	assert.Equal(t, []string{"field tickers is empty"}, s.TakeProblems())
}

func TestMarketIntervalsAreOpen(t *testing.T) {
	s := startLively(t, 1)
	for interval, width := range map[string]time.Duration{"30": 30 * time.Minute, "2h": 2 * time.Hour, "1w": 7 * 24 * time.Hour, "60": time.Hour} {
		a := s.get(t, fmt.Sprintf("/market/%s/candlesticks?interval=%s&start_time=2025-12-20T00:00:00Z", lively, interval))
		assert.Equal(t, interval, a.Text("interval"))
		first, second := moment(t, a.At("candlesticks", 0, "timestamp")), moment(t, a.At("candlesticks", 1, "timestamp"))
		assert.Equal(t, width, second.Sub(first), interval)
	}
	for _, interval := range []string{"h", "0m", "-5m", "fast", "99999999999h"} {
		a := s.get(t, "/market/"+lively+"/candlesticks?interval="+interval)
		assert.Equal(t, interval, a.Text("interval"), "what is not shown is not refused")
	}
	for _, path := range []string{"/market/NONE/candlesticks", "/market/by-mint/" + s.Mint("SOL") + "/candlesticks", "/milestones/by-mint/" + s.Mint("SOL")} {
		assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1"+path, nil).Status, path)
	}
}
