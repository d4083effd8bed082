package providerswap_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/providerswap"
)

const (
	usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	user = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
)

// service answers like the real service.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v2/quote":
			io.WriteString(w, `{"srcAmountIn":"1000000000","destAmountOut":"150000000","destAmountOutMin":"149250000",
				"priceImpactPct":"0.1","routePlan":[{"swapProvider":"alpha","percent":100}],"txn":"`+string(transaction(0))+`"}`)
		case "/api/v1/quote/all":
			io.WriteString(w, `[{"provider":"alpha","outAmount":"150000000"},{"provider":"beta","outAmount":"151000000"}]`)
		case "/api/v1/swap":
			io.WriteString(w, string(transaction(0)))
		}
	}))
}

func Example() {
	server := service()
	defer server.Close()
	client, err := providerswap.New(providerswap.Config{BaseURL: server.URL + "/api/v2", APIKey: walletfi.NewSecret("my key")})
	if err != nil {
		panic(err)
	}

	swap, err := client.BuildSwap(context.Background(), providerswap.BuildRequest{
		QuoteRequest: providerswap.QuoteRequest{
			InputMint: walletfi.NativeMint, OutputMint: usdc,
			Amount:   1_000_000_000, // 1 SOL
			Slippage: walletfi.SlippageBps(providerswap.MajorSlippageMax),
		},
		Owner: user,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("for 1 SOL:", swap.OutAmount.UI(6), "at least", swap.MinOutAmount.UI(6))
	fmt.Println("to be signed:", len(swap.Unsigned().Transactions))
	// Output:
	// for 1 SOL: 150 at least 149.25
	// to be signed: 1
}

// Version 1 asks providers by name: the best of all, then its transaction, with
// a tip for SendBundle.
func ExampleClient_BuildSwapV1() {
	server := service()
	defer server.Close()
	client, err := providerswap.New(providerswap.Config{BaseURL: server.URL, APIKey: walletfi.NewSecret("my key")})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	pair := providerswap.QuotesV1Request{InputMint: walletfi.NativeMint, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50)}
	quotes, err := client.ListQuotesV1(ctx, pair)
	if err != nil {
		panic(err)
	}
	best, ok := quotes.Best()
	if !ok {
		panic("no quote")
	}
	built, err := client.BuildSwapV1(ctx, providerswap.BuildV1Request{
		QuoteV1Request: providerswap.QuoteV1Request{QuotesV1Request: pair, Provider: best.Provider},
		Owner:          user,
		Quote:          &best,
		MEVSafe:        new(true),
		MaxTipLamports: 100_000, // a higher tip is refused before anything is signed
	})
	if err != nil {
		panic(err)
	}
	intent := built.Unsigned().Intent
	fmt.Println(best.Provider, best.OutAmount.UI(6), "tip at most", intent.TipLamports)
	// Output:
	// beta 151 tip at most 100000
}
