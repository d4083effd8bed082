package predictmeta_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// predictMetaTapeOf fetches all trades that a query finds, by pages.
func (s *started) tapeOf(t *testing.T, path, query string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for {
		a := s.get(t, fmt.Sprintf("%s?%slimit=500&offset=%d", path, query, len(all)))
		page := list(t, a, "trades")
		for _, x := range page {
			all = append(all, x.(map[string]any))
		}
		require.LessOrEqual(t, len(all), int(count(t, a.At("total"))))
		if len(page) == 0 {
			require.Equal(t, fmt.Sprint(len(all)), a.Text("total"))
			return all
		}
	}
}

func moment(t *testing.T, v any) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, v.(string))
	require.NoError(t, err)
	return at
}

func TestTrades(t *testing.T) {
	s := startLively(t, 0)
	s.Advance(90 * time.Second)
	a := s.get(t, "/trades?ticker="+lively)
	assert.Len(t, list(t, a, "trades"), 100, "the default limit")
	assert.Equal(t, []string{"100", "0"}, []string{a.Text("limit"), a.Text("offset")})
	assert.Equal(t, []string{
		"id", "maker_address", "outcome", "price", "quantity", "side", "taker_address", "ticker", "timestamp",
	}, keys(t, a.At("trades", 0)))

	tape := s.tapeOf(t, "/trades", "ticker="+lively+"&")
	assert.Greater(t, len(tape), 10_000, "a day's")
	ids, sides, outcomes := map[any]bool{}, map[any]int{}, map[any]int{}
	last := s.Time()
	for _, x := range tape {
		at := moment(t, x["timestamp"])
		require.False(t, at.After(last), "the newest first")
		last = at
		require.NotEqual(t, x["taker_address"], x["maker_address"])
		require.Positive(t, count(t, x["quantity"]))
		ids[x["id"]] = true
		sides[x["side"]]++
		outcomes[x["outcome"]]++
	}
	assert.Len(t, ids, len(tape))
	assert.False(t, last.Before(s.Time().Add(-24*time.Hour)))
	require.Len(t, sides, 2)
	require.Len(t, outcomes, 2)
	for _, side := range []string{"buy", "sell"} {
		assert.Len(t, s.tapeOf(t, "/trades", "ticker="+lively+"&side="+side+"&"), sides[side], side)
	}

	m := s.get(t, "/market/"+lively)
	mint := s.tapeOf(t, "/trades/by-mint/"+m.Text("no_mint"), "")
	assert.Equal(t, tape, mint)
	assert.Equal(t, a.JSON, s.get(t, "/trades/by-mint/"+m.Text("ledger_mint")+"?ticker=other").JSON)
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/trades?ticker=NONE", nil).Status)
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/trades/by-mint/"+s.Mint("SOL"), nil).Status)
}

func TestTradesOfAllMarkets(t *testing.T) {
	s := startLively(t, 0)
	span := fmt.Sprintf("start_time=%d&end_time=%d&", s.Time().Unix()-5000, s.Time().Unix()-600)
	all := s.tapeOf(t, "/trades", span)
	count := map[string]int{}
	last := s.Time()
	for _, x := range all {
		at := moment(t, x["timestamp"])
		require.False(t, at.After(last), "the newest first, over the hours and markets")
		last = at
		count[x["ticker"].(string)]++
	}
	assert.Greater(t, len(count), 80)
	for _, ticker := range []string{lively, "SOL-R5-M1", "BTC-R3-M1"} {
		assert.Len(t, s.tapeOf(t, "/trades", "ticker="+ticker+"&"+span), count[ticker], ticker)
		assert.Positive(t, count[ticker], ticker)
	}
	assert.Zero(t, count["BTC-R1-M1"], "closed long ago")
}

func TestPricesAgreeWithTheTape(t *testing.T) {
	s := startLively(t, 0)
	for _, ticker := range []string{lively, "SOL-R5-M2", "HOOPS-R2-M1", "BTC-R3-M1"} {
		s.Advance(77 * time.Second)
		m := s.get(t, "/market/"+ticker)
		tape := s.tapeOf(t, "/trades", "ticker="+ticker+"&")
		require.NotEmpty(t, tape, ticker)
		assert.Equal(t, tape[0]["price"], m.At("last_price"), ticker)
		volume := int64(0)
		for _, x := range tape {
			volume += count(t, x["quantity"])
		}
		assert.Equal(t, volume, count(t, m.At("volume_24h")), ticker)
	}
}

func TestTradesAreAtTheTouch(t *testing.T) {
	s := startLively(t, 0)
	traded := 0
	for range 60 {
		s.Advance(time.Second)
		tape := list(t, s.get(t, fmt.Sprintf("/trades?ticker=%s&start_time=%d", lively, s.Time().Unix())), "trades")
		if len(tape) == 0 {
			continue
		}
		traded++
		side := map[string]string{"buy": "asks", "sell": "bids"}[tape[0].(map[string]any)["side"].(string)]
		best := s.get(t, "/orderbook/"+lively).At(side, 0).(map[string]any)
		assert.Equal(t, best["price"], tape[0].(map[string]any)["price"])
		assert.LessOrEqual(t, count(t, tape[0].(map[string]any)["quantity"]), count(t, best["quantity"]))
	}
	assert.Greater(t, traded, 5)
}

// bars makes candles of a tape, by hand, oldest first.
func bars(t *testing.T, tape []map[string]any, width time.Duration) map[time.Time][5]int64 {
	t.Helper()
	bars := map[time.Time][5]int64{}
	for i := len(tape) - 1; i >= 0; i-- {
		at := moment(t, tape[i]["timestamp"]).Truncate(width)
		price, quantity := cents(t, tape[i]["price"]), count(t, tape[i]["quantity"])
		bar, ok := bars[at]
		if !ok {
			bar = [5]int64{price, price, price, price, 0}
		}
		bars[at] = [5]int64{bar[0], max(bar[1], price), min(bar[2], price), price, bar[4] + quantity}
	}
	return bars
}

func TestCandlesAgreeWithTheTape(t *testing.T) {
	s := startLively(t, 0)
	s.Advance(1234 * time.Second)
	for interval, width := range map[string]time.Duration{
		"1m": time.Minute, "5m": 5 * time.Minute, "15m": 15 * time.Minute, "1h": time.Hour, "4h": 4 * time.Hour, "1d": 24 * time.Hour,
	} {
		start := s.Time().Add(-3 * width).Truncate(width)
		if width == time.Minute {
			start = s.Time().Add(-30 * width).Truncate(width)
		}
		query := fmt.Sprintf("start_time=%d&", start.Unix())
		a := s.get(t, "/event/BTC-R6/candlesticks?"+query+"interval="+interval)
		assert.Equal(t, []string{"BTC-R6", interval}, []string{a.Text("ticker"), a.Text("interval")})
		tape := s.tapeOf(t, "/trades", "ticker="+lively+"&"+query)
		bars := bars(t, tape, width)
		candles := list(t, a, "candlesticks")
		require.GreaterOrEqual(t, len(candles), 4, interval)
		for i, x := range candles {
			c := x.(map[string]any)
			assert.Equal(t, []string{"close", "high", "low", "open", "timestamp", "volume"}, keys(t, c))
			at := moment(t, c["timestamp"])
			require.Equal(t, start.Add(time.Duration(i)*width), at, interval)
			got := [5]int64{
				cents(t, c["open"]), cents(t, c["high"]), cents(t, c["low"]),
				cents(t, c["close"]), count(t, c["volume"]),
			}
			if bar, traded := bars[at]; traded {
				require.Equal(t, bar, got, "%s %s", interval, at)
			} else {
				require.Equal(t, [5]int64{got[0], got[0], got[0], got[0], 0}, got)
			}
		}
	}
}

func TestCandlesOfAQuietMarket(t *testing.T) {
	s := startLively(t, 0)
	s.Advance(10 * time.Minute)
	start := s.Time().Unix() - 1800
	candles := list(t, s.get(t, fmt.Sprintf("/event/RATE-R6/candlesticks?interval=1m&start_time=%d", start)), "candlesticks")
	require.Len(t, candles, 31)
	empty := 0
	for i, x := range candles {
		c := x.(map[string]any)
		if i > 0 && count(t, c["volume"]) == 0 {
			empty++
			assert.Equal(t, candles[i-1].(map[string]any)["close"], c["open"], "the last price goes on")
			assert.Equal(t, c["open"], c["close"])
		}
	}
	assert.Positive(t, empty)
	assert.Len(t, list(t, s.get(t, "/event/RATE-R6/candlesticks"), "candlesticks"), 101, "of an hour, where nobody says")
	assert.Empty(t, list(t, s.get(t, fmt.Sprintf("/event/RATE-R6/candlesticks?start_time=%d", s.Time().Unix()+9999)), "candlesticks"))
}

func TestForecastIsTheCandlesClose(t *testing.T) {
	s := startLively(t, 0)
	for _, query := range []string{"", "interval=1h", "interval=4h", "interval=1d&start_time=2025-12-20T00:00:00Z&end_time=2025-12-25T00:00:00Z"} {
		forecast := s.get(t, "/event/BTC-R6/forecast?"+query)
		candles := list(t, s.get(t, "/event/BTC-R6/candlesticks?"+query), "candlesticks")
		points := list(t, forecast, "forecasts")
		require.Len(t, points, len(candles), query)
		require.NotEmpty(t, points)
		for i, c := range candles {
			c := c.(map[string]any)
			assert.Equal(t, map[string]any{"timestamp": c["timestamp"], "probability": c["close"], "volume": c["volume"]}, points[i])
		}
		assert.Equal(t, "BTC-R6", forecast.Text("ticker"))
	}
	assert.Len(t, list(t, s.get(t, "/event/BTC-R6/forecast?interval=1d&start_time=2025-12-20T00:00:00Z&end_time=2025-12-25T00:00:00Z"), "forecasts"), 5)
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/event/NONE/forecast", nil).Status)
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/event/NONE/candlesticks", nil).Status)
}

func TestMilestones(t *testing.T) {
	s := startLively(t, 0)
	before := list(t, s.get(t, "/milestones/BTC-R6"), "milestones")
	require.Len(t, before, 3, "one every five days since 17 December")
	s.Advance(10 * 24 * time.Hour)
	a := s.get(t, "/milestones/BTC-R6")
	assert.Equal(t, "BTC-R6", a.Text("ticker"))
	list := list(t, a, "milestones")
	require.Len(t, list, 5)
	assert.Equal(t, before, list[:3], "what happened stays")
	for _, x := range list {
		m := x.(map[string]any)
		assert.Equal(t, []string{"name", "probability_after", "probability_before", "timestamp", "volume_spike"}, keys(t, m))
		at := moment(t, m["timestamp"])
		tape := s.tapeOf(t, "/trades", fmt.Sprintf("ticker=%s&start_time=%d&end_time=%d&", lively, at.Unix()-3599, at.Unix()+1))
		volume := int64(0)
		for _, trade := range tape {
			volume += count(t, trade["quantity"])
		}
		assert.Equal(t, volume, count(t, m["volume_spike"]))
		assert.Equal(t, tape[0]["price"], m["probability_after"])
	}
	assert.Equal(t, 404, s.Do(t, play.PredictMeta, "GET", "/api/v1/milestones/"+lively, nil).Status, "a market's ticker is no event's")
}

func TestTimesInEveryForm(t *testing.T) {
	s := startLively(t, 0)
	from, to := s.Time().Add(-time.Hour), s.Time().Add(-time.Minute)
	var want any
	for _, form := range [][2]string{
		{fmt.Sprint(from.Unix()), fmt.Sprint(to.Unix())},
		{fmt.Sprint(from.UnixMilli()), fmt.Sprint(to.UnixMilli())},
		{from.Format(time.RFC3339), to.Format(time.RFC3339)},
	} {
		a := s.get(t, fmt.Sprintf("/trades?ticker=%s&start_time=%s&end_time=%s", lively, form[0], form[1]))
		require.NotEmpty(t, list(t, a, "trades"))
		if want == nil {
			want = a.JSON
		}
		assert.Equal(t, want, a.JSON, form)
	}
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "GET", fmt.Sprintf("/api/v1/trades?start_time=%d&end_time=%d", to.Unix(), from.Unix()), nil).Status)
	assert.Equal(t, 400, s.Do(t, play.PredictMeta, "GET", "/api/v1/trades?start_time=yesterday", nil).Status)
	assert.Equal(t, []string{"query parameter start_time is no timestamp"}, s.TakeProblems())
}

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
