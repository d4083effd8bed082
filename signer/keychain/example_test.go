package keychain_test

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go/signer/keychain"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// A service's key is one of the signer's Config.Keys.
func Example() {
	custody := &fake{LocalKey: signingtest.Key("owner")} // in its place, your library
	key, err := keychain.New(context.Background(), custody)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(key.PublicKey() == custody.Pubkey())
	// Output: true
}
