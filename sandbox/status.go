package sandbox

import (
	"net/http"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// status returns how settled a transaction is ("processed", "confirmed",
// "finalized") and its receipt: empty and nil where it never landed.
func (s *Sandbox) status(signature solana.Signature) (string, *ledger.Receipt) {
	r := s.chain.Receipt(signature)
	if r == nil {
		return "", nil
	}
	for _, c := range []string{"finalized", "confirmed"} {
		if r.Slot+s.lag(c) <= s.slot() {
			return c, r
		}
	}
	return "processed", r
}

// lag is how many slots a commitment is behind.
func (s *Sandbox) lag(commitment string) uint64 {
	if s.config.InstantConfirmation {
		return 0
	}
	switch commitment {
	case "processed":
		return 0
	case "confirmed":
		return 1
	}
	return finality
}

// holding is how much of a token a wallet's associated account holds.
func (s *Sandbox) holding(wallet solana.PublicKey, t Token) uint64 {
	account, ok := ledger.AsToken(s.chain.Account(t.account(wallet)))
	if !ok {
		return 0
	}
	return account.Amount()
}

// key reads an address that a request names.
func (c *call) key(text, field string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil || len(text) > 44 {
		return key, refuse(http.StatusBadRequest, "", "%s is no address", field)
	}
	return key, nil
}
