package swap_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/swap"
)

// exampleService answers like the service, so that the examples run anywhere.
func exampleService() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/quote":
			io.WriteString(w, `{"inputMint": "`+sol+`", "outputMint": "`+usdc+`", "inAmount": "1000000000",
				"outAmount": "150000000", "minOutAmount": "149250000", "otherAmountThreshold": "149250000", "slippageBps": 50,
				"priceImpactPct": "0.10", "contextSlot": 320432000, "forBundle": false}`)
		case "/swap":
			io.WriteString(w, `{"swapTransaction": "AQID", "lastValidBlockHeight": 312, "computeUnitLimit": 200000, "prioritizationFeeLamports": 5000}`)
		case "/order":
			io.WriteString(w, `{"outAmount": "150000000", "minOutAmount": "149250000", "executionMode": "async", "transaction": "AQID",
				"priceImpactPct": "0.10", "lastValidBlockHeight": 312, "computeUnitLimit": 200000, "prioritizationFeeLamports": 5000}`)
		case "/order-status":
			io.WriteString(w, `{"status": "closed", "inAmount": "1000000000", "outAmount": "150000001",
				"fills": [{"signature": "`+signature+`", "inAmount": "1000000000", "outAmount": "150000001"}]}`)
		case "/intent":
			io.WriteString(w, `{"inputMint": "`+sol+`", "outputMint": "`+usdc+`", "inAmount": "1000000000", "slippageBps": 50,
				"transaction": "`+transactionSigned(0).String()+`", "estimatedOutAmount": "150000000", "guaranteedOutAmount": "149250000", "lastValidBlockHeight": 312}`)
		case "/submit-intent":
			io.WriteString(w, `{"orderId": "order-7", "status": "submitted", "openSignature": "`+signature+`"}`)
		}
	}))
}

func exampleClient(base string, fresh swap.Freshness) *swap.Client {
	client, err := swap.New(swap.Config{BaseURL: base, APIKey: walletfi.NewSecret("my-key"), Freshness: fresh})
	if err != nil {
		panic(err)
	}
	return client
}

// A quote goes back into the swap. The freshness keeps a transaction from being
// built on a price that is gone.
func Example() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL, swap.Freshness{MaxAge: 15 * time.Second})

	quote, err := client.GetQuote(context.Background(), swap.QuoteRequest{
		InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(quote.OutAmount.UI(6), "USDC, at least", quote.MinOutAmount.UI(6))

	built, err := client.BuildSwap(context.Background(), swap.BuildRequest{
		Owner: user, Quote: quote, PrioritizationFee: swap.PriorityLamports(5000),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	unsigned := built.Unsigned() // to be checked and signed: see packages signing and wallet
	fmt.Println("may spend", unsigned.Intent.Spend[0].Amount.UI(9), "SOL until block", unsigned.LastValidBlockHeight)
	// Output:
	// 150 USDC, at least 149.25
	// may spend 1 SOL until block 312
}

func ExampleClient_BuildOrder() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL, swap.Freshness{})

	order, err := client.BuildOrder(context.Background(), swap.OrderRequest{
		Owner:     user,
		InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.AutoSlippage(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Here order.Unsigned() is checked, signed and sent, which gives a signature.
	if order.ExecutionMode.Polled() {
		status, err := client.WaitOrder(context.Background(), swap.WaitOrderRequest{
			Signature: signature, LastValidBlockHeight: order.LastValidBlockHeight,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(status.Status, "with", status.OutAmount, "in", len(status.Fills), "fill")
	}
	// Output: closed with 150000001 in 1 fill
}

func ExampleClient_SubmitIntent() {
	server := exampleService()
	defer server.Close()
	client := exampleClient(server.URL, swap.Freshness{})

	intent, err := client.BuildIntent(context.Background(), swap.IntentRequest{
		InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50), Owner: user,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	// Here intent.Unsigned() is checked and signed.
	order, err := client.SubmitIntent(context.Background(), swap.SubmitIntentRequest{Transaction: signedTransaction(), Intent: intent})
	switch {
	case errors.Is(err, walletfi.ErrOutcomeUnknown):
		fmt.Println("may have been taken: ask the ledger before anything is built again")
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(order.OrderID, order.Status)
	}
	// Output: order-7 submitted
}

func ExampleFreshness() {
	server := exampleService()
	defer server.Close()
	limit, _ := walletfi.NewDecimal("0.05")
	client := exampleClient(server.URL, swap.Freshness{MaxPriceImpactPct: limit})

	quote, err := client.GetQuote(context.Background(), swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.BuildSwap(context.Background(), swap.BuildRequest{Owner: user, Quote: quote})
	fmt.Println(errors.Is(err, swap.ErrPriceImpact))
	fmt.Println(err)
	// Output:
	// true
	// price impact too high: invalid request: priceImpactPct: is 0.10, more than 0.05
}
