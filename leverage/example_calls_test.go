package leverage_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*leverage.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := leverage.New(leverage.Config{
		BaseURL: s.URL(sandbox.Leverage),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Leverage)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

func ExampleClient_AllOffers() {
	client, s := onSandbox()
	defer s.Close()
	request := leverage.OffersRequest{Side: leverage.SideLong, IncludeTokens: new(true)}
	for offer, err := range client.AllOffers(context.Background(), request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(offer.Side, offer.BaseToken.Symbol, "for", offer.QuoteToken.Symbol)
	}
	// Output:
	// LONG SOL for USDC
	// LONG SOL for USDC
	// LONG SOL for USDT
	// LONG DUST for SOL
}

func ExampleClient_GetBundleTip() {
	client, s := onSandbox()
	defer s.Close()
	tip, err := client.GetBundleTip(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("a tip is asked for:", tip.TipLamports > 0)
	// Output: a tip is asked for: true
}
