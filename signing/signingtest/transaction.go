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
	"encoding/binary"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
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
	const transfer = 2 // of the system program
	data := binary.LittleEndian.AppendUint32(nil, transfer)
	return Instruction{
		Program:  signing.SystemProgram,
		Accounts: []Account{{Key: from, Signer: true, Writable: true}, {Key: to, Writable: true}},
		Data:     binary.LittleEndian.AppendUint64(data, uint64(lamports)),
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
	accounts, header := x.accounts()
	if len(accounts) > 127 || int(header[0]) > 19 {
		t.Fatalf("signingtest: %d accounts and %d signers are too many for a test", len(accounts), header[0])
	}
	raw := append([]byte{header[0]}, make([]byte, 64*int(header[0]))...)
	raw = append(append(raw, header[:]...), byte(len(accounts)))
	for _, a := range accounts {
		raw = append(raw, a.Key[:]...)
	}
	raw = append(raw, blockhash[:]...)
	raw = short(raw, len(x.Instructions))
	index := func(key signing.PublicKey) byte {
		return byte(slices.IndexFunc(accounts, func(a Account) bool { return a.Key == key }))
	}
	for _, in := range x.Instructions {
		raw = short(append(raw, index(in.Program)), len(in.Accounts))
		for _, a := range in.Accounts {
			raw = append(raw, index(a.Key))
		}
		raw = append(short(raw, len(in.Data)), in.Data...)
	}
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

// accounts lists each account once: signers first, of those and of the others the
// written ones first, the fee payer before all. The header counts them.
func (x Transaction) accounts() (all []Account, header [3]byte) {
	all = []Account{{Key: x.FeePayer, Signer: true, Writable: true}}
	add := func(a Account) {
		if i := slices.IndexFunc(all, func(b Account) bool { return a.Key == b.Key }); i >= 0 {
			all[i].Signer, all[i].Writable = all[i].Signer || a.Signer, all[i].Writable || a.Writable
			return
		}
		all = append(all, a)
	}
	for _, in := range x.Instructions {
		for _, a := range in.Accounts {
			add(a)
		}
		add(Account{Key: in.Program})
	}
	rank := func(a Account) int {
		switch {
		case a.Signer && a.Writable:
			return 0
		case a.Signer:
			return 1
		case a.Writable:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(all[1:], func(a, b Account) int { return rank(a) - rank(b) })
	for _, a := range all {
		switch rank(a) {
		case 0:
			header[0]++
		case 1:
			header[0]++
			header[1]++
		case 3:
			header[2]++
		}
	}
	return all, header
}

// short appends a length in the ledger's form: seven bits a byte, the lowest first.
func short(b []byte, n int) []byte {
	for ; n > 127; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}
