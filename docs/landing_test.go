package docs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/wallet"
)

func Example_landing() {
	dir, err := os.MkdirTemp("", "guide")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := landed(context.Background(), filepath.Join(dir, "payments.journal")); err != nil {
		fmt.Println(err)
	}
	// Output:
	// confirmed true
	// 0 were left
	// 25 USDC left
}

func landed(ctx context.Context, path string) error {
	s, client, err := lendingOf(sandbox.Config{InstantConfirmation: true})
	if err != nil {
		return err
	}
	defer s.Close()
	node, key, guard, err := signerOn(s)
	if err != nil {
		return err
	}
	journal, err := wallet.OpenFileJournal(path)
	if err != nil {
		return err
	}
	defer journal.Close()
	w, err := wallet.New(wallet.Config{
		Signer: key, Guard: guard, Node: node, Journal: journal,
	})
	if err != nil {
		return err
	}
	defer w.Close()
	built, err := client.BuildDeposit(ctx, lending.DepositRequest{
		Owner: s.WalletAddress(), Mint: s.Mint("USDC"), DepositType: lending.DepositProtected, Amount: 25_000_000,
	})
	if err != nil {
		return err
	}
	result, err := w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{Key: "order 7"})
	if err != nil {
		return err
	}
	again, err := w.Execute(ctx, built.Unsigned(), wallet.ExecuteOptions{Key: "order 7"})
	if err != nil {
		return err
	}
	fmt.Println(result.Steps[0].State, again.Steps[0].Signature == result.Steps[0].Signature)

	outcomes, err := w.Settle(ctx)
	if err != nil {
		return err
	}
	fmt.Println(len(outcomes), "were left")

	usdc := result.Steps[0].Effects.Token(s.WalletAddress(), s.Mint("USDC"))
	fmt.Println(usdc.Lost().UI(6), "USDC left")
	return nil
}
