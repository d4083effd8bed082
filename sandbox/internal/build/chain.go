// Package build makes the transactions of the services, runs their effects on
// the ledger, and lets an attack replace a transaction.
package build

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Chain is the sandbox's ledger with the tokens, programs and vaults of the
// services.
type Chain struct {
	*kit.Core
	*ledger.Ledger
	seed     uint64 // Config's, which is read here without the lock
	wallet   ed25519.PrivateKey
	Tokens   []Token
	Programs map[play.Service]solana.PublicKey
	vaults   map[play.Service]solana.PublicKey
	loose    *kit.Shelf[uint64, *Effect] // in instructions, for whoever makes a transaction of them
	built    *kit.Shelf[uint64, *Effect] // in transactions, until these have expired
	keys     sync.Map                    // derived ones, by name
	fees     *feeMarket
	queue    []waiting // what the leader has, with a market
	attack   func(service play.Service, honest []byte, owner [32]byte) []byte
}

// Open makes the ledger, its tokens, a program for each service, and the
// wallet.
func Open(c *kit.Core) (*Chain, error) {
	s := &Chain{
		Core: c, seed: c.Config.Seed,
		Programs: map[play.Service]solana.PublicKey{}, vaults: map[play.Service]solana.PublicKey{},
		loose: kit.NewShelf[uint64, *Effect](c, InstructionLife, 0), built: kit.NewShelf[uint64, *Effect](c, c.Expiry(), 0),
	}
	s.wallet = s.Keypair("wallet")
	s.Ledger = ledger.New(s.Config.Seed, c)
	s.Remembered = s.Deepest()
	s.openTokens()
	for _, name := range play.Services() {
		id := PublicKey(s.Keypair("program " + string(name)))
		vault, _, err := solana.FindProgramAddress([][]byte{[]byte("vault")}, id)
		if err != nil {
			panic("sandbox: no address for a vault") // one in 2^256
		}
		s.Programs[name], s.vaults[name] = id, vault
		s.Register(id, func(x *ledger.Invocation) { s.runEffect(x, vault) })
		s.Airdrop(s.Vault(name), 1_000_000*LamportsPerSOL)
	}
	s.Endow(s.wallet)
	var err error
	if n := s.Config.Network; n != nil && n.Fees != nil {
		s.fees, err = newFeeMarket(*n.Fees, s.Config)
	}
	return s, err
}

// Endow gives a wallet what every wallet begins with.
func (s *Chain) Endow(wallet ed25519.PrivateKey) {
	owner := PublicKey(wallet)
	s.Airdrop(owner, 100*LamportsPerSOL)
	s.MintTo(owner, s.Token("USDC").Key, 10_000_000_000)
	s.MintTo(owner, s.Token("DUST").Key, 137)
}

// TenantWallet is the key of a tenant's wallet.
func (s *Chain) TenantWallet(tenant string) ed25519.PrivateKey {
	return s.Keypair("wallet of " + tenant)
}

// LamportsPerSOL is how many lamports a SOL has.
const LamportsPerSOL = 1_000_000_000

// Keypair derives a key from the seed and a name.
func (s *Chain) Keypair(name string) ed25519.PrivateKey {
	if known, ok := s.keys.Load(name); ok {
		return known.(ed25519.PrivateKey)
	}
	key := s.PassingKey(name)
	s.keys.Store(name, key)
	return key
}

// PassingKey is Keypair for names that come and go: the key is not remembered.
func (s *Chain) PassingKey(name string) ed25519.PrivateKey {
	h := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte("sandbox "+name+" "), s.seed))
	return ed25519.NewKeyFromSeed(h[:])
}

// PublicKey is the address of a key.
func PublicKey(k ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKeyFromBytes(k.Public().(ed25519.PublicKey))
}

// Vault is the address, derived from a service's program, that holds what the
// service holds. It has lamports to pay with; Stock adds tokens.
func (s *Chain) Vault(service play.Service) solana.PublicKey { return s.vaults[service] }

// Stock mints tokens into a service's vault.
func (s *Chain) Stock(service play.Service, mint solana.PublicKey, amount uint64) {
	s.MintTo(s.Vault(service), mint, amount)
}

// Wallet does what sandbox.Sandbox.Wallet says.
func (s *Chain) Wallet() ed25519.PrivateKey { return s.wallet }

// WalletAddress is the address of Wallet, base58.
func (s *Chain) WalletAddress() string { return PublicKey(s.wallet).String() }

// ProgramID does what sandbox.Sandbox.ProgramID says.
func (s *Chain) ProgramID(service play.Service) string {
	id, ok := s.Programs[service]
	if !ok {
		return ""
	}
	return id.String()
}

// FundWallet creates lamports at an address.
func (s *Chain) FundWallet(address string, lamports uint64) error {
	key, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", address)
	}
	s.Lock()
	defer s.Unlock()
	if s.Balance(key)+lamports < lamports {
		return fmt.Errorf("sandbox: %s would hold more than 2^64-1 lamports", address)
	}
	s.Airdrop(key, lamports)
	return nil
}

// FundToken does what sandbox.LedgerHandle.FundToken says.
func (s *Chain) FundToken(wallet, mint string, amount uint64) error {
	owner, err := solana.PublicKeyFromBase58(wallet)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", wallet)
	}
	key, err := solana.PublicKeyFromBase58(mint)
	if err != nil {
		return fmt.Errorf("sandbox: %q is no address", mint)
	}
	s.Lock()
	defer s.Unlock()
	m, ok := ledger.AsMint(s.Account(key))
	if !ok {
		return fmt.Errorf("sandbox: %s is not a mint", mint)
	}
	var held uint64 // of wrapped SOL, which has no supply, what the wallet has counts
	if a := s.Account(ledger.Associated(owner, key, s.Account(key).Owner)); a != nil {
		held = a.Lamports
		if t, ok := ledger.AsToken(a); ok {
			held = max(held, t.Amount())
		}
	}
	if max(held, m.Supply())+amount < amount {
		return fmt.Errorf("sandbox: there would be more than 2^64-1 of %s", mint)
	}
	s.MintTo(owner, key, amount)
	return nil
}
