package onchaindata_test

import (
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
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// begun is a whole minute, the one before the first candle of a candleServer.
const begun = 1_699_999_980

// candleServer has n candles a minute apart, the newest 60n seconds after begun. It
// counts the one at before_timestamp in or not, and sends the oldest or the
// newest first.
func candleServer(t *testing.T, n int, including, oldestFirst bool) *wiretest.Server {
	return wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		limit, _ := strconv.Atoi(q.Get("limit"))
		before, err := strconv.Atoi(q.Get("before_timestamp"))
		if err != nil {
			before = begun + 60*n + 1
		}
		var rows []string
		for at := begun + 60*n; at > begun && len(rows) < limit; at -= 60 {
			if at < before || including && at == before {
				rows = append(rows, fmt.Sprintf("[%d,1,2,0.5,1.5,10]", at))
			}
		}
		if oldestFirst {
			slices.Reverse(rows)
		}
		io.WriteString(w, `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[`+strings.Join(rows, ",")+`]}}}`)
	})
}

// TestCandlesBack: every candle once, newest first, whatever before means and
// in whatever order a page comes.
func TestCandlesBack(t *testing.T) {
	for _, row := range []struct {
		n, limit               int
		including, oldestFirst bool
		requests               int
	}{
		{0, 10, false, false, 1}, {25, 10, false, false, 4}, {25, 10, false, true, 4}, {25, 10, true, false, 4}, {25, 10, true, true, 4},
		{5, 1, false, false, 4}, {5, 1, true, true, 5}, {2500, 0, false, false, 4}, {2500, 0, true, true, 4},
	} {
		t.Run(fmt.Sprintf("%+v", row), func(t *testing.T) {
			server := candleServer(t, row.n, row.including, row.oldestFirst)
			c := client(t, server.URL, "")
			req := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute, Aggregate: new(1)}
			if row.limit != 0 {
				req.Limit = &row.limit
			}
			for name, seq := range map[string]iter.Seq2[onchaindata.Candle, error]{
				"/pools/": c.AllPoolCandles(t.Context(), "n", "a", req), "/tokens/": c.AllTokenCandles(t.Context(), "n", "a", req),
			} {
				sent, next := len(server.Requests()), int64(begun+60*row.n)
				for candle, err := range seq {
					require.NoError(t, err)
					require.Equal(t, unix(next), candle.Timestamp)
					next -= 60
				}
				require.EqualValues(t, begun, next)
				seen := server.Requests()[sent:]
				require.Len(t, seen, row.requests)
				require.Contains(t, seen[0].Target, name)
				require.NotContains(t, seen[0].Target, "before_timestamp")
			}
		})
	}
}

func TestCandlesBackFrom(t *testing.T) {
	server := candleServer(t, 100, false, false)
	req := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute, Before: time.Unix(begun+601, 0), Limit: new(4), Currency: onchaindata.CurrencyUSD}
	var times []int64
	for candle, err := range client(t, server.URL, "").AllPoolCandles(t.Context(), "n", "a", req) {
		require.NoError(t, err)
		times = append(times, candle.Timestamp.Unix()-begun)
	}
	require.Equal(t, []int64{600, 540, 480, 420, 360, 300, 240, 180, 120, 60}, times)
	var asked []string
	for _, r := range server.Requests() {
		u, err := url.Parse(r.Target)
		require.NoError(t, err)
		require.Equal(t, "usd", u.Query().Get("currency"))
		before, err := strconv.Atoi(u.Query().Get("before_timestamp"))
		require.NoError(t, err)
		asked = append(asked, strconv.Itoa(before-begun))
	}
	require.Equal(t, []string{"601", "420", "180", "60"}, asked)
}

// TestCandlesTwice: a candle that a page holds twice comes once.
func TestCandlesTwice(t *testing.T) {
	c, _ := carriedClient(t, onchaindata.Config{},
		answer{Status: 200, Body: `{"data":{"attributes":{"ohlcv_list":[[1700000040,1,1,1,1,1],[1700000100,1,1,1,1,1],[1700000040,1,1,1,1,1]]}}}`},
		answer{Status: 200, Body: `{"data":{"attributes":{"ohlcv_list":[[1700000040,1,1,1,1,1]]}}}`}, answer{Status: 500})
	var times []int64
	for candle, err := range c.AllTokenCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: "day"}) {
		require.NoError(t, err)
		times = append(times, candle.Timestamp.Unix()-begun)
	}
	require.Equal(t, []int64{120, 60}, times)
}

func TestCandlesFail(t *testing.T) {
	c, _ := carriedClient(t, onchaindata.Config{},
		answer{Status: 200, Body: `{"data":{"attributes":{"ohlcv_list":[[1700000040,1,1,1,1,1]]}}}`}, answer{Status: 404})
	var last error
	for _, err := range c.AllPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: "day"}) {
		last = err
	}
	require.ErrorIs(t, last, walletfi.ErrNotFound)
}

// TestCandle: what a candle may look like, and what it writes.
func TestCandle(t *testing.T) {
	for _, text := range []string{`[1700000000,1,2,0.5,"1.5",10]`, `["1700000000",1,"2",0.5,1.5,10,"more",null]`, ` [ 1700000000 , 1 , 2 , 0.5 , 1.5 , 10 ] `} {
		var c onchaindata.Candle
		require.NoError(t, json.Unmarshal([]byte(text), &c))
		require.Equal(t, onchaindata.Candle{
			Timestamp: unix(1700000000), Open: wiretest.Decimal(t, "1"), High: wiretest.Decimal(t, "2"), Low: wiretest.Decimal(t, "0.5"), Close: wiretest.Decimal(t, "1.5"), Volume: wiretest.Decimal(t, "10"),
		}, c)
		again, err := json.Marshal(c)
		require.NoError(t, err)
		require.Equal(t, `[1700000000,1,2,0.5,1.5,10]`, string(again))
	}
	for _, text := range []string{`[]`, `[1700000000,2,3,4,5]`, `[-1,1,1,1,1,1]`, `[0,1,1,1,1,1]`, `[6.5,1,1,1,1,1]`, `[9007199254740993,1,1,1,1,1]`, `[null,1,1,1,1,1]`, `["",1,1,1,1,1]`, `["soon",1,1,1,1,1]`, `null`, `5`, `"x"`, `{"a":1}`} {
		c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":{"attributes":{"ohlcv_list":[[1700000040,1,1,1,1,1],` + text + `]}}}`})
		list, err := c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: "day"})
		require.ErrorIs(t, err, walletfi.ErrDecode, text)
		unread := wiretest.As[*walletfi.RecordError](t, err)
		require.Equal(t, 1, unread.Index)
		require.Equal(t, text, unread.Raw.String())
		require.Len(t, list.Items, 1, "the other candle")
	}
	for _, text := range []string{`[1700000001,"x",1,1,1,1]`, `[1700000001,1,1,1,1,true]`, `[1700000001,1,{},1,1,1]`} {
		c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":{"attributes":{"ohlcv_list":[[1700000000,1,1,1,1,1],` + text + `]}}}`})
		list, err := c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: "day"})
		require.NoError(t, err)
		require.Len(t, list.Items, 2)
		require.Nil(t, list.Items[0].Raw)
		require.Equal(t, text, list.Items[1].Raw.String())
		require.Equal(t, unix(1700000001), list.Items[1].Timestamp)
	}
}

// TestTradesFull: 300 trades are all that ever come.
func TestTradesFull(t *testing.T) {
	for n, full := range map[int]bool{0: false, 299: false, 300: true, 301: true} {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"id":"t%d","attributes":{"kind":"sell",`, i)+tradeMembers+`}}`)
		}
		records := strings.Join(all, ",")
		for _, blank := range []string{"", `,"\u0078":0`} { // read by hand, and the ordinary way
			c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[` + records + `]` + blank + `}`})
			list, err := c.ListTrades(t.Context(), "n", "a", onchaindata.TradesRequest{})
			require.NoError(t, err)
			require.Len(t, list.Items, n)
			require.Equal(t, full, list.Full)
		}
	}
}

// TestCandlesAscend: a page is oldest first, whatever the service's order.
func TestCandlesAscend(t *testing.T) {
	for _, oldestFirst := range []bool{true, false} {
		c := client(t, candleServer(t, 5, false, oldestFirst).URL, "")
		for name, list := range map[string]func() (*onchaindata.CandlePage, error){
			"pool": func() (*onchaindata.CandlePage, error) {
				return c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute, Limit: new(10)})
			},
			"token": func() (*onchaindata.CandlePage, error) {
				return c.ListTokenCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute, Limit: new(10)})
			},
		} {
			page, err := list()
			require.NoError(t, err, name)
			require.Len(t, page.Items, 5, name)
			for i, candle := range page.Items {
				require.Equal(t, unix(int64(begun+60*(i+1))), candle.Timestamp, name)
			}
		}
	}
}
