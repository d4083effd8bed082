package corpus_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

func Example() {
	seed := sha256.Sum256([]byte("wallet"))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		fmt.Println(err)
		return
	}
	attacks := corpus.Attacks(corpus.Config{Owner: key.PublicKey()})
	refused := 0
	for _, attack := range attacks {
		_, _, err := hold.Guard(attack.Case).SignSet(context.Background(), attack.Unsigned, key, hold.Options(attack.Case)...)
		var refusal *signing.GuardError
		if errors.As(err, &refusal) && string(refusal.Rule) == attack.Rule {
			refused++
		}
	}
	fmt.Println("all refused by their rule:", refused == len(attacks), "more than 1,000:", refused > 1000)
	// Output:
	// all refused by their rule: true more than 1,000: true
}
