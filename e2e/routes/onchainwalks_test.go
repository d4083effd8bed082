package routes

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onchainWalks holds each iterator over pools to its list: more pools than one
// page has, or as many as it has if it is not full.
func onchainWalks(t *testing.T, c *onchaindata.Client) {
	ctx := t.Context()
	for name, walk := range map[string]struct {
		all iter.Seq2[onchaindata.Pool, error]
		one func() (*onchaindata.PoolPage, error)
	}{
		"trending": {
			c.AllTrendingPools(ctx, onchaindata.TrendingPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{})
			},
		},
		"of a network": {
			c.AllNetworkTrendingPools(ctx, "eth", onchaindata.TrendingPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListNetworkTrendingPools(ctx, "eth", onchaindata.TrendingPoolsRequest{})
			},
		},
		"new": {
			c.AllNewPools(ctx, onchainNetwork, onchaindata.NewPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListNewPools(ctx, onchainNetwork, onchaindata.NewPoolsRequest{})
			},
		},
		"search": {
			c.AllSearchPools(ctx, onchaindata.SearchPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) { return c.SearchPools(ctx, onchaindata.SearchPoolsRequest{}) },
		},
		"filter": {
			c.AllFilterPools(ctx, onchaindata.FilterPoolsRequest{Networks: []string{"eth", "base"}}),
			func() (*onchaindata.PoolPage, error) {
				return c.FilterPools(ctx, onchaindata.FilterPoolsRequest{Networks: []string{"eth", "base"}})
			},
		},
	} {
		page, err := walk.one()
		require.NoError(t, err, name)
		ids := map[string]bool{}
		for pool, err := range walk.all {
			require.NoError(t, err, name)
			require.False(t, ids[pool.ID], "%s: %s comes twice", name, pool.ID)
			ids[pool.ID] = true
			if len(ids) == 2*onchaindata.PageSize {
				break
			}
		}
		require.GreaterOrEqual(t, len(ids), len(page.Items), name)
		require.Equal(t, len(page.Items) == onchaindata.PageSize, len(ids) >= onchaindata.PageSize, name)
	}
}

// onchainTopPool finds the deepest pool of the ledger's coin.
func onchainTopPool(t *testing.T, c *onchaindata.Client) onchaindata.Pool {
	page, err := c.ListTopPools(t.Context(), onchainNetwork, onchaindata.TopPoolsRequest{
		Include: []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeQuoteToken, onchaindata.IncludeDEX},
		Sort:    "reserve_in_usd_desc",
	})
	require.NoError(t, err)
	require.Len(t, page.Items, onchaindata.PageSize)
	at := slices.IndexFunc(page.Items, func(p onchaindata.Pool) bool { return p.Name == "SOL / USDC" })
	require.GreaterOrEqual(t, at, 0)
	return page.Items[at]
}

func onchainPools(t *testing.T, s *sandbox.Sandbox, c *onchaindata.Client, deep onchaindata.Pool) {
	ctx := t.Context()
	p, err := c.GetPool(ctx, onchainNetwork, deep.Address, onchaindata.PoolRequest{
		Include:         []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeQuoteToken, onchaindata.IncludeDEX},
		VolumeBreakdown: new(true), Composition: new(true),
	})
	require.NoError(t, err)
	require.Equal(t, onchainNetwork+"_"+deep.Address, p.ID)
	require.Equal(t, s.Mint("SOL"), p.BaseToken.Address)
	require.Equal(t, 9, *p.BaseToken.Decimals)
	require.Equal(t, s.Mint("USDC"), p.QuoteToken.Address)
	require.Equal(t, &onchaindata.DEX{ID: "atlas", Name: "Atlas"}, p.DEX)
	require.InDelta(t, 150, p.BaseTokenPriceUSD.Float64(), 10)
	require.InDelta(t, 1, p.QuoteTokenPriceUSD.Float64(), 0.01)
	require.Equal(t, 0, p.BaseTokenPriceInNative.Cmp(onchainDecimal(t, "1")), "it is the network's own coin")
	require.Contains(t, string(p.Raw), "buy_volume_usd")
	require.Contains(t, string(p.Raw), "base_token_balance")
	require.True(t, p.CreatedAt.Before(time.Now().AddDate(0, -1, 0)))
	onchainGrows(t, p)

	batch, err := c.GetPools(ctx, onchainNetwork, []string{"nothing", deep.Address}, onchaindata.PoolsRequest{Include: []onchaindata.PoolInclude{onchaindata.IncludeQuoteToken}})
	require.NoError(t, err)
	require.Equal(t, []string{"nothing"}, batch.NotFound)
	require.Len(t, batch.Pools, 1)
	require.Equal(t, "USDC", batch.Pools[0].QuoteToken.Symbol)
	require.Nil(t, batch.Pools[0].BaseToken)
}

// onchainGrows checks that a longer period holds no less than a shorter one.
func onchainGrows(t *testing.T, p *onchaindata.Pool) {
	volumes := []walletfi.Decimal{p.VolumeUSD.M5, p.VolumeUSD.H1, p.VolumeUSD.H6, p.VolumeUSD.H24}
	require.True(t, slices.IsSortedFunc(volumes, walletfi.Decimal.Cmp), "%v", volumes)
	require.Equal(t, 1, p.VolumeUSD.H24.Sign())
	counts := []*onchaindata.TransactionCount{p.Transactions.M5, p.Transactions.M15, p.Transactions.M30, p.Transactions.H1, p.Transactions.H24}
	require.True(t, slices.IsSortedFunc(counts, func(a, b *onchaindata.TransactionCount) int { return a.Buys + a.Sells - b.Buys - b.Sells }))
	require.Greater(t, p.Transactions.H24.Buys, *p.Transactions.H24.Buyers)
	require.Positive(t, *p.Transactions.H24.Sellers)
}

func onchainTokens(t *testing.T, s *sandbox.Sandbox, c *onchaindata.Client, deep onchaindata.Pool) {
	ctx, sol, dust := t.Context(), s.Mint("SOL"), s.Mint("DUST")
	token, err := c.GetToken(ctx, onchainNetwork, sol, onchaindata.TokenRequest{
		Include: []onchaindata.TokenInclude{onchaindata.IncludeTopPools}, Composition: new(true), InactiveSource: new(true),
	})
	require.NoError(t, err)
	require.Equal(t, "SOL", token.Symbol)
	require.Equal(t, "92.66", token.Score.String())
	require.Len(t, token.TopPools, 3)
	require.Equal(t, deep.ID, token.TopPools[0].ID)
	require.Equal(t, 0, token.PriceUSD.Cmp(token.TopPools[0].BaseTokenPriceUSD), "of one moment")

	var many []string
	for range onchaindata.ProTokens { // more than one request takes
		many = append(many, "nothing"+string(rune('a'+len(many)%26))+string(rune('a'+len(many)/26)))
	}
	batch, err := c.GetTokens(ctx, onchainNetwork, slices.Concat([]string{dust}, many, []string{sol}), onchaindata.TokensRequest{Include: []onchaindata.TokenInclude{onchaindata.IncludeTopPools}})
	require.NoError(t, err)
	require.Equal(t, many, batch.NotFound)
	require.Len(t, batch.Tokens, 2)
	require.Equal(t, dust, batch.Tokens[0].Address)
	require.Equal(t, sol, batch.Tokens[1].Address)
	require.True(t, batch.Tokens[0].MarketCapUSD.IsZero(), "nobody has verified it")
	require.Greater(t, len(batch.Tokens[0].PriceUSD.String()), 50, "every digit")

	prices, err := c.GetTokenPrices(ctx, onchainNetwork, []string{sol, dust, "nothing"}, onchaindata.TokenPricesRequest{
		MarketCap: new(true), FDVForCap: new(true), Volume24h: new(true), PriceChange24h: new(true), TotalReserve: new(true),
	})
	require.NoError(t, err)
	price, ok := prices.For(dust)
	require.True(t, ok)
	require.InDelta(t, 1e12*price.PriceUSD.Float64(), price.MarketCapUSD.Float64(), 1, "the whole supply, in its stead")
	require.Equal(t, 1, price.VolumeUSD24h.Sign())
	require.Equal(t, 1, price.TotalReserveUSD.Sign())
	require.False(t, price.PriceChange24h.IsZero())
	_, ok = prices.For("nothing")
	require.False(t, ok)
}

func onchainFinds(t *testing.T, c *onchaindata.Client) {
	ctx := t.Context()
	trending, err := c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{Duration: onchaindata.Trend1h, CommunityData: new(true)})
	require.NoError(t, err)
	require.Len(t, trending.Items, onchaindata.PageSize)
	require.NotNil(t, trending.Items[0].BaseToken, "which comes unasked")
	require.Contains(t, string(trending.Items[0].Raw), "sentiment_vote_positive_percentage")
	evm, err := c.ListNetworkTrendingPools(ctx, "eth", onchaindata.TrendingPoolsRequest{Include: []onchaindata.PoolInclude{onchaindata.IncludeDEX}})
	require.NoError(t, err)
	require.Len(t, evm.Items, 5)
	require.NotNil(t, evm.Items[0].DEX)

	young, err := c.ListNewPools(ctx, onchainNetwork, onchaindata.NewPoolsRequest{})
	require.NoError(t, err)
	require.True(t, slices.IsSortedFunc(young.Items, func(a, b onchaindata.Pool) int { return b.CreatedAt.Compare(a.CreatedAt.Time) }))
	require.Len(t, young.Items, onchaindata.PageSize)

	found, err := c.SearchPools(ctx, onchaindata.SearchPoolsRequest{})
	require.NoError(t, err)
	require.Len(t, found.Items, 6)
	for _, p := range found.Items {
		require.Contains(t, p.Name, "WETH")
	}
	none, err := c.SearchPools(ctx, onchaindata.SearchPoolsRequest{Query: new("no such thing"), Network: "base"})
	require.NoError(t, err)
	require.Empty(t, none.Items)

	deep, err := c.FilterPools(ctx, onchaindata.FilterPoolsRequest{
		Networks: []string{"eth", "base"}, DEXes: []string{"pavilion_v3", "skiff"}, Sort: "h24_volume_usd_desc",
		MinReserveUSD: onchainDecimal(t, "1000000"), MinVolumeUSD24h: onchainDecimal(t, "1"), MinTransactions24h: new(10),
	})
	require.NoError(t, err)
	require.Len(t, deep.Items, 4)
	require.True(t, slices.IsSortedFunc(deep.Items, func(a, b onchaindata.Pool) int { return b.VolumeUSD.H24.Cmp(a.VolumeUSD.H24) }))
}

// onchainTrades checks the candles of the minutes that are over against the
// trades that they are made of.
func onchainTrades(t *testing.T, c *onchaindata.Client, deep onchaindata.Pool) {
	ctx := t.Context()
	list, err := c.ListTrades(ctx, onchainNetwork, deep.Address, onchaindata.TradesRequest{})
	require.NoError(t, err)
	require.Len(t, list.Items, onchaindata.MaxTrades)
	require.True(t, list.Full)
	large, err := c.ListTrades(ctx, onchainNetwork, deep.Address, onchaindata.TradesRequest{MinVolumeUSD: onchainDecimal(t, "10000")})
	require.NoError(t, err)
	for _, trade := range large.Items {
		require.Equal(t, 1, trade.VolumeUSD.Cmp(onchainDecimal(t, "10000")))
	}
	candles, err := c.ListPoolCandles(ctx, onchainNetwork, deep.Address, onchaindata.CandlesRequest{
		Timeframe: onchaindata.TimeframeMinute, Aggregate: new(5), Before: list.Items[0].Timestamp.Truncate(5 * time.Minute), Limit: new(20), Currency: onchaindata.CurrencyUSD,
	})
	require.NoError(t, err)
	require.Len(t, candles.Items, 20)
	checked := 0
	for _, candle := range candles.Items {
		var within []walletfi.Decimal // last one first
		for _, trade := range list.Items {
			if trade.Timestamp.Truncate(5 * time.Minute).Equal(candle.Timestamp.Time) {
				price := trade.PriceToUSD
				if trade.Kind == onchaindata.TradeSell {
					price = trade.PriceFromUSD
				}
				within = append(within, price)
			}
		}
		if !candle.Timestamp.Before(list.Items[0].Timestamp.Truncate(5*time.Minute)) || len(within) == 0 {
			continue // not over yet, or quiet
		}
		require.Equal(t, 0, candle.Close.Cmp(within[0]))
		require.Equal(t, 0, candle.Open.Cmp(within[len(within)-1]))
		require.Equal(t, 0, candle.High.Cmp(slices.MaxFunc(within, walletfi.Decimal.Cmp)))
		require.Equal(t, 0, candle.Low.Cmp(slices.MinFunc(within, walletfi.Decimal.Cmp)))
		require.Equal(t, 1, candle.Volume.Sign())
		checked++
	}
	require.Greater(t, checked, 10)
}

func onchainRefusal(t *testing.T, c *onchaindata.Client) {
	_, err := c.GetPool(t.Context(), onchainNetwork, "nothing", onchaindata.PoolRequest{})
	refused := wiretest.As[*onchaindata.Error](t, err, "in either shape, and under a status of 200 too")
	require.Contains(t, refused.Message, "not found")
}

// onchainPages reads every page that each tier gives.
func onchainPages(t *testing.T, c, pro *onchaindata.Client) {
	ctx := t.Context()
	count := func(c *onchaindata.Client) (n int, last error) {
		for pool, err := range c.AllTopPools(ctx, onchainNetwork, onchaindata.TopPoolsRequest{Sort: "pool_created_at_desc"}) {
			if err != nil {
				return n, err
			}
			require.NotEmpty(t, pool.Address)
			n++
		}
		return n, nil
	}
	n, err := count(c)
	require.Equal(t, onchaindata.DemoPages*onchaindata.PageSize, n)
	beyond := wiretest.As[*onchaindata.PageCapError](t, err)
	require.Equal(t, onchaindata.DemoPages, beyond.Cap)
	n, err = count(pro)
	require.NoError(t, err)
	require.Equal(t, 237, n)
}

// onchainHistory walks back through all candles, of the pool and of the token.
func onchainHistory(t *testing.T, c *onchaindata.Client, deep onchaindata.Pool) {
	req := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeHour, Limit: new(300)}
	type walk func(context.Context, string, string, onchaindata.CandlesRequest, ...walletfi.CallOption) iter.Seq2[onchaindata.Candle, error]
	for address, all := range map[string]walk{deep.Address: c.AllPoolCandles, deep.BaseToken.Address: c.AllTokenCandles} {
		n, before := 0, time.Now().Add(time.Hour)
		for candle, err := range all(t.Context(), onchainNetwork, address, req) {
			require.NoError(t, err)
			require.True(t, candle.Timestamp.Before(before), "newest first, none twice")
			before, n = candle.Timestamp.Time, n+1
		}
		require.InDelta(t, 24*60, n, 1, "every hour of sixty days")
	}
}

func onchainDecimal(t *testing.T, text string) walletfi.Decimal {
	t.Helper()
	d, err := walletfi.NewDecimal(text)
	require.NoError(t, err)
	return d
}
