package sandbox

import "crypto/ed25519"

// Wallet is the key of a wallet that has 100 SOL, 10,000 USDC and a little
// DUST. It is the same for the same seed.
func (s *Sandbox) Wallet() ed25519.PrivateKey { return s.world.Wallet() }

// WalletAddress is the address of Wallet, base58.
func (s *Sandbox) WalletAddress() string { return s.world.WalletAddress() }

// ProgramID returns the address of a service's program on the ledger, base58.
// Pin it in signing's policy.
func (s *Sandbox) ProgramID(service Service) string { return s.world.ProgramID(service) }

// Mint returns the mint of the token with a symbol, base58, empty if there is
// none. See [LedgerHandle.Tokens].
func (s *Sandbox) Mint(symbol string) string {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.Token(symbol).Mint
}
