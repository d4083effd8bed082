package amm_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// service answers like the real service.
func service() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/transaction/"):
			io.WriteString(w, `{"id":"2","success":true,"data":[{"transaction":"AQID"}]}`)
		case r.URL.Query().Get("amount") == "1":
			io.WriteString(w, `{"id":"3","success":false,"msg":"No route found"}`)
		default:
			io.WriteString(w, `{"id":"1","success":true,"data":{"inputMint":"So11111111111111111111111111111111111111112",
				"outputMint":"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v","inAmount":"1000000000","outAmount":"150000000",
				"otherAmountThreshold":"149250000","priceImpactPct":"0.1","routePlan":[]}}`)
		}
	}))
}

func Example() {
	server := service()
	defer server.Close()
	client, err := amm.New(amm.Config{TradeURL: server.URL, DataURL: server.URL})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	quote, err := client.QuoteBaseIn(ctx, amm.QuoteRequest{
		InputMint:  walletfi.NativeMint,
		OutputMint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		Amount:     1_000_000_000, // 1 SOL
		Slippage:   walletfi.SlippageBps(50),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("for 1 SOL:", quote.OutAmount.UI(6), "at least", quote.OtherAmountThreshold.UI(6))

	swap, err := client.BuildSwap(ratelimit.WithFollowUp(ctx), amm.BuildRequest{
		Quote: quote,
		Owner: "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR",
	})
	if err != nil {
		panic(err)
	}
	fmt.Println("to be signed:", len(swap.Unsigned().Transactions))
	// Output:
	// for 1 SOL: 150 at least 149.25
	// to be signed: 1
}

func ExampleError() {
	server := service()
	defer server.Close()
	client, err := amm.New(amm.Config{TradeURL: server.URL, DataURL: server.URL})
	if err != nil {
		panic(err)
	}

	_, err = client.QuoteBaseOut(context.Background(), amm.QuoteRequest{
		InputMint:  walletfi.NativeMint,
		OutputMint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
		Amount:     1, Slippage: walletfi.SlippageBps(0),
	})
	var refusal *amm.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.ID, refusal.Message)
	}
	fmt.Println(errors.Is(err, amm.ErrNoRoute), errors.Is(err, walletfi.ErrRejected))
	// Output:
	// 3 No route found
	// true true
}
