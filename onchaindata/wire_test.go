package onchaindata_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// key: one header carries it, and no other does.
var key = map[string]string{"x-demo-api-key": "k-123456", "x-pro-api-key": "", "Authorization": ""}

// longest has 70 digits behind the point.
const longest = "171.230000000000000000000000000000000000000000000000000000000000000000001"

// raw returns the records of a page without their Raw, which is checked
// apart.
func raw(p onchaindata.Pool) onchaindata.Pool {
	p.Raw = nil
	for _, t := range []**onchaindata.Token{&p.BaseToken, &p.QuoteToken} {
		if *t != nil {
			*t = new(**t)
			(*t).Raw = nil
		}
	}
	return p
}

// whole are pools with the numbers that the answers under testdata have where nothing hangs
// on them.
func whole(pools ...onchaindata.Pool) []onchaindata.Pool {
	one, _ := walletfi.NewDecimal("1")
	for i := range pools {
		p := &pools[i]
		for _, n := range []*walletfi.Decimal{&p.ReserveUSD, &p.BaseTokenPriceUSD, &p.QuoteTokenPriceUSD, &p.BaseTokenPriceInNative} {
			if n.IsZero() {
				*n = one
			}
		}
	}
	return pools
}

func rawless(pools []onchaindata.Pool) []onchaindata.Pool {
	list := make([]onchaindata.Pool, len(pools))
	for i, p := range pools {
		list[i] = raw(p)
	}
	return list
}

func TestWireTokens(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(demo, (*onchaindata.Client).GetTokenPrices,
			"solana", []string{"So1", "US1", "a", "So1"}, onchaindata.TokenPricesRequest{
				MarketCap: new(true), FDVForCap: new(true), Volume24h: new(true), PriceChange24h: new(true), TotalReserve: new(true),
			}),
		Method: "GET", Header: key,
		Target: prefix + "/simple/networks/solana/token_price/So1,US1,a?include_24hr_price_change=true&include_24hr_vol=true" +
			"&include_market_cap=true&include_total_reserve_in_usd=true&mcap_fdv_fallback=true",
		File: "GetTokenPrices.json",
		Then: func(t *testing.T, result any) {
			p := result.(*onchaindata.TokenPrices)
			require.Equal(t, &onchaindata.TokenPrices{
				ID: "d1", PriceUSD: map[string]walletfi.Decimal{"So1": wiretest.Decimal(t, longest), "US1": wiretest.Decimal(t, "1.0001"), "0xABc": wiretest.Decimal(t, "0")},
				MarketCapUSD: map[string]walletfi.Decimal{"So1": wiretest.Decimal(t, "81000000000.5"), "US1": {}},
				VolumeUSD24h: map[string]walletfi.Decimal{"So1": wiretest.Decimal(t, "0")}, PriceChange24h: map[string]walletfi.Decimal{"So1": wiretest.Decimal(t, "-3.5")},
				TotalReserveUSD: map[string]walletfi.Decimal{"So1": wiretest.Decimal(t, "1")},
				LastTradeAt:     map[string]walletfi.Time{"So1": unix(1700000000), "US1": unix(1700000001)},
			}, p)
			one, ok := p.For("So1")
			require.True(t, ok)
			require.Equal(t, onchaindata.TokenPrice{
				PriceUSD: wiretest.Decimal(t, longest), MarketCapUSD: wiretest.Decimal(t, "81000000000.5"), VolumeUSD24h: wiretest.Decimal(t, "0"),
				PriceChange24h: wiretest.Decimal(t, "-3.5"), TotalReserveUSD: wiretest.Decimal(t, "1"), LastTradeAt: unix(1700000000),
			}, one)
			hexadecimal, ok := p.For("0XabC")
			require.True(t, ok, "a price of 0 is a price")
			require.Zero(t, hexadecimal.PriceUSD.Sign())
			for _, none := range []string{"Nul", "so1", "absent"} {
				_, ok = p.For(none)
				require.False(t, ok, none)
			}
		},
	}, {
		Name: "GetTokenPrices, least, and addresses escaped",
		Call: wiretest.By(demo, (*onchaindata.Client).GetTokenPrices,
			"a/b", []string{"x?y", "z#é"}, onchaindata.TokenPricesRequest{}),
		Method: "GET", Target: prefix + "/simple/networks/a%2Fb/token_price/x%3Fy,z%23%C3%A9", Header: key,
		Reply: `{"data":{"id":"d","type":"simple_token_price","attributes":{"token_prices":{}}}}`, Want: &onchaindata.TokenPrices{ID: "d", PriceUSD: map[string]walletfi.Decimal{}},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).GetToken, "solana", "So1", onchaindata.TokenRequest{
			Include: []onchaindata.TokenInclude{onchaindata.IncludeTopPools}, Composition: new(true), InactiveSource: new(true),
		}),
		Method: "GET", Target: prefix + "/networks/solana/tokens/So1?include=top_pools&include_composition=true&include_inactive_source=true", Header: key,
		File: "GetToken.json",
		Then: func(t *testing.T, result any) {
			token := result.(*onchaindata.Token)
			require.Contains(t, token.Raw.String(), `"composition": {"pools": 3}`)
			require.Len(t, token.TopPools, 2)
			require.Equal(t, "P2", token.TopPools[0].Address)
			require.Equal(t, whole(onchaindata.Pool{ID: "solana_P1", Address: "P1", Name: "SOL / USDC", DEXID: "ray"})[0], raw(*token.TopPools[1]))
			token.Raw, token.TopPools = nil, nil
			require.Equal(t, &onchaindata.Token{
				ID: "solana_So1", Address: "So1", Name: "Wrapped & SOL", Symbol: "SOL", Decimals: new(9), ImageURL: "https://img.test/so1.png",
				Websites: []string{"https://sol.test", "https://two.test"}, Description: `a "coin"`, Score: wiretest.Decimal(t, "92.5"), CommunityChatURL: "https://chat.test",
				MessengerHandle: "sol", SocialHandle: "sol_s", AggregatorCoinID: "sol-coin", PriceUSD: new(wiretest.Decimal(t, "171.23")), FDVUSD: wiretest.Decimal(t, "1"),
				TotalSupply: wiretest.Decimal(t, "18446744073709551616000.0"), VolumeUSD: onchaindata.Periods{H24: wiretest.Decimal(t, "5.5")},
				PriceChange: onchaindata.Periods{H1: wiretest.Decimal(t, "0.1"), H6: wiretest.Decimal(t, "-0.2"), H24: wiretest.Decimal(t, "0")},
				TopPoolIDs:  []string{"solana_P2", "solana_P9", "solana_P1"},
			}, token)
		},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).GetTokens,
			"solana", []string{"So1", "Gone", "US1", "So1"}, onchaindata.TokensRequest{Include: []onchaindata.TokenInclude{"top_pools"}}),
		Method: "GET", Target: prefix + "/networks/solana/tokens/multi/So1,Gone,US1?include=top_pools", Header: key, File: "GetTokens.json",
		Then: func(t *testing.T, result any) {
			batch := result.(*onchaindata.TokenBatch)
			require.Equal(t, []string{"Gone"}, batch.NotFound)
			require.Len(t, batch.Tokens, 3)
			require.Equal(t, []string{"solana_So1", "solana_US1", "solana_So1"}, []string{batch.Tokens[0].ID, batch.Tokens[1].ID, batch.Tokens[2].ID})
			require.Equal(t, new(0), batch.Tokens[0].Decimals)
			require.Equal(t, new(6), batch.Tokens[1].Decimals, "a number in quotes")
			require.Equal(t, new(wiretest.Decimal(t, "1")), batch.Tokens[1].PriceUSD, "a number where a text was promised")
			require.Empty(t, batch.Unasked)
		},
	}})
}

func TestWirePools(t *testing.T) {
	everything := []onchaindata.PoolInclude{onchaindata.IncludeBaseToken, onchaindata.IncludeQuoteToken, onchaindata.IncludeDEX}
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(demo, (*onchaindata.Client).GetPool,
			"solana", "P1", onchaindata.PoolRequest{Include: everything, VolumeBreakdown: new(true), Composition: new(true)}),
		Method: "GET", Target: prefix + "/networks/solana/pools/P1?include=base_token%2Cquote_token%2Cdex&include_composition=true&include_volume_breakdown=true",
		Header: key, File: "GetPool.json",
		Then: func(t *testing.T, result any) {
			p := result.(*onchaindata.Pool)
			require.Contains(t, p.Raw.String(), `"pool_fee": "0.25"`)
			require.Equal(t, onchaindata.Pool{
				ID: "solana_P1", Address: "P1", Name: "SOL / USDC", CreatedAt: unix(1709654863), FDVUSD: wiretest.Decimal(t, "7.0000000000000000001"),
				ReserveUSD: wiretest.Decimal(t, "100"), BaseTokenPriceUSD: wiretest.Decimal(t, longest), QuoteTokenPriceUSD: wiretest.Decimal(t, "1"), BaseTokenPriceInNative: wiretest.Decimal(t, "0"),
				PriceChange: onchaindata.Periods{M5: wiretest.Decimal(t, "0.1"), H1: wiretest.Decimal(t, "-0.2"), H6: wiretest.Decimal(t, "0"), H24: wiretest.Decimal(t, "12")},
				Transactions: onchaindata.TransactionCounts{
					M5:  &onchaindata.TransactionCount{Buys: 1, Sells: 2, Buyers: new(3), Sellers: new(4)},
					M15: &onchaindata.TransactionCount{Buyers: new(0), Sellers: new(0)}, H24: &onchaindata.TransactionCount{Buys: 2147483647, Buyers: new(1), Sellers: new(0)},
				},
				VolumeUSD:   onchaindata.Periods{M5: wiretest.Decimal(t, "1"), H1: wiretest.Decimal(t, "2"), H6: wiretest.Decimal(t, "3"), H24: wiretest.Decimal(t, "18446744073709551616.5")},
				BaseTokenID: "solana_So1", QuoteTokenID: "solana_US1", DEXID: "ray",
				BaseToken: &onchaindata.Token{ID: "solana_So1", Address: "So1", Name: "Wrapped SOL", Symbol: "SOL", Decimals: new(9), AggregatorCoinID: "sol"},
				DEX:       &onchaindata.DEX{ID: "ray", Name: "Ray"},
			}, raw(*p))
		},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).ListTopPools,
			"solana", onchaindata.TopPoolsRequest{Include: everything[:1], Page: new(10), Sort: "h24_volume_usd_desc"}),
		Method: "GET", Target: prefix + "/networks/solana/pools?include=base_token&page=10&sort=h24_volume_usd_desc", Header: key, File: "ListTopPools.json",
		Then: func(t *testing.T, result any) {
			page := result.(*onchaindata.PoolPage)
			require.JSONEq(t, wiretest.File(t, "ListTopPools.json"), page.Raw.String())
			base := &onchaindata.Token{ID: "solana_A", Address: "A", Symbol: "AAA"}
			require.Equal(t, whole(
				onchaindata.Pool{ID: "solana_P1", Address: "P1", Name: "A / B", BaseTokenID: "solana_A", BaseToken: base},
				onchaindata.Pool{ID: "solana_P2", Address: "P2", ReserveUSD: wiretest.Decimal(t, "5"), BaseTokenID: "solana_A", BaseToken: base},
			), rawless(page.Items))
			require.Same(t, page.Items[0].BaseToken, page.Items[1].BaseToken)
		},
	}, {
		Name:   "ListTopPools, least",
		Call:   wiretest.By(demo, (*onchaindata.Client).ListTopPools, "solana", onchaindata.TopPoolsRequest{}),
		Method: "GET", Target: prefix + "/networks/solana/pools", Header: key, Reply: `{"data":[]}`,
		Want: &onchaindata.PoolPage{Raw: walletfi.Document(`{"data":[]}`)},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).ListTrendingPools,
			onchaindata.TrendingPoolsRequest{Include: everything, Page: new(1), Duration: onchaindata.Trend5m, CommunityData: new(true)}),
		Method: "GET", Target: prefix + "/networks/trending_pools?duration=5m&include=base_token%2Cquote_token%2Cdex&include_gt_community_data=true&page=1",
		Header: key, File: "ListTrendingPools.json",
		Then: func(t *testing.T, result any) {
			pools := result.(*onchaindata.PoolPage).Items
			require.Len(t, pools, 1)
			require.Equal(t, `{"id": "eth_P3", "type": "pool", "attributes": {"address": "P3", "community": {"votes": 3}, "reserve_in_usd": "1", "base_token_price_usd": "1", "quote_token_price_usd": "1", "base_token_price_native_currency": "1"}}`, pools[0].Raw.String())
		},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).ListNetworkTrendingPools,
			"eth", onchaindata.TrendingPoolsRequest{Duration: onchaindata.Trend24h}),
		Method: "GET", Target: prefix + "/networks/eth/trending_pools?duration=24h", Header: key, File: "ListNetworkTrendingPools.json",
		Then: func(t *testing.T, result any) { require.Empty(t, result.(*onchaindata.PoolPage).Items) },
	}, {
		Call:   wiretest.By(demo, (*onchaindata.Client).ListNewPools, "solana", onchaindata.NewPoolsRequest{}),
		Method: "GET", Target: prefix + "/networks/solana/new_pools", Header: key, File: "ListNewPools.json",
		Then: func(t *testing.T, result any) {
			created := walletfi.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)}
			require.Equal(t, whole(onchaindata.Pool{ID: "solana_N1", Address: "N1", CreatedAt: created, DEXID: "pump"}), rawless(result.(*onchaindata.PoolPage).Items))
		},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).SearchPools,
			onchaindata.SearchPoolsRequest{Query: new("so & l"), Network: "solana", Include: everything[2:], Page: new(2)}),
		Method: "GET", Target: prefix + "/search/pools?include=dex&network=solana&page=2&query=so+%26+l", Header: key, File: "SearchPools.json",
		Then: func(t *testing.T, result any) {
			require.Equal(t, whole(onchaindata.Pool{ID: "solana_S1", Address: "S1"}), rawless(result.(*onchaindata.PoolPage).Items), "a lone record is a list of one")
		},
	}, {
		Name:   "SearchPools, without a query",
		Call:   wiretest.By(demo, (*onchaindata.Client).SearchPools, onchaindata.SearchPoolsRequest{}),
		Method: "GET", Target: prefix + "/search/pools", Header: key, File: "SearchPools.json",
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).GetPools,
			"eth", []string{"0xAA", "0xdd", "0xBB", "0xaa"}, onchaindata.PoolsRequest{Include: everything[1:2]}),
		Method: "GET", Target: prefix + "/networks/eth/pools/multi/0xAA,0xdd,0xBB?include=quote_token", Header: key, File: "GetPools.json",
		Then: func(t *testing.T, result any) {
			batch := result.(*onchaindata.PoolBatch)
			require.Equal(t, whole(onchaindata.Pool{ID: "eth_a", Address: "0xaa"}, onchaindata.Pool{ID: "eth_b", Address: "0xbb"}, onchaindata.Pool{ID: "eth_a", Address: "0xaa"}), rawless(batch.Pools))
			require.Equal(t, []string{"0xdd"}, batch.NotFound)
			require.Empty(t, batch.Unasked)
			require.JSONEq(t, wiretest.File(t, "GetPools.json"), batch.Raw.String())
		},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).FilterPools, onchaindata.FilterPoolsRequest{
			Networks: []string{"solana", "eth"}, DEXes: []string{"ray"}, Sort: "s", Page: new(3), MinReserveUSD: wiretest.Decimal(t, "0"), MaxReserveUSD: wiretest.Decimal(t, "1e6"),
			MinVolumeUSD24h: wiretest.Decimal(t, "1.50"), MaxVolumeUSD24h: wiretest.Decimal(t, "1.5"), MinTransactions24h: new(0),
		}),
		Method: "GET", Header: key, File: "FilterPools.json",
		Target: prefix + "/pools/megafilter?dexes=ray&max_h24_volume_usd=1.5&max_reserve_in_usd=1000000&min_h24_tx_count=0&min_h24_volume_usd=1.50&min_reserve_in_usd=0&networks=solana%2Ceth&page=3&sort=s",
		Then: func(t *testing.T, result any) {
			// Number for text, null for text, an empty array for an object, text for a number.
			require.Equal(t, whole(onchaindata.Pool{
				ID: "solana_F1", Address: "17", Transactions: onchaindata.TransactionCounts{H1: &onchaindata.TransactionCount{Buys: 5, Buyers: new(5), Sellers: new(0)}},
			}), rawless(result.(*onchaindata.PoolPage).Items))
		},
	}, {
		Name:   "FilterPools, least",
		Call:   wiretest.By(demo, (*onchaindata.Client).FilterPools, onchaindata.FilterPoolsRequest{}),
		Method: "GET", Target: prefix + "/pools/megafilter", Header: key, Reply: `{"data":[ ]}`, Want: &onchaindata.PoolPage{Raw: walletfi.Document(`{"data":[ ]}`)},
	}})
}

func TestWireMarket(t *testing.T) {
	wiretest.Run(t, []wiretest.Case{{
		Call: wiretest.By(demo, (*onchaindata.Client).ListPoolCandles, "solana", "P1", onchaindata.CandlesRequest{
			Timeframe: onchaindata.TimeframeMinute, Aggregate: new(15), Before: time.Unix(1700000120, 999).In(time.FixedZone("", 3600)), Limit: new(1000), Currency: onchaindata.CurrencyToken,
		}),
		Method: "GET", Target: prefix + "/networks/solana/pools/P1/ohlcv/minute?aggregate=15&before_timestamp=1700000120&currency=token&limit=1000", Header: key,
		File: "ListPoolCandles.json",
		Want: &onchaindata.CandlePage{Items: []onchaindata.Candle{
			{Timestamp: unix(1700000000), Open: wiretest.Decimal(t, "1"), High: wiretest.Decimal(t, "1"), Low: wiretest.Decimal(t, "1"), Volume: wiretest.Decimal(t, "18446744073709551616.25"),
				Raw: walletfi.Document(`[1700000000, 1, 1, 1, null, 18446744073709551616.25]`)},
			{Timestamp: unix(1700000060), Open: wiretest.Decimal(t, "1.5"), High: wiretest.Decimal(t, "2.000000000000000000000000000000000000000000000000000000000000000001"),
				Low: wiretest.Decimal(t, "1e-9"), Close: wiretest.Decimal(t, "1.75"), Volume: wiretest.Decimal(t, "0")},
		}, Raw: walletfi.Document(strings.TrimSpace(wiretest.File(t, "ListPoolCandles.json")))},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).ListTokenCandles,
			"eth", "0xaa", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay}),
		Method: "GET", Target: prefix + "/networks/eth/tokens/0xaa/ohlcv/day", Header: key, File: "ListTokenCandles.json",
		Want: &onchaindata.CandlePage{Raw: walletfi.Document(strings.TrimSpace(wiretest.File(t, "ListTokenCandles.json")))},
	}, {
		Call: wiretest.By(demo, (*onchaindata.Client).ListTrades,
			"solana", "P1", onchaindata.TradesRequest{MinVolumeUSD: wiretest.Decimal(t, "0")}),
		Method: "GET", Target: prefix + "/networks/solana/pools/P1/trades?trade_volume_in_usd_greater_than=0", Header: key, File: "ListTrades.json",
		Want: &onchaindata.TradePage{Items: []onchaindata.Trade{
			{ID: "t1", BlockNumber: 1<<64 - 1, Timestamp: walletfi.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, TxHash: "H1", TxFrom: "W1", Kind: onchaindata.TradeBuy,
				FromAmount: wiretest.Decimal(t, "1.5"), ToAmount: wiretest.Decimal(t, "0.000000000000000000001"), PriceFromInCurrencyToken: wiretest.Decimal(t, "1"), PriceToInCurrencyToken: wiretest.Decimal(t, "2"),
				PriceFromUSD: wiretest.Decimal(t, "3"), PriceToUSD: wiretest.Decimal(t, "4"), VolumeUSD: wiretest.Decimal(t, "5.5")},
			{ID: "t2", BlockNumber: 7, Timestamp: unix(1700000000), Kind: "swap", FromAmount: wiretest.Decimal(t, "0"), ToAmount: wiretest.Decimal(t, "0"), PriceFromInCurrencyToken: wiretest.Decimal(t, "0"),
				PriceToInCurrencyToken: wiretest.Decimal(t, "0"), PriceFromUSD: wiretest.Decimal(t, "0"), PriceToUSD: wiretest.Decimal(t, "0"), VolumeUSD: wiretest.Decimal(t, "0.0")},
		}, Raw: walletfi.Document(strings.TrimSpace(wiretest.File(t, "ListTrades.json")))},
	}, {
		Call:   wiretest.By(demo, (*onchaindata.Client).ListNetworks, onchaindata.NetworksRequest{}),
		Method: "GET", Target: prefix + "/networks", Header: key, File: "ListNetworks.json",
		Want: &onchaindata.NetworkPage{Items: []onchaindata.Network{
			{ID: "solana", Name: "Solana", Raw: walletfi.Document(`{"id": "solana", "type": "network", "attributes": {"name": "Solana", "aggregator_platform_id": "sol"}}`)},
			{ID: "eth", Raw: walletfi.Document(`{"id": "eth", "type": "network", "attributes": {"name": null}}`)},
		}, Raw: walletfi.Document(strings.TrimSpace(wiretest.File(t, "ListNetworks.json")))},
	}, {
		Call:   wiretest.By(demo, (*onchaindata.Client).ListDEXes, "solana", onchaindata.DEXesRequest{Page: new(2)}),
		Method: "GET", Target: prefix + "/networks/solana/dexes?page=2", Header: key, File: "ListDEXes.json",
		Want: &onchaindata.DEXPage{Items: []onchaindata.DEX{{ID: "ray", Name: "Ray"}, {ID: "new"}}, Raw: walletfi.Document(strings.TrimSpace(wiretest.File(t, "ListDEXes.json")))},
	}})
}
