package signingtest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// What a mocked service answers passes the guard if its program is pinned, and what the
// program will send for it is known before.
func Example() {
	t := new(testing.T) // that of your test
	owner, program := signingtest.Key("owner"), signingtest.Key("lending").PublicKey()
	tx := signingtest.Transaction{FeePayer: owner.PublicKey(), Instructions: []signingtest.Instruction{
		signingtest.Call(program, owner.PublicKey()),
	}}
	guard := signing.NewGuard(signing.Policy{
		Pins:       map[string][]signing.PublicKey{"lending": {program}},
		AllowBlind: []string{"lending"}, // without a simulator
	})
	signed, _, err := guard.SignSet(context.Background(), walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Unsigned(t)},
		Intent:       walletfi.Intent{Service: "lending", Owner: owner.PublicKey().String()},
	}, owner)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(signed[0].Signature().String() == tx.Signed(t, owner).Signature)
	// Output: true
}
