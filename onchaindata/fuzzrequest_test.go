package onchaindata_test

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// FuzzAddresses: what an address is called never leaves its place between the
// commas.
func FuzzAddresses(f *testing.F) {
	f.Add("solana", "So1", "US1")
	f.Add("../pools", "a,b", "..")
	f.Add("a/b?c=d#e%2f", "%2c", "x\x00\xff")
	f.Add("n", "0xAb", "0xaB")
	f.Fuzz(func(t *testing.T, network, first, second string) {
		c, wire := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[]}`})
		batch, err := c.GetPools(t.Context(), network, []string{first, second}, onchaindata.PoolsRequest{})
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		require.Equal(t, []string{first, second}, batch.NotFound)
		sent := wire.Seen[0].URL
		asked := url.PathEscape(first) + "," + url.PathEscape(second)
		if strings.EqualFold(first, second) && !strings.HasSuffix(sent.EscapedPath(), asked) {
			asked = url.PathEscape(first)
		}
		require.Equal(t, prefix+"/networks/"+url.PathEscape(network)+"/pools/multi/"+asked, sent.EscapedPath())
		require.Empty(t, sent.RawQuery)
	})
}

// FuzzCandlesRequest: the query says what the request did.
func FuzzCandlesRequest(f *testing.F) {
	f.Add("minute", 5, int64(1_700_000_000), 1000, "usd")
	f.Add("day", 4, int64(-1), 0, "")
	f.Add("", 0, int64(0), 1001, "eur")
	f.Add("hour", 1, int64(1_700_000_000), 0, "")
	f.Add("day", 1, int64(1_700_000_000), 1, "token")
	f.Fuzz(func(t *testing.T, timeframe string, aggregate int, before int64, limit int, currency string) {
		c, wire := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[]}`})
		_, err := c.ListPoolCandles(t.Context(), "n", "a", onchaindata.CandlesRequest{
			Timeframe: onchaindata.Timeframe(timeframe), Aggregate: new(aggregate), Before: time.Unix(before, 0), Limit: new(limit), Currency: onchaindata.Currency(currency),
		})
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		q := wire.Seen[0].URL.Query()
		require.Equal(t, prefix+"/networks/n/pools/a/ohlcv/"+timeframe, wire.Seen[0].URL.Path)
		require.Equal(t, currency, q.Get("currency"))
		require.Equal(t, strconv.Itoa(aggregate), q.Get("aggregate"))
		require.Equal(t, strconv.Itoa(limit), q.Get("limit"), "an explicit zero is sent too, where it is allowed")
		require.Equal(t, !time.Unix(before, 0).IsZero(), q.Has("before_timestamp"))
	})
}
