package hollow

import (
	"testing"

	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

func hollowOnchainData(_ *testing.T) []hollow {
	r := rows{service: sandbox.OnchainData}
	type c = onchaindata.Client

	r.add("GET /api/v3/onchain/simple/networks/{network}/token_price/{addresses}", `{"data":{"id":"d","type":"simple_token_price","attributes":{"token_prices":{"A":"0"}}}}`,
		(*c).GetTokenPrices, "solana", []string{"A"}, onchaindata.TokenPricesRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/{address}", `{"data":{"id":"solana_A","type":"token","attributes":{"address":"A","price_usd":"0"}}}`,
		(*c).GetToken, "solana", "A", onchaindata.TokenRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/multi/{addresses}", `{"data":[]}`,
		(*c).GetTokens, "solana", []string{"A"}, onchaindata.TokensRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{address}", `{"data":{"id":"solana_P","type":"pool","attributes":{"address":"P",`+poolNumbers+`}}}`,
		(*c).GetPool, "solana", "P", onchaindata.PoolRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/pools", `{"data":[]}`,
		(*c).ListTopPools, "solana", onchaindata.TopPoolsRequest{})
	r.add("GET /api/v3/onchain/networks/trending_pools", `{"data":[]}`,
		(*c).ListTrendingPools, onchaindata.TrendingPoolsRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/trending_pools", `{"data":[]}`,
		(*c).ListNetworkTrendingPools, "solana", onchaindata.TrendingPoolsRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/new_pools", `{"data":[]}`,
		(*c).ListNewPools, "solana", onchaindata.NewPoolsRequest{})
	r.add("GET /api/v3/onchain/search/pools", `{"data":[]}`, (*c).SearchPools, onchaindata.SearchPoolsRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/pools/multi/{addresses}", `{"data":[]}`,
		(*c).GetPools, "solana", []string{"P"}, onchaindata.PoolsRequest{})
	r.add("GET /api/v3/onchain/pools/megafilter", `{"data":[]}`, (*c).FilterPools, onchaindata.FilterPoolsRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{pool_address}/ohlcv/{timeframe}", `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[]}}}`,
		(*c).ListPoolCandles, "solana", "P", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/{token_address}/ohlcv/{timeframe}", `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[]}}}`,
		(*c).ListTokenCandles, "solana", "A", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{pool_address}/trades", `{"data":[]}`,
		(*c).ListTrades, "solana", "P", onchaindata.TradesRequest{})
	r.add("GET /api/v3/onchain/networks", `{"data":[]}`, (*c).ListNetworks, onchaindata.NetworksRequest{})
	r.add("GET /api/v3/onchain/networks/{network}/dexes", `{"data":[]}`,
		(*c).ListDEXes, "solana", onchaindata.DEXesRequest{})
	return r.rows
}

func listsOfOnchainData() []listCall {
	const pool, page = `{"id":"p","type":"pool","attributes":{"address":"A","name":"n",` + poolNumbers + `}}`, `{"data":[@]}`
	const candles = `{"data":{"id":"c","attributes":{"ohlcv_list":[@]}}}`
	minute := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute}
	return []listCall{
		listing(page, pool, (*onchaindata.Client).ListTopPools, "n", onchaindata.TopPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).ListTrendingPools, onchaindata.TrendingPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).ListNetworkTrendingPools, "n", onchaindata.TrendingPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).ListNewPools, "n", onchaindata.NewPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).SearchPools, onchaindata.SearchPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).FilterPools, onchaindata.FilterPoolsRequest{}),
		listing(page, pool, (*onchaindata.Client).GetPools, "n", []string{"A", "B"}, onchaindata.PoolsRequest{}),
		listing(page, `{"id":"t","type":"token","attributes":{"address":"A"}}`,
			(*onchaindata.Client).GetTokens, "n", []string{"A", "B"}, onchaindata.TokensRequest{}),
		listing(candles, `[1700000040,1,1,1,1,1]`, (*onchaindata.Client).ListPoolCandles, "n", "A", minute),
		listing(candles, `[1700000040,1,1,1,1,1]`, (*onchaindata.Client).ListTokenCandles, "n", "A", minute),
		listing(page, `{"id":"t","type":"trade","attributes":{"kind":"buy",`+tradeMembers+`}}`,
			(*onchaindata.Client).ListTrades, "n", "A", onchaindata.TradesRequest{}),
		listing(page, `{"id":"n","attributes":{"name":"n"}}`, (*onchaindata.Client).ListNetworks, onchaindata.NetworksRequest{}),
		listing(page, `{"id":"d","attributes":{"name":"n"}}`, (*onchaindata.Client).ListDEXes, "n", onchaindata.DEXesRequest{}),
	}
}

// poolNumbers and tradeMembers are what else the documentation shows of each pool, and of
// each trade.
const (
	poolNumbers  = `"reserve_in_usd":"1","base_token_price_usd":"1","quote_token_price_usd":"1","base_token_price_native_currency":"1"`
	tradeMembers = `"block_number":1,"block_timestamp":"2026-01-02T03:04:05Z","from_token_amount":"1","to_token_amount":"1",` +
		`"price_from_in_currency_token":"1","price_to_in_currency_token":"1","price_from_in_usd":"1","price_to_in_usd":"1","volume_in_usd":"1"`
)
