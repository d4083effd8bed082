package lending_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*lending.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Lending)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

// What a pool paid in each hour of the last day.
func ExampleClient_GetRates() {
	client, s := onSandbox()
	defer s.Close()
	rates, err := client.GetRates(context.Background(), lending.RatesRequest{
		Mint: s.Mint("USDC"), Period: lending.Period24h, Interval: lending.Interval1h,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rates.Mint == s.Mint("USDC"), len(rates.Rates), "rates")
	// Output: true 24 rates
}

// What a wallet withdrew and cannot take yet. One that has never deposited is not known.
func ExampleClient_ListPendingWithdrawals() {
	client, s := onSandbox()
	defer s.Close()
	pending, err := client.ListPendingWithdrawals(context.Background(), s.WalletAddress())
	if errors.Is(err, walletfi.ErrNotFound) {
		fmt.Println("has never deposited")
		return
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, withdrawal := range pending.Items {
		fmt.Println(withdrawal.Amount, "until", withdrawal.AvailableAt)
	}
	// Output: has never deposited
}
