package onchaindata_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// TestHighBelowLow: such a candle, and one that opens or closes outside of its low and high, is kept, with
// the problem in the error.
func TestHighBelowLow(t *testing.T) {
	for row, wrong := range map[string]string{
		`[1700000060,1,2,0.5,1.5,10]`: "", `[1700000060,1,1,1,1,10]`: "", `[1700000060,1,0.4,0.5,1.5,10]`: "High",
		`[1700000060,2.1,2,0.5,1.5,10]`: "Open", `[1700000060,0.4,2,0.5,1.5,10]`: "Open",
		`[1700000060,1,2,0.5,2.1,10]`: "Close", `[1700000060,1,2,0.5,0.4,10]`: "Close",
	} {
		server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[[1700000000,1,2,0.5,1.5,10],`+row+`]}}}`)
		})
		c := client(t, server.URL, "")
		page, err := c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute})
		require.Len(t, page.Items, 2, row)
		if wrong == "" {
			require.NoError(t, err, row)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, row)
		require.ErrorContains(t, err, "Candle."+wrong, row)
	}
}

// TestUnknownPrices: a pool in which nothing is traded has null for its prices and its reserve, which is not
// 0; one that is missing is not said.
func TestUnknownPrices(t *testing.T) {
	members := []string{"reserve_in_usd", "base_token_price_usd", "quote_token_price_usd", "base_token_price_native_currency"}
	pool := func(change string) (*onchaindata.Pool, error) {
		c, _ := carriedClient(t, onchaindata.Config{Options: wiretest.Once()}, answer{Status: http.StatusOK, Body: `{"data":{"id":"n_a","type":"pool","attributes":{` +
			`"address":"a",` + change + `}}}`})
		return c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{})
	}
	for _, name := range members {
		said := `"` + name + `":"1"`
		p, err := pool(strings.Replace(poolNumbers, said, `"`+name+`":null`, 1))
		require.NoError(t, err, name)
		got := map[string]walletfi.Decimal{
			"reserve_in_usd": p.ReserveUSD, "base_token_price_usd": p.BaseTokenPriceUSD,
			"quote_token_price_usd": p.QuoteTokenPriceUSD, "base_token_price_native_currency": p.BaseTokenPriceInNative,
		}
		for _, other := range members {
			require.Equal(t, other == name, got[other].IsZero(), other)
			require.Equal(t, other != name, got[other].Valid(), other)
		}
		for _, wrong := range []string{`"x":1`, `"` + name + `":""`, `"` + name + `":"-1"`, `"` + name + `":"NaN"`} {
			_, err := pool(strings.Replace(poolNumbers, said, wrong, 1))
			require.ErrorIs(t, err, walletfi.ErrDecode, wrong)
		}
	}
	p, err := pool(poolNumbers + `,"fdv_usd":-1,"market_cap_usd":"-0.5"`)
	require.NoError(t, err)
	require.True(t, p.FDVUSD.IsZero() && p.MarketCapUSD.IsZero(), "what no value can be is none")
}

// TestUnknownBuyers: how many wallets made the transactions need not be known. How many
// transactions there were is.
func TestUnknownBuyers(t *testing.T) {
	count := func(name, value string) (*onchaindata.Pool, error) {
		said := `{"buys":1,"sells":2,"buyers":3,"sellers":4}`
		said = regexp.MustCompile(`"`+name+`":\d,?`).ReplaceAllString(said, value)
		c, _ := carriedClient(t, onchaindata.Config{Options: wiretest.Once()}, answer{Status: http.StatusOK, Body: `{"data":{"id":"n_a","type":"pool","attributes":{` +
			`"address":"a",` + poolNumbers + `,"transactions":{"h1":` + strings.Replace(said, ",}", "}", 1) + `}}}}`})
		return c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{})
	}
	for _, name := range []string{"buyers", "sellers"} {
		p, err := count(name, `"`+name+`":null,`)
		require.NoError(t, err, name)
		h1 := p.Transactions.H1
		require.Equal(t, []bool{name == "buyers", name == "sellers"}, []bool{h1.Buyers == nil, h1.Sellers == nil})
		require.Equal(t, []int{1, 2}, []int{h1.Buys, h1.Sells})
		for _, wrong := range []string{``, `"` + name + `":"",`, `"` + name + `":-1,`, `"` + name + `":"six",`, `"` + name + `":6.5,`} {
			require.ErrorIs(t, wiretest.Error(count(name, wrong)), walletfi.ErrDecode, name+" "+wrong)
		}
	}
	require.ErrorIs(t, wiretest.Error(count("buys", `"buys":null,`)), walletfi.ErrDecode)
}

// TestNullData: a list without a record may be null, and a record may not.
func TestNullData(t *testing.T) {
	c, _ := carriedClient(t, onchaindata.Config{Options: wiretest.Once()}, answer{Status: http.StatusOK, Body: `{"data":null}`})
	pools, err := c.ListTopPools(t.Context(), "n", onchaindata.TopPoolsRequest{})
	require.NoError(t, err)
	require.Empty(t, pools.Items)
	dexes, err := c.ListDEXes(t.Context(), "n", onchaindata.DEXesRequest{})
	require.NoError(t, err)
	require.Empty(t, dexes.Items)
	require.ErrorIs(t, wiretest.Error(c.GetPool(t.Context(), "n", "a", onchaindata.PoolRequest{})), walletfi.ErrDecode)
	require.ErrorIs(t, wiretest.Error(c.GetToken(t.Context(), "n", "a", onchaindata.TokenRequest{})), walletfi.ErrDecode)
}
