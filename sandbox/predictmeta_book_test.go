package sandbox

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// predictMetaSide reads one side of a book: prices in cents and quantities.
func predictMetaSide(t *testing.T, levels any) (prices, quantities []int64) {
	t.Helper()
	for _, l := range levels.([]any) {
		level := l.(map[string]any)
		require.Equal(t, []string{"price", "quantity"}, predictMetaKeys(t, level))
		prices = append(prices, predictMetaCents(t, level["price"]))
		quantities = append(quantities, predictMetaCount(t, level["quantity"]))
	}
	return prices, quantities
}

func TestPredictMetaOrderBook(t *testing.T) {
	s := predictMetaStart(t, 0)
	distinct := map[string]bool{}
	for range 40 {
		s.Advance(13 * time.Second)
		a := s.predictMetaGet(t, "/orderbook/"+predictMetaLively)
		require.Equal(t, []string{"asks", "bids", "mid_price", "spread", "ticker", "timestamp"}, predictMetaKeys(t, a.JSON))
		assert.Equal(t, s.Now(), predictMetaMoment(t, a.at("timestamp")))
		bids, _ := predictMetaSide(t, a.at("bids"))
		asks, quantities := predictMetaSide(t, a.at("asks"))
		require.Len(t, bids, 10, "the default depth")
		require.Len(t, asks, 10)
		for i := range 9 {
			assert.Greater(t, bids[i], bids[i+1])
			assert.Less(t, asks[i], asks[i+1])
			assert.Positive(t, quantities[i])
		}
		assert.Equal(t, asks[0]-bids[0], predictMetaCents(t, a.at("spread")))
		assert.Equal(t, (asks[0]+bids[0])/2, predictMetaCents(t, a.at("mid_price")))
		m := s.predictMetaGet(t, "/market/"+predictMetaLively)
		assert.Equal(t, a.at("mid_price"), m.at("yes_price"))
		distinct[m.text("yes_price")] = true
	}
	assert.Greater(t, len(distinct), 3, "prices move")

	shallow := s.predictMetaGet(t, "/orderbook/"+predictMetaLively+"?depth=1")
	assert.Len(t, predictMetaList(t, shallow, "bids"), 1)
	deep := s.predictMetaGet(t, "/orderbook/"+predictMetaLively+"?depth=1000")
	bids, _ := predictMetaSide(t, deep.at("bids"))
	assert.EqualValues(t, 1, bids[len(bids)-1], "down to a cent")
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1/orderbook/NONE", nil).Status)
}

func TestPredictMetaOrderBookByMint(t *testing.T) {
	s := predictMetaStart(t, 0)
	m := s.predictMetaGet(t, "/market/"+predictMetaLively)
	book := s.predictMetaGet(t, "/orderbook/"+predictMetaLively)
	const path = "/orderbook/by-mint/"
	assert.Equal(t, book.JSON, s.predictMetaGet(t, path+m.text("yes_mint")).JSON)
	wrapped := s.predictMetaGet(t, path+m.text("yes_mint"))
	assert.Equal(t, map[string]any{"mint": m.text("yes_mint"), "outcome": "yes", "orderbook": book.JSON}, wrapped.JSON)

	no := s.predictMetaGet(t, path+m.text("no_mint")+"?depth=3")
	yesBids, yesQuantities := predictMetaSide(t, book.at("bids"))
	noAsks, noQuantities := predictMetaSide(t, no.at("asks"))
	require.Len(t, noAsks, 3)
	for i := range noAsks {
		assert.Equal(t, int64(100), yesBids[i]+noAsks[i], "who bids for yes offers no")
		assert.Equal(t, yesQuantities[i], noQuantities[i])
	}
	assert.Equal(t, int64(100), predictMetaCents(t, no.at("mid_price"))+predictMetaCents(t, book.at("mid_price")))
	assert.Equal(t, book.at("spread"), no.at("spread"))
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1"+path+m.text("ledger_mint"), nil).Status, "no outcome mint")
	assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1"+path+s.Mint("SOL"), nil).Status)
}

func TestPredictMetaUndocumentedShapes(t *testing.T) {
	s := predictMetaStart(t, 0)
	m := s.predictMetaGet(t, "/market/"+predictMetaLively)
	want := s.predictMetaGet(t, "/event/BTC-R6/candlesticks?interval=15m")
	for _, path := range []string{"/market/" + predictMetaLively, "/market/by-mint/" + m.text("ledger_mint")} {
		path += "/candlesticks?interval=15m"
		sister := s.predictMetaGet(t, path)
		assert.Equal(t, want.at("candlesticks"), sister.at("candlesticks"))
		assert.Equal(t, []string{predictMetaLively, "15m"}, []string{sister.text("ticker"), sister.text("interval")})
		assert.Equal(t, want.at("candlesticks"), s.predictMetaGet(t, path).JSON, "a bare array")
		upstream := s.predictMetaGet(t, path)
		assert.Equal(t, want.at("candlesticks", 0, "close"), upstream.at("candlesticks", 0, "price", "close"))
		end := predictMetaMoment(t, want.at("candlesticks", 0, "timestamp")).Add(15 * time.Minute).Unix()
		assert.Equal(t, fmt.Sprint(end), upstream.text("candlesticks", 0, "end_period_ts"))
		assert.Equal(t, "BTC", upstream.text("series_ticker"))
	}

	milestones := s.predictMetaGet(t, "/milestones/BTC-R6")
	assert.Equal(t, milestones.JSON, s.predictMetaGet(t, "/milestones/by-mint/"+m.text("yes_mint")).JSON)
	assert.Equal(t, milestones.at("milestones"), s.predictMetaGet(t, "/milestones/by-mint/"+m.text("yes_mint")).JSON)

	ask := map[string]any{"tickers": []string{"SOL-R6", "BTC-R6", "NONE", "SOL-R6"}}
	under := s.predictMetaPost(t, "/milestones/batch", ask)
	require.Len(t, predictMetaList(t, under, "milestones"), 2, "each once")
	assert.Equal(t, milestones.JSON, under.at("milestones", 1))
	assert.Equal(t, under.at("milestones"), s.predictMetaPost(t, "/milestones/batch", ask).JSON)
	object := s.predictMetaPost(t, "/milestones/batch", ask)
	assert.Equal(t, []string{"BTC-R6", "SOL-R6"}, predictMetaKeys(t, object.JSON))
	assert.Equal(t, milestones.at("milestones"), object.at("BTC-R6"))
	assert.Equal(t, 400, s.do(t, PredictMeta, "POST", "/api/v1/milestones/batch", map[string]any{"tickers": []string{}}).Status)
}

func TestPredictMetaMarketIntervalsAreOpen(t *testing.T) {
	s := predictMetaStart(t, 1)
	for interval, width := range map[string]time.Duration{"30": 30 * time.Minute, "2h": 2 * time.Hour, "1w": 7 * 24 * time.Hour, "60": time.Hour} {
		a := s.predictMetaGet(t, fmt.Sprintf("/market/%s/candlesticks?interval=%s&start_time=2025-12-20T00:00:00Z", predictMetaLively, interval))
		assert.Equal(t, interval, a.text("interval"))
		first, second := predictMetaMoment(t, a.at("candlesticks", 0, "timestamp")), predictMetaMoment(t, a.at("candlesticks", 1, "timestamp"))
		assert.Equal(t, width, second.Sub(first), interval)
	}
	for _, interval := range []string{"h", "0m", "-5m", "fast", "99999999999h"} {
		assert.Equal(t, 400, s.do(t, PredictMeta, "GET", "/api/v1/market/"+predictMetaLively+"/candlesticks?interval="+interval, nil).Status, interval)
	}
	for _, path := range []string{"/market/NONE/candlesticks", "/market/by-mint/" + s.Mint("SOL") + "/candlesticks", "/milestones/by-mint/" + s.Mint("SOL")} {
		assert.Equal(t, 404, s.do(t, PredictMeta, "GET", "/api/v1"+path, nil).Status, path)
	}
}
