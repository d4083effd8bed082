package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"github.com/gagliardetto/solana-go"
)

// The programs and accounts that instructions name.
var (
	systemProgram  = solana.MustPublicKeyFromBase58("11111111111111111111111111111111")
	tokenProgram   = solana.MustPublicKeyFromBase58("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
	token2022      = solana.MustPublicKeyFromBase58("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
	ataProgram     = solana.MustPublicKeyFromBase58("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
	memo1          = solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
	memo           = solana.MustPublicKeyFromBase58("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
	budget         = solana.MustPublicKeyFromBase58("ComputeBudget111111111111111111111111111111")
	ed25519Program = solana.MustPublicKeyFromBase58("Ed25519SigVerify111111111111111111111111111")
	secp256k1      = solana.MustPublicKeyFromBase58("KeccakSecp256k11111111111111111111111111111")
	secp256r1      = solana.MustPublicKeyFromBase58("Secp256r1SigVerify1111111111111111111111111")
	lookupProgram  = solana.MustPublicKeyFromBase58("AddressLookupTab1e1111111111111111111111111")
	nativeMint     = solana.MustPublicKeyFromBase58("So11111111111111111111111111111111111111112")
	nativeMint2022 = solana.MustPublicKeyFromBase58("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP")
	rentSysvar     = solana.MustPublicKeyFromBase58("SysvarRent111111111111111111111111111111111")
	recentSysvar   = solana.MustPublicKeyFromBase58("SysvarRecentB1ockHashes11111111111111111111")
)

// rent is the least balance of an account with so many bytes, in lamports.
func rent(size int) uint64 { return uint64(128+size) * 6960 }

// step is something that happens before the probe: an instruction, or slots that pass.
type step struct {
	ins   ins
	slots int
}

// scene is one case in the making: its keys and what happens before the probe. Both ledgers
// get what fund says out of nothing, and everything else by transactions.
type scene struct {
	*rand.Rand
	salt   string
	drawn  uint64
	slot   uint64 // of the ledgers when the scene begins
	passed uint64
	payer  key
	keys   map[key]ed25519.PrivateKey
	order  []key // every address that the scene made or found, for the comparison
	funds  []fund
	steps  []step
	table  table
	nonce  *key // whose value is the probe's blockhash
}

type fund struct {
	key      key
	lamports uint64
}

func newScene(seed uint64, number int, slot uint64) *scene {
	s := &scene{
		Rand: rand.New(rand.NewPCG(seed, uint64(number))), slot: slot,
		keys: map[key]ed25519.PrivateKey{},
	}
	s.salt = string(join("judge", u64(seed), u64(uint64(number))))
	s.payer = s.wallet(5_000_000_000)
	return s
}

// key makes a key pair, whose account does not exist.
func (s *scene) key() key {
	s.drawn++
	seed := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte(s.salt), s.drawn))
	private := ed25519.NewKeyFromSeed(seed[:])
	k := key(private.Public().(ed25519.PublicKey))
	s.keys[k] = private
	return s.see(k)
}

// see adds an address to those that are compared.
func (s *scene) see(k key) key {
	s.order = append(s.order, k)
	return k
}

func (s *scene) wallet(lamports uint64) key {
	k := s.key()
	s.fund(k, lamports)
	return k
}

func (s *scene) fund(k key, lamports uint64) { s.funds = append(s.funds, fund{k, lamports}) }

func (s *scene) do(all ...ins) {
	for _, i := range all {
		s.steps = append(s.steps, step{ins: i})
	}
}

// wait lets slots pass.
func (s *scene) wait(slots int) {
	s.steps = append(s.steps, step{slots: slots})
	s.passed += uint64(slots)
}

func (s *scene) chance(p float64) bool { return s.Float64() < p }

func (s *scene) upTo(n uint64) uint64 { return s.Uint64N(n) + 1 }

// account creates an account of a program with zeroes in it.
func (s *scene) account(program key, size int) key {
	k := s.key()
	s.do(createAccount(s.payer, k, rent(size), uint64(size), program))
	return k
}

// pda derives an address of a program.
func (s *scene) pda(program key, seeds ...[]byte) (key, byte) {
	k, bump, err := solana.FindProgramAddress(seeds, program)
	if err != nil {
		panic(err)
	}
	return s.see(k), bump
}
