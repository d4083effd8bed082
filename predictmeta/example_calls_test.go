package predictmeta_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*predictmeta.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL: s.URL(sandbox.PredictMeta), APIKey: walletfi.NewSecret(s.APIKey(sandbox.PredictMeta)), Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

// The market of an outcome that a wallet holds, by the outcome's mint.
func ExampleClient_GetMarketByMint() {
	client, s := onSandbox()
	defer s.Close()
	ctx := context.Background()
	markets, err := client.ListMarkets(ctx, predictmeta.MarketsRequest{Limit: new(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	held := markets.Items[0]
	market, err := client.GetMarketByMint(ctx, held.YesMint)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the same market:", market.Ticker == held.Ticker)
	// Output: the same market: true
}
