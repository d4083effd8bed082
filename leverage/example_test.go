package leverage_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
)

// exampleService answers like the service, so that the examples run anywhere.
func exampleService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/v1/offers":
			io.WriteString(w, `[{"address": "Q1111111111111111111111111111111", "baseTokenAddress": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v", "quoteTokenAddress": "M2111111111111111111111111111111", "side": "LONG", "maxLeverage": 5, "interestRate": 0.1,
				"totalLiquidity": "2500000000", "baseToken": {"symbol": "SOL", "name": "Solana", "decimals": 9, "priceUsd": "150", "logoUri": ""},
				"quoteToken": {"symbol": "USDC", "name": "USD Coin", "decimals": 6, "priceUsd": "1", "logoUri": ""}}]`)
		case "/api/v1/bundle/tip":
			io.WriteString(w, `{"tipLamports": 10000}`)
		case "/api/v1/positions/open", "/api/v1/positions/close":
			io.WriteString(w, `{"transaction": "2VfUX", "lastValidBlockHeight": 312}`)
		case "/api/v1/positions":
			if r.URL.Query().Get("offset") == "" {
				io.WriteString(w, `{"positions": [{"address": "P1111111111111111111111111111111", "status": "EXECUTED", "unrealizedPnlUsd": "-12.5", "roiPercent": "-3.1", "liquidationPrice": 98.7,
					"currentLtv": "0.66", "effectiveLeverage": "3", "interestAccrued": "0", "dailyInterestCost": "0.01", "entryPrice": "150",
					"currentPrice": "149.5", "collateralAmount": "7", "borrowedAmount": "5"}]}`)
				return
			}
			io.WriteString(w, `{"positions": []}`)
		case "/api/v1/positions/partial-sell":
			io.WriteString(w, `{"splitTransaction": "2VfUX", "closeTransaction": "2VfUY", "newPositionAddresses": ["P2111111111111111111111111111111", "P3111111111111111111111111111111"]}`)
		case "/api/v1/bundle":
			io.WriteString(w, `{"bundleId": "b-7"}`)
		}
	}))
}

func exampleClient(base string) *leverage.Client {
	client, err := leverage.New(leverage.Config{BaseURL: base, APIKey: walletfi.NewSecret("my-key")})
	if err != nil {
		panic(err)
	}
	return client
}

// A position is opened at an offer, watched, and closed ahead of whatever else
// waits for the service.
func Example() {
	server := exampleService()
	defer server.Close()
	client, ctx := exampleClient(server.URL), context.Background()

	offers, err := client.ListOffers(ctx, leverage.OffersRequest{Search: "SOL", Side: leverage.SideLong, IncludeTokens: new(true)})
	if err != nil {
		fmt.Println(err)
		return
	}
	offer := offers.Items[0]
	fmt.Println(offer.TotalLiquidity.UI(offer.QuoteToken.Decimals), offer.QuoteToken.Symbol, "at up to", offer.MaxLeverage)

	tip, err := client.GetBundleTip(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	twice, _ := walletfi.NewDecimal("2")
	opened, err := client.BuildOpen(ctx, leverage.OpenRequest{
		QuoteRequest: leverage.QuoteRequest{Offer: offer.Address, Owner: "W1", CollateralAmount: 1_000_000, Leverage: twice, Slippage: walletfi.SlippageBps(50)},
		TipLamports:  tip.TipLamports,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	unsigned := opened.Unsigned() // to be checked and signed: see packages signing and wallet
	fmt.Println("may tip", unsigned.Intent.TipLamports, "until block", unsigned.LastValidBlockHeight)

	for position, err := range client.AllPositions(ctx, leverage.PositionsRequest{Owner: "W1", Status: leverage.StatusExecuted}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(position.Address, "at", position.CurrentLTV, "is liquidated at", position.LiquidationPrice)
		_, err := client.BuildClose(ctx, leverage.CloseRequest{
			CloseQuoteRequest: leverage.CloseQuoteRequest{Position: position.Address, Owner: "W1", Slippage: walletfi.SlippageBps(100)},
			TipLamports:       tip.TipLamports,
		}, walletfi.Urgent())
		fmt.Println("closing:", err)
	}
	// Output:
	// 2500 USDC at up to 5
	// may tip 10000 until block 312
	// P1111111111111111111111111111111 at 0.66 is liquidated at 98.7
	// closing: <nil>
}

func ExampleClient_BuildPartialSell() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL)

	sale, err := client.BuildPartialSell(context.Background(), leverage.PartialSellRequest{
		Position: "P1111111111111111111111111111111", Owner: "W1", SplitRatioBps: 5000, Slippage: walletfi.SlippageBps(50),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(sale.Unsigned().Transactions), "transactions make", sale.NewPositionAddresses)
	// Output: 2 transactions make [P2111111111111111111111111111111 P3111111111111111111111111111111]
}

func ExampleClient_SendBundle() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL)

	sent, err := client.SendBundle(context.Background(), []walletfi.Base58Transaction{signedTransaction(), transactionSigned(8)})
	var lost *walletfi.OutcomeUnknownError
	switch {
	case errors.As(err, &lost):
		fmt.Println("ask the ledger for", lost.Signature)
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(sent.BundleID, sent.Signature == signature)
	}
	// Output: b-7 true
}
