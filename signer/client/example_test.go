package client_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// run has a wallet sign by the signer.
func run(ctx context.Context, node *rpcnode.Client) error {
	key, err := client.Dial(ctx, "signer.sock", "bot")
	if err != nil {
		return err
	}
	defer key.Close()
	w, err := wallet.New(wallet.Config{Signer: key, Node: node, Guard: signing.NewGuard(signing.Policy{})})
	if err != nil {
		return err
	}
	return w.Close()
}

// A wallet signs by a signer in the place of a key.
func Example_wallet() {
	err := run(context.Background(), nil)
	fmt.Println("no signer:", errors.Is(err, walletfi.ErrUnavailable))
	// Output: no signer: true
}

// A signer judges transactions, and signs no bytes. Without one, its client says so.
func Example() {
	ctx := context.Background()
	_, err := client.Dial(ctx, "/nonexistent/signer.sock", "bot")
	fmt.Println("unavailable:", errors.Is(err, walletfi.ErrUnavailable))
	_, err = client.Connect("/nonexistent/signer.sock").Sign(ctx, []byte("message"))
	fmt.Println(err)
	// Output:
	// unavailable: true
	// signer/client: a signer signs no bytes: use it as a signing.SetSigner
}
