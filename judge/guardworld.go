package main

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// accounts are those that the corpus asks for, as the programs write them.
func accounts(c corpus.Config, g *corpus.Grammar) []*account {
	spec := corpus.NewLedger(c)
	var all []*account
	put := func(k key, lamports uint64, owner key, data []byte) {
		all = append(all, &account{Key: k.String(), Lamports: lamports, Owner: owner.String(), Data: data})
	}
	for _, m := range spec.Mints {
		data := mintData(m, c.Owner)
		put(m.Address, rent(len(data)), m.Program, data)
	}
	for wallet, lamports := range spec.Wallets {
		put(wallet, lamports, systemProgram, nil)
	}
	for _, h := range holdings(spec) {
		all = append(all, tokenAccount(h.at, h.mint, h.owner, h.amount))
	}
	table, held := g.Table()
	put(table, rent(56+32*len(held)), lookupProgram, tableData(held))
	put(ownStake, rent(stakeSize)+stakeLamports, stakeProgram, stakeData(c.Owner))
	nonce := slices.Concat(u32(1), u32(1), spec.Nonce.Authority[:], spec.Nonce.Value[:], u64(5000))
	put(spec.Nonce.Account, rent(len(nonce))+stakeLamports, systemProgram, nonce)
	return all
}

// holding is a token account of the corpus.
type holding struct {
	at, owner key
	mint      corpus.Mint
	amount    uint64
}

func holdings(spec corpus.Ledger) (all []holding) {
	mints := map[corpus.Key]corpus.Mint{}
	for _, m := range spec.Mints {
		mints[m.Address] = m
	}
	for _, h := range spec.Holdings {
		m := mints[h.Mint]
		all = append(all, holding{associated(h.Wallet, m), h.Wallet, m, h.Amount})
	}
	for _, a := range spec.Accounts {
		all = append(all, holding{a.Address, a.Owner, mints[a.Mint], a.Amount})
	}
	return all
}

func associated(wallet key, m corpus.Mint) key {
	at, _, err := solana.FindProgramAddress([][]byte{wallet[:], m.Program[:], m.Address[:]}, ataProgram)
	if err != nil {
		panic(err)
	}
	return at
}

// ownStake is a stake account of the owner's, who is its staker and its withdrawer.
var ownStake = key(sha256.Sum256([]byte("stake of the owner")))

func stakeData(owner corpus.Key) []byte {
	data := slices.Concat(u32(1), u64(rent(stakeSize)), owner[:], owner[:])
	return append(data, make([]byte, stakeSize-len(data))...)
}

func mintData(m corpus.Mint, authority corpus.Key) []byte {
	data := slices.Concat(u32(1), authority[:], u64(1<<60), []byte{m.Decimals, 1}, u32(1), authority[:])
	if m.FeeBasisPoints == 0 {
		return data
	}
	fee := slices.Concat(u64(0), u64(1<<60), u16(m.FeeBasisPoints))
	data = append(data, make([]byte, 165-len(data))...)
	return slices.Concat(data, []byte{1, 1, 0, 108, 0}, authority[:], authority[:], u64(0), fee, fee)
}

// tokenAccount has the extensions that an associated account of the mint has.
func tokenAccount(at key, m corpus.Mint, owner corpus.Key, amount uint64) *account {
	data := make([]byte, 165)
	copy(data, m.Address[:])
	copy(data[32:], owner[:])
	binary.LittleEndian.PutUint64(data[64:], amount)
	data[108] = 1
	if key(m.Program) == token2022 {
		data = append(data, 2, 7, 0, 0, 0)
	}
	if m.FeeBasisPoints > 0 {
		data = append(data, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	}
	lamports := rent(len(data))
	if isNative(m.Address) {
		data[109] = 1
		binary.LittleEndian.PutUint64(data[113:], lamports)
		lamports += amount
	}
	return &account{Key: at.String(), Lamports: lamports, Owner: key(m.Program).String(), Data: data}
}

func isNative(mint key) bool { return mint == nativeMint || mint == nativeMint2022 }

func tableData(held []corpus.Key) []byte {
	data := slices.Concat(u32(1), u64(1<<64-1), make([]byte, 44))
	for _, k := range held {
		data = append(data, k[:]...)
	}
	return data
}
