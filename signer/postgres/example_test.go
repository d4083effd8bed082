package postgres_test

import (
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/postgres"
	"github.com/walletfi/walletfi-go/signing"
)

// A program that has one of several signers in itself.
func ExampleOpen() {
	open := func(
		ctx context.Context, url walletfi.Secret, policy *signer.Policy, logKey ed25519.PrivateKey,
		keys []signing.Signer, nodes []signer.Node,
	) (*signer.Signer, error) {
		db, err := postgres.Open(ctx, url)
		if err != nil {
			return nil, err
		}
		return signer.Open(ctx, signer.Config{
			Policy: policy, Shared: db, Anchor: "/var/lib/walletfi/signer.anchor",
			LogKey: logKey, Keys: keys, Nodes: nodes,
		})
	}
	_, err := open(context.Background(), walletfi.NewSecret("no URL"), nil, nil, nil, nil)
	fmt.Println(err)
	// Output: postgres: the URL is not that of a database
}
