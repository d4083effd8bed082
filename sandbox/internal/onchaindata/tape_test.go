package onchaindata_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// tick is a trade as the route told it.
type tick struct {
	second      int64
	base, quote string // dollars
	rate        string // quote tokens for one base token
	volume      *big.Rat
	spent       float64 // of the quote token
	buy         bool
	wallet      string
}

// onchainPrints reads the trades of a pool, the last one first.
func (s *started) prints(t *testing.T, path string) (all []tick) {
	t.Helper()
	a := s.onchain(t, path)
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	for _, r := range items(a) {
		f := map[string]string{}
		for name, value := range r["attributes"].(map[string]any) {
			f[name] = fmt.Sprint(value)
		}
		at, err := time.Parse(time.RFC3339, f["block_timestamp"])
		require.NoError(t, err)
		volume, ok := new(big.Rat).SetString(f["volume_in_usd"])
		require.True(t, ok)
		p := tick{second: at.Unix(), volume: volume, buy: f["kind"] == "buy", wallet: f["tx_from_address"]}
		from, to, gave := "from", "to", "from_token_amount"
		if !p.buy {
			from, to, gave = to, from, "to_token_amount"
		}
		p.quote, p.base = f["price_"+from+"_in_usd"], f["price_"+to+"_in_usd"]
		p.rate = f["price_"+to+"_in_currency_token"]
		require.Equal(t, "1", f["price_"+from+"_in_currency_token"])
		p.spent, err = strconv.ParseFloat(f[gave], 64)
		require.NoError(t, err)
		all = append(all, p)
	}
	return all
}

// rows reads candles as texts.
func rows(t *testing.T, a answer) (rows [][6]string) {
	t.Helper()
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	for _, x := range a.At("data", "attributes", "ohlcv_list").([]any) {
		var row [6]string
		for i, v := range x.([]any) {
			row[i] = fmt.Sprint(v)
		}
		rows = append(rows, row)
	}
	return rows
}

// fold computes the candles of trades that come last one first.
func fold(prints []tick, width int64, price func(tick) string) (rows [][6]string, volumes []*big.Rat, spent []float64) {
	number := func(text string) float64 {
		x, err := json.Number(text).Float64()
		if err != nil {
			panic(err)
		}
		return x
	}
	for _, p := range prints {
		start, at := strconv.FormatInt(p.second-p.second%width, 10), price(p)
		last := len(rows) - 1
		if last < 0 || rows[last][0] != start {
			rows = append(rows, [6]string{start, at, at, at, at})
			volumes, spent = append(volumes, new(big.Rat)), append(spent, 0)
			last++
		}
		row := &rows[last]
		row[1] = at
		if number(at) > number(row[2]) {
			row[2] = at
		}
		if number(at) < number(row[3]) {
			row[3] = at
		}
		volumes[last].Add(volumes[last], p.volume)
		spent[last] += p.spent
	}
	return rows, volumes, spent
}

func TestCandlesAreMadeOfTheTrades(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	pool := "/networks/solana/pools/" + s.poolAddress("orchard", "DUST", "USDC")
	for _, pause := range []time.Duration{0, 7*time.Minute + 13*time.Second, 26 * time.Hour} {
		s.Advance(pause)
		prints := s.prints(t, pool+"/trades")
		require.Greater(t, len(prints), 100)
		for _, frame := range []struct {
			name      string
			aggregate int64
			width     int64
		}{{"minute", 1, 60}, {"minute", 5, 300}, {"minute", 15, 900}, {"hour", 1, 3600}, {"hour", 4, 4 * 3600}} {
			path := fmt.Sprintf("%s/ohlcv/%s?aggregate=%d&limit=1000", pool, frame.name, frame.aggregate)
			for currency, price := range map[string]func(tick) string{
				"usd": func(p tick) string { return p.base }, "token": func(p tick) string { return p.rate },
			} {
				want, volumes, spent := fold(prints, frame.width, price)
				got := rows(t, s.onchain(t, path+"&currency="+currency))
				require.Greater(t, len(got), len(want)-1)
				for i := range len(want) - 1 { // the list may break off within the last
					require.Equal(t, want[i][:5], got[i][:5], "%s %s", path, currency)
					if currency == "usd" {
						assert.Equal(t, volumes[i].FloatString(6), got[i][5])
						continue
					}
					volume, err := strconv.ParseFloat(got[i][5], 64)
					require.NoError(t, err)
					assert.InDelta(t, spent[i], volume, 1e-4*math.Max(1, spent[i]))
				}
			}
		}
	}
}

func TestFiguresAreMadeOfTheTrades(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	s.Advance(11*time.Hour + 20*time.Second)
	address := s.poolAddress("ember", "DUST", "SOL")
	prints := s.prints(t, "/networks/solana/pools/"+address+"/trades")
	require.Less(t, len(prints), 300, "a whole day")
	a := s.onchain(t, "/networks/solana/pools/"+address+"?include_volume_breakdown=true&include_composition=true")
	at := func(path ...any) string { return a.Text(append([]any{"data", "attributes"}, path...)...) }
	assert.Equal(t, prints[0].base, at("base_token_price_usd"))
	assert.Equal(t, prints[0].quote, at("quote_token_price_usd"))
	now := s.Time().Unix()
	for key, seconds := range map[string]int64{"m5": 300, "m15": 900, "m30": 1800, "h1": 3600, "h6": 6 * 3600, "h24": onchaindata.Day} {
		buys, sells, buyers, sellers := 0, 0, map[string]bool{}, map[string]bool{}
		volume, bought := new(big.Rat), new(big.Rat)
		var before *tick
		for i, p := range prints {
			if p.second <= now-seconds {
				before = &prints[i]
				break
			}
			volume.Add(volume, p.volume)
			if p.buy {
				buys, buyers[p.wallet] = buys+1, true
				bought.Add(bought, p.volume)
			} else {
				sells, sellers[p.wallet] = sells+1, true
			}
		}
		if key != "h6" {
			assert.Equal(t, map[string]any{"buys": json.Number(strconv.Itoa(buys)), "sells": json.Number(strconv.Itoa(sells)),
				"buyers": json.Number(strconv.Itoa(len(buyers))), "sellers": json.Number(strconv.Itoa(len(sellers)))},
				a.At("data", "attributes", "transactions", key), key)
		}
		if key == "m15" || key == "m30" {
			continue
		}
		assert.Equal(t, volume.FloatString(6), at("volume_usd", key), key)
		assert.Equal(t, bought.FloatString(6), at("buy_volume_usd", key), key)
		if before != nil {
			assert.Equal(t, percent(t, before.base, prints[0].base), at("price_change_percentage", key), key)
		}
	}
	fdv, err := strconv.ParseFloat(at("fdv_usd"), 64)
	require.NoError(t, err)
	price, err := strconv.ParseFloat(prints[0].base, 64)
	require.NoError(t, err)
	assert.InDelta(t, price*1e12, fdv, 0.01)
}

func percent(t *testing.T, from, to string) string {
	t.Helper()
	a, err := strconv.ParseFloat(from, 64)
	require.NoError(t, err)
	b, err := strconv.ParseFloat(to, 64)
	require.NoError(t, err)
	return strconv.FormatFloat((b/a-1)*100, 'f', 3, 64)
}

func TestPricesAreTheLastTrades(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	sol, usdc := s.Mint("SOL"), s.Mint("USDC")
	pool := s.poolAddress("atlas", "SOL", "USDC")
	for range 4 {
		s.Advance(10 * time.Minute)
		last := s.prints(t, "/networks/solana/pools/"+pool+"/trades")[0]
		simple := s.onchain(t, "/simple/networks/solana/token_price/"+sol+","+usdc+"?include_market_cap=true&include_24hr_vol=true&include_24hr_price_change=true&include_total_reserve_in_usd=true")
		token := s.onchain(t, "/networks/solana/tokens/"+sol)
		assert.Equal(t, last.base, simple.Text("data", "attributes", "token_prices", sol))
		assert.Equal(t, last.quote, simple.Text("data", "attributes", "token_prices", usdc))
		assert.Equal(t, last.base, token.Text("data", "attributes", "price_usd"))
		assert.Equal(t, token.Text("data", "attributes", "market_cap_usd"), simple.Text("data", "attributes", "market_cap_usd", sol))
		assert.Equal(t, token.Text("data", "attributes", "volume_usd", "h24"), simple.Text("data", "attributes", "h24_volume_usd", sol))
		assert.Equal(t, token.Text("data", "attributes", "price_change_percentage", "h24"), simple.Text("data", "attributes", "h24_price_change_percentage", sol))
		assert.Nil(t, simple.At("data", "attributes", "last_trade_timestamp"))
		candles := rows(t, s.onchain(t, "/networks/solana/tokens/"+sol+"/ohlcv/minute?limit=1"))
		assert.Equal(t, last.base, candles[0][4])
		inSOL := rows(t, s.onchain(t, "/networks/solana/pools/"+pool+"/ohlcv/minute?limit=1&currency=token"))
		assert.Equal(t, last.rate, inSOL[0][4])
		price, err := strconv.ParseFloat(last.base, 64)
		require.NoError(t, err)
		assert.InDelta(t, 150, price, 10, "as on the ledger")
	}
	only := s.onchain(t, "/simple/networks/solana/token_price/"+s.Mint("DUST")).At("data", "attributes").(map[string]any)
	assert.Len(t, only, 1, "nothing but prices was asked for")
	cap := func(fallback string) any {
		return s.onchain(t, "/simple/networks/solana/token_price/"+s.Mint("DUST")+"?include_market_cap=true"+fallback).At("data", "attributes", "market_cap_usd", s.Mint("DUST"))
	}
	assert.Nil(t, cap(""))
	assert.Equal(t, s.onchain(t, "/networks/solana/tokens/"+s.Mint("DUST")).At("data", "attributes", "fdv_usd"), cap("&mcap_fdv_fallback=true"))
}

func TestRefreshesAsDocumented(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	pool := s.poolAddress("atlas", "SOL", "USDC")
	shown := func() string {
		return s.onchain(t, "/networks/solana/pools/"+pool).Text("data", "attributes", "base_token_price_usd")
	}
	trending := func() string {
		for _, p := range items(s.onchain(t, "/networks/solana/trending_pools?duration=24h")) {
			return fmt.Sprint(p)
		}
		return ""
	}
	traded := func() string { return s.prints(t, "/networks/solana/pools/"+pool+"/trades")[0].base }
	fresh := map[bool]int{}
	was, trend := shown(), trending()
	for i := range 60 {
		second := i + 1
		s.Advance(time.Second)
		if second%10 == 0 {
			was = traded()
		}
		if second%30 == 0 {
			trend = trending()
		}
		assert.Equal(t, was, shown(), "second %d", second)
		assert.Equal(t, trend, trending(), "second %d", second)
		fresh[was == traded()]++
	}
	assert.NotZero(t, fresh[false], "trades are of the very second")
}

func TestCandlesPageBackwards(t *testing.T) {
	walk := func(t *testing.T, shape, limit int) (starts []int64) {
		s := start(t, play.Config{ManualClock: true, Shape: shape})
		s.Advance(30 * time.Minute)
		path := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC") + "/ohlcv/hour?limit=" + strconv.Itoa(limit)
		for before := ""; ; {
			rows := rows(t, s.onchain(t, path+before))
			require.LessOrEqual(t, len(rows), limit)
			if shape == 3 {
				slices.Reverse(rows)
			}
			if len(rows) == 0 {
				return starts
			}
			for _, row := range rows {
				start, err := strconv.ParseInt(row[0], 10, 64)
				require.NoError(t, err)
				require.Zero(t, start%3600)
				require.True(t, len(starts) == 0 || start < starts[len(starts)-1], "no candle twice")
				starts = append(starts, start)
			}
			before = fmt.Sprintf("&before_timestamp=%d", starts[len(starts)-1]-1)
		}
	}
	for shape := 1; shape <= onchaindata.Shapes; shape++ {
		pages := walk(t, shape, 400)
		assert.Equal(t, 24*60+1, len(pages), "sixty days and the hour that has begun")
		if shape == 1 {
			assert.Equal(t, walk(t, shape, 1000), pages)
		}
	}
	s := start(t, play.Config{ManualClock: true})
	path := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC") + "/ohlcv/minute"
	assert.Len(t, rows(t, s.onchain(t, path)), 100, "where no limit is named")
	edge := s.Time().Add(-time.Hour).Unix()
	firsts := map[string]bool{}
	for range onchaindata.Shapes {
		rows := rows(t, s.onchain(t, fmt.Sprintf("%s?before_timestamp=%d&limit=1", path, edge)))
		firsts[rows[0][0]] = true
	}
	assert.Equal(t, map[string]bool{strconv.FormatInt(edge, 10): true, strconv.FormatInt(edge-60, 10): true}, firsts, "the edge counts at times")
}

func TestQuietIntervals(t *testing.T) {
	byShape := map[int][][6]string{}
	for shape := 1; shape <= onchaindata.Shapes; shape++ {
		s := start(t, play.Config{ManualClock: true, Shape: shape})
		byShape[shape] = rows(t, s.onchain(t, "/networks/solana/pools/"+s.poolAddress("orchard", "DUST", "USDC")+"/ohlcv/minute?limit=50"))
	}
	assert.Equal(t, byShape[1], byShape[2], "the same figures, of another type")
	filled := byShape[3]
	slices.Reverse(filled)
	require.Len(t, filled, 50)
	quiet := 0
	for i, row := range filled {
		at, err := strconv.ParseInt(row[0], 10, 64)
		require.NoError(t, err)
		if i > 0 {
			assert.Equal(t, filled[i-1][0], strconv.FormatInt(at+60, 10), "no gap")
		}
		if row[5] == "0.000000" {
			quiet++
			if i+1 < len(filled) {
				assert.Equal(t, filled[i+1][4], row[1], "as the one before it closed")
			}
		}
	}
	assert.Positive(t, quiet)
	assert.Less(t, quiet, 50)
}

func TestTradesAreTheLast300OfADay(t *testing.T) {
	s := start(t, play.Config{ManualClock: true, Shape: 1})
	busy := "/networks/solana/pools/" + s.poolAddress("atlas", "SOL", "USDC") + "/trades"
	prints := s.prints(t, busy)
	require.Len(t, prints, 300)
	assert.True(t, slices.IsSortedFunc(prints, func(a, b tick) int { return int(b.second - a.second) }))
	limit := big.NewRat(5000, 1)
	large := s.prints(t, busy+"?trade_volume_in_usd_greater_than=5000")
	assert.NotEmpty(t, large)
	for _, p := range large {
		assert.Positive(t, p.volume.Cmp(limit))
	}
	quiet := s.prints(t, "/networks/solana/pools/"+s.poolAddress("ember", "DUST", "SOL")+"/trades")
	require.Less(t, len(quiet), 300)
	assert.Greater(t, quiet[len(quiet)-1].second, s.Time().Unix()-onchaindata.Day)
	hashes := map[string]bool{}
	for _, r := range items(s.onchain(t, busy)) {
		hashes[r["attributes"].(map[string]any)["tx_hash"].(string)] = true
		block, err := r["attributes"].(map[string]any)["block_number"].(json.Number).Int64()
		require.NoError(t, err)
		assert.LessOrEqual(t, block, int64(s.View().Slot()))
	}
	assert.Len(t, hashes, 300)
	evm := items(s.onchain(t, "/networks/eth/pools"))[0]["attributes"].(map[string]any)["address"].(string)
	assert.Regexp(t, "^0x[0-9a-f]{64}$", s.onchain(t, "/networks/eth/pools/"+evm+"/trades").Text("data", 0, "attributes", "tx_hash"))
}
