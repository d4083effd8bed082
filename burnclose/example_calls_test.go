package burnclose_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/sandbox"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*burnclose.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := burnclose.New(burnclose.Config{
		BaseURL: s.URL(sandbox.BurnClose),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.BurnClose)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

// A preview says what a close gives back, and builds nothing.
func ExampleClient_PreviewCloseAll() {
	client, s := onSandbox()
	defer s.Close()
	if _, err := s.BurnClose().OpenEmptyAccounts(s.WalletAddress(), 3); err != nil {
		fmt.Println(err)
		return
	}
	preview, err := client.PreviewCloseAll(context.Background(), burnclose.CloseAllRequest{Owner: s.WalletAddress()})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("reclaims", preview.Lamports.UI(9), "SOL")
	// Output: reclaims 0.00611784 SOL
}

func ExampleClient_BuildCloseAll() {
	client, s := onSandbox()
	defer s.Close()
	if _, err := s.BurnClose().OpenEmptyAccounts(s.WalletAddress(), 3); err != nil {
		fmt.Println(err)
		return
	}
	built, err := client.BuildCloseAll(context.Background(), burnclose.CloseAllRequest{Owner: s.WalletAddress()})
	if err != nil {
		fmt.Println(err)
		return
	}
	unsigned := built.Unsigned() // to be checked and signed: see packages signing and wallet
	fmt.Println(built.AccountsClosed, "accounts in", len(unsigned.Transactions), "transaction")
	// Output: 3 accounts in 1 transaction
}
