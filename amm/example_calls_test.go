package amm_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*amm.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := amm.New(amm.Config{
		TradeURL: s.URL(sandbox.AMM),
		DataURL:  s.AMM().DataURL(),
		Options:  s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

// What a swap may cost to get an exact output.
func ExampleClient_QuoteBaseOut() {
	client, s := onSandbox()
	defer s.Close()
	quote, err := client.QuoteBaseOut(context.Background(), amm.QuoteRequest{
		InputMint: s.Mint("USDC"), OutputMint: walletfi.NativeMint, Slippage: walletfi.SlippageBps(100),
		Amount: 10_000_000, // lamports wanted
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	built, err := client.BuildSwap(ratelimit.WithFollowUp(context.Background()), amm.BuildRequest{
		Quote: quote, Owner: s.WalletAddress(), MaxSpend: 20_000_000, // nothing may be spent without it
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	intent := built.Unsigned().Intent
	fmt.Println(intent.Receive[0].Amount.UI(9), "SOL for at most 20 USDC:", intent.Spend[0].Amount <= 20_000_000)
	// Output: 0.01 SOL for at most 20 USDC: true
}

func ExampleClient_GetMintPrices() {
	client, s := onSandbox()
	defer s.Close()
	prices, err := client.GetMintPrices(context.Background(), []string{walletfi.NativeMint, s.Mint("USDC")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("1 USDC is", prices.Prices[s.Mint("USDC")], "USD")
	// Output: 1 USDC is 1 USD
}

// The shape of a pool is not documented: Decode takes the members that you expect.
func ExampleClient_ListPoolsByMints() {
	client, s := onSandbox()
	defer s.Close()
	pools, err := client.ListPoolsByMints(context.Background(), amm.PoolsByMintsRequest{
		Mint1: walletfi.NativeMint, Mint2: s.Mint("USDC"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, pool := range pools.Items {
		var shape struct{ MintA, MintB struct{ Symbol string } }
		if err := pool.Decode(&shape); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(shape.MintA.Symbol, "to", shape.MintB.Symbol)
	}
	// Output: SOL to USDC
}

// What the network asks for now, which BuildRequest.ComputeUnitPriceMicroLamports takes.
func ExampleClient_GetAutoFee() {
	client, s := onSandbox()
	defer s.Close()
	fee, err := client.GetAutoFee(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("rising:", fee.Default.Medium <= fee.Default.High && fee.Default.High <= fee.Default.VeryHigh)
	// Output: rising: true
}
