package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// A process ends as soon as it has sent a deposit. The next one calls Settle before
// anything else, and learns that it landed and what it took. The same key does not pay
// again.
func ExampleWallet_Settle() {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	journal := wallet.NewMemoryJournal() // of a process that ends, a file or a database
	ctx, crash := context.WithCancel(context.Background())
	first, built, err := depositor(s, journal, crash)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = first.Execute(ctx, built, wallet.ExecuteOptions{Key: "order 7"})
	fmt.Println("crashed, outcome unknown:", errors.Is(err, walletfi.ErrOutcomeUnknown))
	first.Close()

	next, built, err := depositor(s, journal, func() {})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer next.Close()
	var outcomes []wallet.Outcome
	ended := make(chan error, 1)
	walletfi.Go(context.Background(), s.Options().Clock, func(ctx context.Context) {
		var err error
		outcomes, err = next.Settle(ctx)
		ended <- err
	})
	if err := s.AdvanceUntil(context.Background(), time.Hour, func() bool { return len(ended) > 0 }); err != nil {
		fmt.Println(err)
		return
	}
	if err := <-ended; err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range outcomes {
		took := o.Steps[0].Effects.Token(s.WalletAddress(), s.Mint("USDC")).Lost()
		fmt.Println(o.Key, "is", o.Steps[0].State, "and took", took.UI(6), "USDC")
	}
	again, err := next.Execute(context.Background(), built, wallet.ExecuteOptions{Key: "order 7"})
	fmt.Println("again:", again.Steps[0].State, err)
	unsettled, err := next.Unsettled(context.Background())
	fmt.Println("left:", len(unsettled), err)
	// Output:
	// crashed, outcome unknown: true
	// order 7 is confirmed and took 25 USDC
	// again: confirmed <nil>
	// left: 0 <nil>
}

// depositor returns a wallet and a deposit. sent is called after each submission.
func depositor(s *sandbox.Sandbox, journal wallet.Journal, sent func()) (*wallet.Wallet, walletfi.Unsigned, error) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC)), Clock: s.Options().Clock})
	if err != nil {
		return nil, walletfi.Unsigned{}, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return nil, walletfi.Unsigned{}, err
	}
	service, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: s.Options(),
	})
	if err != nil {
		return nil, walletfi.Unsigned{}, err
	}
	built, err := service.BuildDeposit(context.Background(), lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	if err != nil {
		return nil, walletfi.Unsigned{}, err
	}
	pins := map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}}
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: pins, Resolver: node, Simulator: node}),
		Node: node, Submitter: told{node, sent},
		Journal: journal, Clock: s.Options().Clock,
	})
	return w, built.Unsigned(), err
}

// told is a submitter that calls sent after each submission.
type told struct {
	walletfi.Submitter
	sent func()
}

func (i told) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	defer i.sent()
	return i.Submitter.Submit(ctx, tx)
}
