package signing_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// seeded stands in for a key that a program loads with LoadLocalKey.
func seeded(name string) *signing.LocalKey {
	seed := sha256.Sum256([]byte(name))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return key
}

// answer is a builder's answer: here a transfer, asked for or not.
func answer(from, to signing.PublicKey, lamports uint64) walletfi.Unsigned {
	tx, err := signing.DecodeBytes(txbuild.Transaction{
		Format: txbuild.V0, Payer: from, Blockhash: sha256.Sum256([]byte("blockhash")),
		Instructions: []txbuild.Instruction{txbuild.Transfer(from, to, lamports)},
	}.Bytes())
	if err != nil {
		panic(err)
	}
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Owner: from.String(),
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 1_000_000}},
			PayTo: []string{seeded("friend").PublicKey().String()},
		},
	}
}

// A wallet signs what a builder answered: the transfer that was asked for
// passes, the same transfer to another recipient is refused.
func Example() {
	key := seeded("wallet")
	guard := signing.NewGuard(signing.Policy{})

	for _, recipient := range []string{"friend", "thief"} {
		unsigned := answer(key.PublicKey(), seeded(recipient).PublicKey(), 1_000_000)
		txs, _, err := guard.SignSet(context.Background(), unsigned, key)
		fmt.Println(recipient, "signed:", len(txs), "refused:", errors.Is(err, signing.ErrRefused))
	}
	// Output:
	// friend signed: 1 refused: false
	// thief signed: 0 refused: true
}

func ExampleGuard_SignSet() {
	key := seeded("wallet")
	guard := signing.NewGuard(signing.Policy{})

	txs, report, err := guard.SignSet(context.Background(), answer(key.PublicKey(), seeded("friend").PublicKey(), 1_000_000), key)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("signed:", txs[0].Signature().Verify(key.PublicKey(), txs[0].Message()))
	fmt.Println("leaves:", report.Total(signing.NativeMint, signing.CountsAsSpend), "lamports")
	// Output:
	// signed: true
	// leaves: 1000000 lamports
}

func ExampleGuard_SignSet_refused() {
	key := seeded("wallet")
	guard := signing.NewGuard(signing.Policy{})

	_, _, err := guard.SignSet(context.Background(), answer(key.PublicKey(), seeded("thief").PublicKey(), 1_000_000), key)
	var refusal *signing.GuardError
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Rule, "in instruction", refusal.Instruction, "of", signing.ProgramName(refusal.Program))
	}
	// Output:
	// system.transfer in instruction 0 of System
}

func ExampleDecode() {
	key := seeded("wallet")
	tx, err := signing.Decode(answer(key.PublicKey(), seeded("friend").PublicKey(), 5).Transactions[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, ins := range tx.Instructions() {
		fmt.Println(tx.Version(), "instruction", i, "calls", signing.ProgramName(ins.Program), "with", len(ins.Data), "bytes")
	}
	// Output:
	// v0 instruction 0 calls System with 12 bytes
}
