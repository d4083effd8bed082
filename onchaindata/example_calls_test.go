package onchaindata_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*onchaindata.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := onchaindata.New(onchaindata.Config{
		Tier:        onchaindata.TierDemo,
		DemoBaseURL: s.URL(sandbox.OnchainData),
		APIKey:      walletfi.NewSecret(s.APIKey(sandbox.OnchainData)),
		Options:     s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

func ExampleClient_GetTokenPrices() {
	client, s := onSandbox()
	defer s.Close()
	prices, err := client.GetTokenPrices(
		context.Background(), "solana", []string{s.Mint("USDC")}, onchaindata.TokenPricesRequest{},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	usdc, found := prices.For(s.Mint("USDC"))
	fmt.Println("found:", found, "worth something:", usdc.PriceUSD.Sign() > 0)
	// Output: found: true worth something: true
}
