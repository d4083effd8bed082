package hollow

import (
	"context"
	"net/http"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

func hollowOnchainData(_ *testing.T) []hollow {
	r := rowsOf[onchaindata.Client]{service: sandbox.OnchainData, client: func(o walletfi.Options) (*onchaindata.Client, error) {
		return onchaindata.New(onchaindata.Config{DemoBaseURL: somewhere + "/api/v3/onchain", APIKey: wiretest.Key(), Options: o})
	}}
	type c = onchaindata.Client

	r.add("GET /api/v3/onchain/simple/networks/{network}/token_price/{addresses}", `{"data":{"id":"d","type":"simple_token_price","attributes":{"token_prices":{"A":"0"}}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetTokenPrices(ctx, "solana", []string{"A"}, onchaindata.TokenPricesRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/{address}", `{"data":{"id":"solana_A","type":"token","attributes":{"address":"A","price_usd":"0"}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetToken(ctx, "solana", "A", onchaindata.TokenRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/multi/{addresses}", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetTokens(ctx, "solana", []string{"A"}, onchaindata.TokensRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{address}", `{"data":{"id":"solana_P","type":"pool","attributes":{"address":"P"}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetPool(ctx, "solana", "P", onchaindata.PoolRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/pools", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTopPools(ctx, "solana", onchaindata.TopPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/trending_pools", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/trending_pools", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListNetworkTrendingPools(ctx, "solana", onchaindata.TrendingPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/new_pools", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListNewPools(ctx, "solana", onchaindata.NewPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/search/pools", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.SearchPools(ctx, onchaindata.SearchPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/pools/multi/{addresses}", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.GetPools(ctx, "solana", []string{"P"}, onchaindata.PoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/pools/megafilter", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.FilterPools(ctx, onchaindata.FilterPoolsRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{pool_address}/ohlcv/{timeframe}", `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[]}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListPoolCandles(ctx, "solana", "P", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/tokens/{token_address}/ohlcv/{timeframe}", `{"data":{"id":"c","type":"ohlcv","attributes":{"ohlcv_list":[]}}}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTokenCandles(ctx, "solana", "A", onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeDay}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/pools/{pool_address}/trades", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListTrades(ctx, "solana", "P", onchaindata.TradesRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListNetworks(ctx, onchaindata.NetworksRequest{}, o...)
		return err
	})
	r.add("GET /api/v3/onchain/networks/{network}/dexes", `{"data":[]}`, func(ctx context.Context, c *c, o ...walletfi.CallOption) error {
		_, err := c.ListDEXes(ctx, "solana", onchaindata.DEXesRequest{}, o...)
		return err
	})
	return r.rows
}

func listsOfOnchainData(t *testing.T) []listCall {
	type oc = onchaindata.Client
	const pool, list = `{"id":"p","type":"pool","attributes":{"address":"A","name":"n"}}`, `{"data":[@]}`
	const candles = `{"data":{"id":"c","attributes":{"ohlcv_list":[@]}}}`
	minute := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute}
	return listed(t, func(h *http.Client) (*oc, error) {
		return onchaindata.New(onchaindata.Config{DemoBaseURL: somewhere + "/api/v3/onchain", APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: h}})
	}, map[string]func(context.Context, *oc) (any, error){
		"onchaindata.ListTopPools": func(ctx context.Context, c *oc) (any, error) {
			return c.ListTopPools(ctx, "n", onchaindata.TopPoolsRequest{})
		},
		"onchaindata.ListTrendingPools": func(ctx context.Context, c *oc) (any, error) {
			return c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{})
		},
		"onchaindata.ListNetworkTrendingPools": func(ctx context.Context, c *oc) (any, error) {
			return c.ListNetworkTrendingPools(ctx, "n", onchaindata.TrendingPoolsRequest{})
		},
		"onchaindata.ListNewPools": func(ctx context.Context, c *oc) (any, error) {
			return c.ListNewPools(ctx, "n", onchaindata.NewPoolsRequest{})
		},
		"onchaindata.SearchPools": func(ctx context.Context, c *oc) (any, error) {
			return c.SearchPools(ctx, onchaindata.SearchPoolsRequest{})
		},
		"onchaindata.FilterPools": func(ctx context.Context, c *oc) (any, error) {
			return c.FilterPools(ctx, onchaindata.FilterPoolsRequest{})
		},
		"onchaindata.GetPools": func(ctx context.Context, c *oc) (any, error) {
			return c.GetPools(ctx, "n", []string{"A", "A"}, onchaindata.PoolsRequest{})
		},
		"onchaindata.GetTokens": func(ctx context.Context, c *oc) (any, error) {
			return c.GetTokens(ctx, "n", []string{"A", "A"}, onchaindata.TokensRequest{})
		},
		"onchaindata.ListPoolCandles": func(ctx context.Context, c *oc) (any, error) {
			return c.ListPoolCandles(ctx, "n", "A", minute)
		},
		"onchaindata.ListTokenCandles": func(ctx context.Context, c *oc) (any, error) {
			return c.ListTokenCandles(ctx, "n", "A", minute)
		},
		"onchaindata.ListTrades": func(ctx context.Context, c *oc) (any, error) {
			return c.ListTrades(ctx, "n", "A", onchaindata.TradesRequest{})
		},
		"onchaindata.ListNetworks": func(ctx context.Context, c *oc) (any, error) {
			return c.ListNetworks(ctx, onchaindata.NetworksRequest{})
		},
		"onchaindata.ListDEXes": func(ctx context.Context, c *oc) (any, error) {
			return c.ListDEXes(ctx, "n", onchaindata.DEXesRequest{})
		},
	}, map[string][2]string{
		"onchaindata.ListTopPools": {list, pool}, "onchaindata.ListTrendingPools": {list, pool}, "onchaindata.ListNetworkTrendingPools": {list, pool},
		"onchaindata.ListNewPools": {list, pool}, "onchaindata.SearchPools": {list, pool}, "onchaindata.FilterPools": {list, pool},
		"onchaindata.GetPools":        {list, pool},
		"onchaindata.GetTokens":       {list, `{"id":"t","type":"token","attributes":{"address":"A"}}`},
		"onchaindata.ListPoolCandles": {candles, `[60,1,1,1,1,1]`}, "onchaindata.ListTokenCandles": {candles, `[60,1,1,1,1,1]`},
		"onchaindata.ListTrades":   {list, `{"id":"t","type":"trade","attributes":{"kind":"buy"}}`},
		"onchaindata.ListNetworks": {list, `{"id":"n","attributes":{"name":"n"}}`},
		"onchaindata.ListDEXes":    {list, `{"id":"d","attributes":{"name":"n"}}`},
	})
}
