package client_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/client"
)

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
