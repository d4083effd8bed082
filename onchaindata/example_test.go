package onchaindata_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// exampleService answers as the service does, so that the examples run anywhere.
func exampleService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case prefix + "/networks/solana/pools":
			io.WriteString(w, `{"data": [{"id": "solana_P1", "type": "pool", "attributes": {"address": "P1", "name": "SOL / USDC", "base_token_price_usd": "171.2300000000000001",
				"quote_token_price_usd": "1", "base_token_price_native_currency": "1", "reserve_in_usd": "9000000",
				"volume_usd": {"h24": "1500000.5"}}, "relationships": {"base_token": {"data": {"id": "solana_So1", "type": "token"}}}}],
				"included": [{"id": "solana_So1", "type": "token", "attributes": {"address": "So1", "symbol": "SOL", "decimals": 9}}]}`)
		case prefix + "/networks/solana/pools/P1/ohlcv/hour":
			if r.URL.Query().Get("before_timestamp") != "" {
				io.WriteString(w, `{"data": {"id": "c", "type": "ohlcv", "attributes": {"ohlcv_list": []}}}`)
				return
			}
			io.WriteString(w, `{"data": {"id": "c", "type": "ohlcv", "attributes": {"ohlcv_list": [[1700003600, 171, 173.5, 170, 172, 9000], [1700000000, 170, 171, 169, 171, 8000]]}}}`)
		case prefix + "/networks/solana/tokens/multi/So1,Gone":
			io.WriteString(w, `{"data": [{"id": "solana_So1", "type": "token", "attributes": {"address": "So1", "price_usd": "171.23"}}]}`)
		default:
			io.WriteString(w, `{"status": {"error_code": 10005, "error_message": "not on this plan"}}`)
		}
	}))
}

func exampleClient(base string) *onchaindata.Client {
	client, err := onchaindata.New(onchaindata.Config{
		Tier: onchaindata.TierDemo, DemoBaseURL: base + "/api/v3/onchain", APIKey: walletfi.NewSecret("my-key"),
	})
	if err != nil {
		panic(err)
	}
	return client
}

func Example() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL)

	page, err := client.ListTopPools(context.Background(), "solana", onchaindata.TopPoolsRequest{
		Include: []onchaindata.PoolInclude{onchaindata.IncludeBaseToken},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, pool := range page.Items {
		fmt.Println(pool.Name, pool.BaseTokenPriceUSD, "24 h volume", pool.VolumeUSD.H24, "base", pool.BaseToken.Symbol)
	}
	// Output: SOL / USDC 171.2300000000000001 24 h volume 1500000.5 base SOL
}

func ExampleClient_AllPoolCandles() {
	server := exampleService()
	defer server.Close()
	req := onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeHour, Aggregate: new(1)}
	for candle, err := range exampleClient(server.URL).AllPoolCandles(context.Background(), "solana", "P1", req) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(candle.Timestamp.Unix(), candle.Close)
	}
	// Output:
	// 1700003600 172
	// 1700000000 171
}

func ExampleClient_GetTokens() {
	server := exampleService()
	defer server.Close()
	batch, err := exampleClient(server.URL).GetTokens(context.Background(), "solana", []string{"So1", "Gone"}, onchaindata.TokensRequest{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(batch.Tokens[0].Address, batch.Tokens[0].PriceUSD, "not found:", batch.NotFound)
	// Output: So1 171.23 not found: [Gone]
}

func ExampleError() {
	server := exampleService()
	defer server.Close()
	_, err := exampleClient(server.URL).ListNetworks(context.Background(), onchaindata.NetworksRequest{})
	if e, ok := errors.AsType[*onchaindata.Error](err); ok {
		fmt.Println(e.Response.StatusCode, e.Code, e.Message)
	}
	fmt.Println(errors.Is(err, walletfi.ErrRejected))
	// Output:
	// 200 10005 not on this plan
	// true
}
