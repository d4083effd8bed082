package wallet_test

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// A deposit, from the service's builder to what it took. The same key again builds and
// sends nothing, in this process or after a restart.
func ExampleWallet_Place() {
	s, err := sandbox.Start(sandbox.Config{ManualClock: true, InstantConfirmation: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	w, service, err := saver(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	order := wallet.OrderOf(service.BuildDeposit, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	for range 2 {
		stages := []wallet.Stage{}
		placed, err := w.Place(context.Background(), order, wallet.PlaceOptions{
			Key: "order 7", Progress: func(p wallet.PlaceProgress) { stages = append(stages, p.Stage) },
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, paid, known := placed.Net(s.WalletAddress(), s.Mint("USDC"))
		fmt.Println(placed.Result.Steps[0].State, "paid", paid.UI(6), known)
		fmt.Println(stages)
	}
	// Output:
	// confirmed paid 25 true
	// [settle build guard sign submit confirm effects]
	// confirmed paid 25 true
	// [settle]
}

// saver returns a wallet and a client of the lending service.
func saver(s *sandbox.Sandbox) (*wallet.Wallet, *lending.Client, error) {
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	if err != nil {
		return nil, nil, err
	}
	key, err := signing.NewLocalKey(s.Wallet())
	if err != nil {
		return nil, nil, err
	}
	service, err := lending.New(lending.Config{BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending))})
	if err != nil {
		return nil, nil, err
	}
	pins := map[string][]signing.PublicKey{"lending": {signing.MustPublicKey(s.ProgramID(sandbox.Lending))}}
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{Pins: pins, Resolver: node, Simulator: node}),
		Node: node, PollEvery: time.Millisecond, Journal: wallet.NewMemoryJournal(),
	})
	return w, service, err
}
