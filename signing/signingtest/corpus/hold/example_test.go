package hold_test

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// The guard must sign each honest transaction of the corpus.
func ExampleGuard() {
	seed := sha256.Sum256([]byte("wallet"))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	honest := corpus.Benigns(corpus.Config{Owner: key.PublicKey()})
	signed := 0
	for _, b := range honest {
		if _, _, err := hold.Guard(b.Case).SignSet(context.Background(), b.Unsigned, key, hold.Options(b.Case)...); err != nil {
			fmt.Println(b.Name, err)
			continue
		}
		signed++
	}
	fmt.Println("all signed:", signed > 0 && signed == len(honest))
	// Output: all signed: true
}
