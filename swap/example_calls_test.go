package swap_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*swap.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := swap.New(swap.Config{
		BaseURL: s.URL(sandbox.Swap),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Swap)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

func ExampleClient_ListTokensWithDecimals() {
	client, s := onSandbox()
	defer s.Close()
	tokens, err := client.ListTokensWithDecimals(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, token := range tokens.Items {
		if token.Mint == s.Mint("USDC") {
			fmt.Println(walletfi.Amount(1_500_000).UI(token.Decimals), "USDC")
		}
	}
	// Output: 1.5 USDC
}

func ExampleClient_GetQuote() {
	client, s := onSandbox()
	defer s.Close()
	quote, err := client.GetQuote(context.Background(), swap.QuoteRequest{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 5_000_000, Slippage: walletfi.SlippageBps(50),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(quote.InAmount.UI(6), "USDC, floor below output:", quote.MinOutAmount < quote.OutAmount)
	// Output: 5 USDC, floor below output: true
}

func ExampleClient_ListVenues() {
	client, s := onSandbox()
	defer s.Close()
	venues, err := client.ListVenues(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	enabled := 0
	for _, venue := range venues.Items {
		if venue.Enabled {
			enabled++
		}
	}
	fmt.Println(enabled, "of", len(venues.Items), "venues are enabled")
	// Output: 10 of 10 venues are enabled
}
