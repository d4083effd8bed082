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
	wiretest.AllRefused(t, map[string]error{
		"prices of nothing: addresses": wiretest.Error(
			c.GetTokenPrices(ctx, "solana", nil, onchaindata.TokenPricesRequest{})),
		"prices of no network: network": wiretest.Error(
			c.GetTokenPrices(ctx, "", []string{"a"}, onchaindata.TokenPricesRequest{})),
		"two addresses in one: addresses[1]": wiretest.Error(
			c.GetTokenPrices(ctx, "solana", []string{"a", "b,c"}, onchaindata.TokenPricesRequest{})),
		"token of no address: address": wiretest.Error(c.GetToken(ctx, "solana", "", onchaindata.TokenRequest{})),
		"token out of place: network":  wiretest.Error(c.GetToken(ctx, "..", "a", onchaindata.TokenRequest{})),
		"token with a pool's company: include[0]": wiretest.Error(
			c.GetToken(ctx, "solana", "a", onchaindata.TokenRequest{Include: []onchaindata.TokenInclude{"dex"}})),
		"no tokens: addresses": wiretest.Error(c.GetTokens(ctx, "solana", nil, onchaindata.TokensRequest{})),
		"tokens, a bad one last: addresses[70], include[0]": wiretest.Error(
			c.GetTokens(ctx, "solana", append(addresses(70), ""), onchaindata.TokensRequest{Include: []onchaindata.TokenInclude{"x"}})),
		"tokens of no network: network": wiretest.Error(c.GetTokens(ctx, "", []string{"a"}, onchaindata.TokensRequest{})),
		"pool of no address: address":   wiretest.Error(c.GetPool(ctx, "solana", "", onchaindata.PoolRequest{})),
		"pool with a token's pools: include[1]": wiretest.Error(
			c.GetPool(ctx, "solana", "a", onchaindata.PoolRequest{Include: wrong})),
		"no pools: addresses": wiretest.Error(c.GetPools(ctx, "solana", nil, onchaindata.PoolsRequest{})),
		"pools: addresses[0], include[1]": wiretest.Error(
			c.GetPools(ctx, "solana", []string{"../x"}, onchaindata.PoolsRequest{Include: wrong})),
		"top pools: include[1], page": wiretest.Error(
			c.ListTopPools(ctx, "solana", onchaindata.TopPoolsRequest{Include: wrong, Page: new(-1)})),
		"trending pools: duration, include[1], page": wiretest.Error(
			c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{Include: wrong, Page: new(11), Duration: "2h"})),
		"trending pools of a network: duration, page": wiretest.Error(
			c.ListNetworkTrendingPools(ctx, "solana", onchaindata.TrendingPoolsRequest{Page: new(11), Duration: "1d"})),
		"new pools: page": wiretest.Error(c.ListNewPools(ctx, "solana", onchaindata.NewPoolsRequest{Page: new(11)})),
		"an empty search: include[1], page, query": wiretest.Error(
			c.SearchPools(ctx, onchaindata.SearchPoolsRequest{Query: new(""), Include: wrong, Page: new(11)})),
		"a blank search: query": wiretest.Error(c.SearchPools(ctx, onchaindata.SearchPoolsRequest{Query: new(" ")})),
		"a filter: dexes[0], max_h24_volume_usd, min_h24_tx_count, min_reserve_in_usd, networks[0], page": wiretest.Error(c.FilterPools(ctx, onchaindata.FilterPoolsRequest{
			Networks: []string{""}, DEXes: []string{"a,b"}, Page: new(11), MinTransactions24h: new(-1),
			MinReserveUSD: wiretest.Decimal(t, "-1"), MinVolumeUSD24h: wiretest.Decimal(t, "2"), MaxVolumeUSD24h: wiretest.Decimal(t, "1.99"),
		})),
		"a filter below zero: max_h24_volume_usd, max_reserve_in_usd, max_reserve_in_usd, min_h24_volume_usd": wiretest.Error(
			c.FilterPools(ctx, onchaindata.FilterPoolsRequest{MaxReserveUSD: wiretest.Decimal(t, "-1"), MinVolumeUSD24h: wiretest.Decimal(t, "-1"), MaxVolumeUSD24h: wiretest.Decimal(t, "-1")})),
		"trades of less than nothing: trade_volume_in_usd_greater_than": wiretest.Error(
			c.ListTrades(ctx, "solana", "P", onchaindata.TradesRequest{MinVolumeUSD: wiretest.Decimal(t, "-0.1")})),
		"trades of no pool: pool_address": wiretest.Error(c.ListTrades(ctx, "solana", "", onchaindata.TradesRequest{})),
		"networks: page":                  wiretest.Error(c.ListNetworks(ctx, onchaindata.NetworksRequest{Page: new(11)})),
		"DEXes: page":                     wiretest.Error(c.ListDEXes(ctx, "solana", onchaindata.DEXesRequest{Page: new(-1)})),
		"the client's own header: header": wiretest.Error(
			c.ListNetworks(ctx, onchaindata.NetworksRequest{}, walletfi.WithHeader("x-demo-api-key", "k"))),
	})
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
				require.NoError(t, wiretest.Error(reached.ListTokenCandles(t.Context(), "solana", "a", req)))
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
