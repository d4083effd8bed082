// Package signingtest makes transactions, unsigned and signed, for tests that mock a
// service's HTTP, such as with gock, and have no ledger:
//
//	owner, program := signingtest.Key("owner"), signingtest.Key("lending").PublicKey()
//	tx := signingtest.Transaction{FeePayer: owner.PublicKey(), Instructions: []signingtest.Instruction{
//		signingtest.Call(program, owner.PublicKey()),
//	}}
//	built := tx.Unsigned(t)     // what the mocked service answers
//	sent := tx.Signed(t, owner) // what the program sends for it: sent.Signature is known
//
// The guard of package signing lets Call pass if its program is pinned. Keys follow from
// a name and hold no secret. For flows, package sandbox has a ledger.
package signingtest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// Key returns the key of a name, the same each time. Everybody can derive it.
func Key(name string) *signing.LocalKey {
	seed := sha256.Sum256([]byte("signingtest " + name))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	if err != nil {
		panic(err) // 32 bytes are a seed
	}
	return key
}

// Blockhash is that of a Transaction that names none.
const Blockhash = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"

// Account is an account of an instruction.
type Account struct {
	Key              signing.PublicKey
	Signer, Writable bool
}

// Instruction is a call of a program.
type Instruction struct {
	Program  signing.PublicKey
	Accounts []Account
	Data     []byte
}

// Call calls a program with an owner's signature and without data.
func Call(program, owner signing.PublicKey) Instruction {
	return Instruction{Program: program, Accounts: []Account{{Key: owner, Signer: true, Writable: true}}}
}

// Transfer moves lamports.
func Transfer(from, to signing.PublicKey, lamports walletfi.Amount) Instruction {
	built := txbuild.Transfer(from, to, uint64(lamports))
	return Instruction{
		Program:  built.Program,
		Accounts: []Account{{Key: from, Signer: true, Writable: true}, {Key: to, Writable: true}},
		Data:     built.Data,
	}
}

// Transaction is a legacy transaction.
type Transaction struct {
	FeePayer     signing.PublicKey // signs first
	Instructions []Instruction
	Blockhash    string // base58; empty means Blockhash
}

// Unsigned returns the transaction with empty signatures, as a service builds it.
// Base58 of the result is the other encoding.
func (x Transaction) Unsigned(t testing.TB) walletfi.Base64Transaction {
	t.Helper()
	hash := x.Blockhash
	if hash == "" {
		hash = Blockhash
	}
	blockhash, err := signing.ParsePublicKey(hash) // 32 bytes in base58, as an address
	if err != nil {
		t.Fatalf("signingtest: blockhash: %v", err)
	}
	built := txbuild.Transaction{Payer: x.FeePayer, Blockhash: blockhash}
	for _, in := range x.Instructions {
		var accounts []txbuild.Account
		for _, a := range in.Accounts {
			accounts = append(accounts, txbuild.Account{Key: a.Key, Signer: a.Signer, Writable: a.Writable})
		}
		built.Instructions = append(built.Instructions, txbuild.Call(in.Program, in.Data, accounts...))
	}
	raw := built.Bytes()
	if _, err := signing.DecodeBytes(raw); err != nil {
		t.Fatalf("signingtest: %v", err)
	}
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw))
}

// Signed returns the transaction with the signatures of keys, as a program sends it:
// Ed25519 gives the same bytes each time. Others who must sign have not signed yet.
func (x Transaction) Signed(t testing.TB, keys ...*signing.LocalKey) walletfi.Signed {
	t.Helper()
	tx, err := signing.Decode(x.Unsigned(t))
	if err != nil {
		t.Fatalf("signingtest: %v", err)
	}
	for _, key := range keys {
		if err := signing.SignUnchecked(context.Background(), tx, key); err != nil {
			t.Fatalf("signingtest: %v", err)
		}
	}
	return tx.Signed()
}
