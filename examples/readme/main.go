// Command readme holds the snippets of the README, so that they compile; a test
// compares the two. It runs those on the sandbox.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/wallet"
)

func main() {
	if err := errors.Join(sandboxed(), advanced(context.Background())); err != nil {
		log.Fatal(err)
	}
}

// trade is the README's intent.
func trade(
	ctx context.Context, w *wallet.Wallet, swaps *swap.Client,
	owner *signing.LocalKey, usdc, orderID string, amount walletfi.Amount,
) error {
	intent := swap.NewIntentTrade(swaps, swap.IntentRequest{
		Owner: owner.PublicKey().String(), InputMint: usdc, OutputMint: walletfi.NativeMint, Amount: amount,
	})
	placed, err := w.Place(ctx, intent, wallet.PlaceOptions{Key: orderID})
	if errors.Is(err, wallet.ErrNotFilled) {
		fmt.Println("filled in part:", len(placed.Fills)) // each with what it has changed
	}
	return err
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
		Pins:       map[string][]signing.PublicKey{"lending": {lendingProgram}},
		AllowBlind: []string{"lending"}, // only where no node simulates
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
	fmt.Println(len(pools.Items), "pools, after one 503:",
		s.Hits()[sandbox.Route{Service: sandbox.Lending, Method: "GET", Pattern: "/v1/pools"}], "requests")
	return nil
}

// looker is a program that waits: between attempts, by the client's backoff.
type looker struct{ client *lending.Client }

// Run looks once.
func (l looker) Run(ctx context.Context) error {
	_, err := l.client.ListPools(ctx)
	return err
}

// advanced is the README's wait of ten days at most.
func advanced(ctx context.Context) error {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		return err
	}
	defer s.Close()
	client, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: s.Options(),
	})
	if err != nil {
		return err
	}
	s.Fault(sandbox.Route{Service: sandbox.Lending}, sandbox.Fault{Status: 503, Times: 2})
	bot := looker{client}
	ended := make(chan error, 1)
	walletfi.Go(ctx, s.Options().Clock, func(ctx context.Context) { ended <- bot.Run(ctx) })
	err = s.AdvanceUntil(ctx, 10*24*time.Hour, func() bool { return len(ended) > 0 })
	if err != nil {
		return err
	}
	return <-ended
}

var _ = []any{trade, kinds, pinned}
