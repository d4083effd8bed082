package providerswap_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*providerswap.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := providerswap.New(providerswap.Config{
		BaseURL: s.URL(sandbox.ProviderSwap),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.ProviderSwap)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

func ExampleClient_GetQuote() {
	client, s := onSandbox()
	defer s.Close()
	quote, err := client.GetQuote(context.Background(), providerswap.QuoteRequest{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 4_000_000, Slippage: walletfi.SlippageBps(50),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(quote.InAmount.UI(6), "USDC, floor below output:", quote.MinOutAmount < quote.OutAmount)
	// Output: 4 USDC, floor below output: true
}

// Version 1 asks all providers at once.
func ExampleClient_ListQuotesV1() {
	client, s := onSandbox()
	defer s.Close()
	quotes, err := client.ListQuotesV1(context.Background(), providerswap.QuotesV1Request{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 4_000_000, Slippage: walletfi.SlippageBps(50),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, ok := quotes.Best()
	for _, quote := range quotes.Items {
		ok = ok && *quote.OutAmount <= *best.OutAmount
	}
	fmt.Println(len(quotes.Items), "providers, none better than the best:", ok)
	// Output: 5 providers, none better than the best: true
}

func ExampleClient_BuildFeeTransfer() {
	client, s := onSandbox()
	defer s.Close()
	built, err := client.BuildFeeTransfer(context.Background(), providerswap.FeeTransferRequest{
		Owner: s.WalletAddress(), Receiver: "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR", Lamports: 5000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	intent := built.Unsigned().Intent // which the guard holds the transaction to
	fmt.Println("may spend", intent.Spend[0].Amount, "lamports, paid to", intent.PayTo[0])
	// Output: may spend 5000 lamports, paid to 8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR
}

func ExampleClient_GetQuoteV1() {
	client, s := onSandbox()
	defer s.Close()
	quote, err := client.GetQuoteV1(context.Background(), providerswap.QuoteV1Request{
		Provider: "atlas", QuotesV1Request: providerswap.QuotesV1Request{
			InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Amount: 4_000_000, Slippage: walletfi.SlippageBps(50),
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(quote.Provider, "pays:", *quote.OutAmount > 0)
	// Output: atlas pays: true
}
