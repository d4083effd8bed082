package docs_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/wallet"
)

func Example_keys() {
	if err := reused(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// confirmed
	// the key names another payment: invalid request: key: "order 7" is in use for Amount 1000000, not 10000000
}

func reused(ctx context.Context) error {
	s, client, err := lendingOf(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	node, key, guard, err := signerOn(s)
	if err != nil {
		return err
	}
	w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Node: node})
	if err != nil {
		return err
	}
	defer w.Close()
	deposit := lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 1_000_000,
	}
	placed, err := w.Place(ctx, wallet.OrderOf(client.BuildDeposit, deposit), wallet.PlaceOptions{Key: "order 7"})
	if err != nil {
		return err
	}
	fmt.Println(placed.Result.Steps[0].State)

	deposit.Amount *= 10
	_, err = w.Place(ctx, wallet.OrderOf(client.BuildDeposit, deposit), wallet.PlaceOptions{Key: "order 7"})
	if errors.Is(err, wallet.ErrKeyReused) {
		fmt.Println(errors.Unwrap(err))
	}
	return nil
}
