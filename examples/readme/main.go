// Command readme holds the snippets of the README, so that they compile; a test
// compares the two. It runs the first against the sandbox.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

func main() {
	if err := sandboxed(); err != nil {
		log.Fatal(err)
	}
}

// deposit is the README's one call.
func deposit(ctx context.Context, w *wallet.Wallet, owner, usdc string) error {
	client, err := lending.New(lending.Config{
		BaseURL: "https://lending.example.com",
		APIKey:  walletfi.NewSecret(os.Getenv("LENDING_KEY")),
	})
	if err != nil {
		return err
	}
	amount, err := walletfi.ParseAmount("25.5", 6)
	if err != nil {
		return err
	}
	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
		Owner: owner, Mint: usdc, DepositType: lending.DepositProtected, Amount: amount,
	})
	if err != nil {
		return err
	}
	result, err := w.Execute(ctx, built.Unsigned()) // guard, sign, submit, confirm
	if err != nil {
		return err
	}
	fmt.Println(result.Signatures())
	return nil
}

// kinds are the README's errors.
func kinds(err error) []bool {
	var e *lending.Error
	return []bool{
		errors.Is(err, walletfi.ErrRateLimited),    // of any service
		errors.Is(err, walletfi.ErrOutcomeUnknown), // it may have happened: ask, do not repeat
		errors.As(err, &e) && e.Code == lending.CodeCooldownActive,
	}
}

// pinned is the README's guard.
func pinned(lendingProgram signing.PublicKey) *signing.Guard {
	guard := signing.NewGuard(signing.Policy{
		Pins: map[string][]signing.PublicKey{"lending": {lendingProgram}},
	})
	return guard
}

// sandboxed is the README's sandbox.
func sandboxed() error {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		return err
	}
	defer s.Close()
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Lending)),
	})
	if err != nil {
		return err
	}
	s.Advance(48 * time.Hour) // its clock is yours
	s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 1})
	err = s.Market().SetPrice(s.Mint("SOL"), 75_000_000) // what belongs to one part is on its handle
	if err != nil {
		return err
	}
	pools, err := client.ListPools(context.Background())
	if err != nil {
		return err
	}
	fmt.Println(len(pools.Items), "pools, after one 503:", s.Hits()[sandbox.Route{Service: sandbox.Lending, Method: "GET", Pattern: "/v1/pools"}], "requests")
	return nil
}

var _ = []any{deposit, kinds, pinned}
