package sandbox

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// firstSlot is the slot in which the sandbox starts.
const firstSlot = 320_000_000

// finality is how many slots it takes until a transaction cannot be undone.
const finality = 32

// chain is the sandbox's ledger and what its services keep on it.
type chain struct {
	*ledger.Ledger
	start    time.Time // of firstSlot
	wallet   ed25519.PrivateKey
	tokens   []Token
	programs map[Service]solana.PublicKey
	effects  map[uint64]*effect
	attack   func(service Service, honest []byte, owner [32]byte) []byte
}

// openChain makes the ledger, its tokens, a program for each service, and the
// wallet.
func (s *Sandbox) openChain() {
	s.chain = chain{
		start: s.now(), wallet: s.keypair("wallet"),
		programs: map[Service]solana.PublicKey{}, effects: map[uint64]*effect{},
	}
	s.chain.Ledger = ledger.New(s.config.Seed, func() (time.Time, uint64) { return s.now(), s.slot() })
	s.openTokens()
	for _, name := range Services() {
		id := publicKey(s.keypair("program " + string(name)))
		s.chain.programs[name] = id
		s.chain.Register(id, s.runEffect)
		s.chain.Airdrop(s.vault(name), 1_000_000*lamportsPerSOL)
	}
	owner := publicKey(s.chain.wallet)
	s.chain.Airdrop(owner, 100*lamportsPerSOL)
	s.chain.MintTo(owner, s.token("USDC").key, 10_000_000_000)
	s.chain.MintTo(owner, s.token("DUST").key, 137)
}

// lamportsPerSOL is how many lamports a SOL has.
const lamportsPerSOL = 1_000_000_000

// slot is the current one.
func (s *Sandbox) slot() uint64 {
	return firstSlot + uint64(s.now().Sub(s.chain.start)/s.config.SlotTime)
}

// keypair derives a key from the seed and a name.
func (s *Sandbox) keypair(name string) ed25519.PrivateKey {
	h := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("sandbox "+name+" "), s.config.Seed))
	return ed25519.NewKeyFromSeed(h[:])
}

func publicKey(k ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKeyFromBytes(k.Public().(ed25519.PublicKey))
}

// vault is the address, derived from a service's program, that holds what the
// service holds. It has lamports to pay with; tokens come by stock.
func (s *Sandbox) vault(service Service) solana.PublicKey {
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("vault")}, s.chain.programs[service])
	if err != nil {
		panic("sandbox: no address for a vault") // one in 2^256
	}
	return address
}

// stock puts tokens into a service's vault out of nothing.
func (s *Sandbox) stock(service Service, mint solana.PublicKey, amount uint64) {
	s.chain.MintTo(s.vault(service), mint, amount)
}

// Wallet is the key of a wallet that has 100 SOL, 10,000 USDC and a little
// DUST. It is the same for the same seed.
func (s *Sandbox) Wallet() ed25519.PrivateKey { return s.chain.wallet }

// WalletAddress is the address of Wallet, base58.
func (s *Sandbox) WalletAddress() string { return publicKey(s.chain.wallet).String() }

// ProgramID is the address of a service's program on the ledger, base58, which
// is what a caller pins.
func (s *Sandbox) ProgramID(service Service) string {
	id, ok := s.chain.programs[service]
	if !ok {
		return ""
	}
	return id.String()
}

// FundWallet gives lamports to an address out of nothing.
func (s *Sandbox) FundWallet(address string, lamports uint64) error {
	key, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", address)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chain.Airdrop(key, lamports)
	return nil
}

// FundToken gives an amount of a token, in smallest units, to a wallet out of
// nothing. Its associated token account is made where it is missing.
func (s *Sandbox) FundToken(wallet, mint string, amount uint64) error {
	owner, err := solana.PublicKeyFromBase58(wallet)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", wallet)
	}
	key, err := solana.PublicKeyFromBase58(mint)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", mint)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.chain.MintTo(owner, key, amount); !ok {
		return fmt.Errorf("sandbox: %s is no mint", mint)
	}
	return nil
}
