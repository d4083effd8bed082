package onchaindata_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

func TestRequestsRefused(t *testing.T) {
	ctx := t.Context()
	c := unreachable(t, onchaindata.TierDemo)
	wrong := []onchaindata.PoolInclude{"base_token", "top_pools"}
	for name, row := range map[string]struct {
		call func() error
		want []string
	}{
		"prices of nothing": {func() error {
			_, err := c.GetTokenPrices(ctx, "solana", nil, onchaindata.TokenPricesRequest{})
			return err
		}, []string{"addresses"}},
		"prices of no network": {func() error {
			_, err := c.GetTokenPrices(ctx, "", []string{"a"}, onchaindata.TokenPricesRequest{})
			return err
		}, []string{"network"}},
		"two addresses in one": {func() error {
			_, err := c.GetTokenPrices(ctx, "solana", []string{"a", "b,c"}, onchaindata.TokenPricesRequest{})
			return err
		}, []string{"addresses[1]"}},
		"token of no address": {func() error { _, err := c.GetToken(ctx, "solana", "", onchaindata.TokenRequest{}); return err }, []string{"address"}},
		"token out of place":  {func() error { _, err := c.GetToken(ctx, "..", "a", onchaindata.TokenRequest{}); return err }, []string{"network"}},
		"token with a pool's company": {func() error {
			_, err := c.GetToken(ctx, "solana", "a", onchaindata.TokenRequest{Include: []onchaindata.TokenInclude{"dex"}})
			return err
		}, []string{"include[0]"}},
		"no tokens": {func() error { _, err := c.GetTokens(ctx, "solana", nil, onchaindata.TokensRequest{}); return err }, []string{"addresses"}},
		"tokens, a bad one last": {func() error {
			_, err := c.GetTokens(ctx, "solana", append(addresses(70), ""), onchaindata.TokensRequest{Include: []onchaindata.TokenInclude{"x"}})
			return err
		}, []string{"addresses[70]", "include[0]"}},
		"tokens of no network": {func() error {
			_, err := c.GetTokens(ctx, "", []string{"a"}, onchaindata.TokensRequest{})
			return err
		}, []string{"network"}},
		"pool of no address": {func() error { _, err := c.GetPool(ctx, "solana", "", onchaindata.PoolRequest{}); return err }, []string{"address"}},
		"pool with a token's pools": {func() error {
			_, err := c.GetPool(ctx, "solana", "a", onchaindata.PoolRequest{Include: wrong})
			return err
		}, []string{"include[1]"}},
		"no pools": {func() error { _, err := c.GetPools(ctx, "solana", nil, onchaindata.PoolsRequest{}); return err }, []string{"addresses"}},
		"pools": {func() error {
			_, err := c.GetPools(ctx, "solana", []string{"../x"}, onchaindata.PoolsRequest{Include: wrong})
			return err
		}, []string{"addresses[0]", "include[1]"}},
		"top pools": {func() error {
			_, err := c.ListTopPools(ctx, "solana", onchaindata.TopPoolsRequest{Include: wrong, Page: new(-1)})
			return err
		}, []string{"include[1]", "page"}},
		"trending pools": {func() error {
			_, err := c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{Include: wrong, Page: new(11), Duration: "2h"})
			return err
		}, []string{"duration", "include[1]", "page"}},
		"trending pools of a network": {func() error {
			_, err := c.ListNetworkTrendingPools(ctx, "solana", onchaindata.TrendingPoolsRequest{Page: new(11), Duration: "1d"})
			return err
		}, []string{"duration", "page"}},
		"new pools": {func() error {
			_, err := c.ListNewPools(ctx, "solana", onchaindata.NewPoolsRequest{Page: new(11)})
			return err
		}, []string{"page"}},
		"an empty search": {func() error {
			_, err := c.SearchPools(ctx, onchaindata.SearchPoolsRequest{Query: new(""), Include: wrong, Page: new(11)})
			return err
		}, []string{"include[1]", "page", "query"}},
		"a blank search": {func() error {
			_, err := c.SearchPools(ctx, onchaindata.SearchPoolsRequest{Query: new(" ")})
			return err
		}, []string{"query"}},
		"a filter": {func() error {
			_, err := c.FilterPools(ctx, onchaindata.FilterPoolsRequest{
				Networks: []string{""}, DEXes: []string{"a,b"}, Page: new(11), MinTransactions24h: new(-1),
				MinReserveUSD: wiretest.Decimal(t, "-1"), MinVolumeUSD24h: wiretest.Decimal(t, "2"), MaxVolumeUSD24h: wiretest.Decimal(t, "1.99"),
			})
			return err
		}, []string{"dexes[0]", "max_h24_volume_usd", "min_h24_tx_count", "min_reserve_in_usd", "networks[0]", "page"}},
		"a filter below zero": {func() error {
			_, err := c.FilterPools(ctx, onchaindata.FilterPoolsRequest{MaxReserveUSD: wiretest.Decimal(t, "-1"), MinVolumeUSD24h: wiretest.Decimal(t, "-1"), MaxVolumeUSD24h: wiretest.Decimal(t, "-1")})
			return err
		}, []string{"max_h24_volume_usd", "max_reserve_in_usd", "max_reserve_in_usd", "min_h24_volume_usd"}},
		"trades of less than nothing": {func() error {
			_, err := c.ListTrades(ctx, "solana", "P", onchaindata.TradesRequest{MinVolumeUSD: wiretest.Decimal(t, "-0.1")})
			return err
		}, []string{"trade_volume_in_usd_greater_than"}},
		"trades of no pool": {func() error { _, err := c.ListTrades(ctx, "solana", "", onchaindata.TradesRequest{}); return err }, []string{"pool_address"}},
		"networks":          {func() error { _, err := c.ListNetworks(ctx, onchaindata.NetworksRequest{Page: new(11)}); return err }, []string{"page"}},
		"DEXes": {func() error {
			_, err := c.ListDEXes(ctx, "solana", onchaindata.DEXesRequest{Page: new(-1)})
			return err
		}, []string{"page"}},
		"the client's own header": {func() error {
			_, err := c.ListNetworks(ctx, onchaindata.NetworksRequest{}, walletfi.WithHeader("x-demo-api-key", "k"))
			return err
		}, []string{"header"}},
	} {
		t.Run(name, func(t *testing.T) { wiretest.Refused(t, row.call(), row.want...) })
	}
}

// TestCandleRequests walks every timeframe with every aggregate.
func TestCandleRequests(t *testing.T) {
	c := unreachable(t, onchaindata.TierPro)
	reached, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[]}`})
	allowed := map[onchaindata.Timeframe][]int{"minute": {1, 5, 15}, "hour": {1, 4, 12}, "day": {1}}
	for timeframe, lengths := range allowed {
		good := map[int]bool{}
		for _, n := range lengths {
			good[n] = true
		}
		for n := -1; n <= 60; n++ {
			req := onchaindata.CandlesRequest{Timeframe: timeframe, Aggregate: new(n)}
			if good[n] {
				_, err := reached.ListTokenCandles(t.Context(), "solana", "a", req)
				require.NoError(t, err)
				continue
			}
			_, err := c.ListPoolCandles(t.Context(), "solana", "a", req)
			wiretest.Refused(t, err, "aggregate")
		}
	}
	for _, row := range []struct {
		req  onchaindata.CandlesRequest
		want []string
	}{
		{onchaindata.CandlesRequest{}, []string{"timeframe"}},
		{onchaindata.CandlesRequest{Timeframe: "week", Aggregate: new(7)}, []string{"timeframe"}},
		{onchaindata.CandlesRequest{Timeframe: "day", Limit: new(1001), Currency: "eur"}, []string{"currency", "limit"}},
		{onchaindata.CandlesRequest{Timeframe: "day", Limit: new(-1), Before: time.Unix(-1, 0)}, []string{"before_timestamp", "limit"}},
	} {
		_, err := c.ListPoolCandles(t.Context(), "solana", "a", row.req)
		wiretest.Refused(t, err, row.want...)
		_, err = c.ListTokenCandles(t.Context(), "solana", "a", row.req)
		wiretest.Refused(t, err, row.want...)
		for _, err := range wiretest.Some(t, c.AllPoolCandles(t.Context(), "solana", "a", row.req)) {
			wiretest.Refused(t, err, row.want...)
		}
	}
	for _, limit := range []int{0, 1, 1000} {
		_, err := reached.ListPoolCandles(t.Context(), "solana", "a", onchaindata.CandlesRequest{Timeframe: "day", Limit: new(limit), Before: time.Unix(0, 0)})
		require.NoError(t, err)
	}
	_, err := c.ListPoolCandles(t.Context(), "solana", "", onchaindata.CandlesRequest{Timeframe: "day"})
	wiretest.Refused(t, err, "pool_address")
	_, err = c.ListTokenCandles(t.Context(), "solana", "", onchaindata.CandlesRequest{Timeframe: "day"})
	wiretest.Refused(t, err, "token_address")
}
