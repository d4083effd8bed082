package pkcs11_test

import (
	"context"
	"errors"
	"log"
	"os"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/pkcs11"
)

// A key that the token holds signs as any signing.Signer does.
func Example() {
	ctx := context.Background()
	token, err := pkcs11.Open(ctx, pkcs11.Config{
		Module: "/usr/lib/softhsm/libsofthsm2.so", Token: "walletfi", PIN: walletfi.NewSecret(os.Getenv("PIN")),
	})
	if errors.Is(err, pkcs11.ErrPIN) {
		log.Fatal("ask a person: ", err) // do not begin again, or the token locks
	}
	if err != nil {
		log.Fatal(err)
	}
	defer token.Close()
	key, err := token.Key(ctx, pkcs11.Name{Label: "bot"})
	if err != nil {
		log.Fatal(err)
	}
	log.Print(key.PublicKey())
}
