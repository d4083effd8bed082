package build

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Status returns the commitment of a transaction ("processed", "confirmed" or
// "finalized") and its receipt, or "" and nil if it has not landed.
func (s *Chain) Status(signature solana.Signature) (string, *ledger.Receipt) {
	r := s.Receipt(signature)
	if r == nil {
		return "", nil
	}
	for _, c := range []string{"finalized", "confirmed"} {
		if r.Slot+s.Lag(c) <= s.CurrentSlot() {
			return c, r
		}
	}
	return "processed", r
}

// Holding is how much of a token a wallet's associated account holds.
func (s *Chain) Holding(wallet solana.PublicKey, t Token) uint64 {
	account, ok := ledger.AsToken(s.Account(t.Account(wallet)))
	if !ok {
		return 0
	}
	return account.Amount()
}

// SignatureStatus is how a node describes a transaction that landed.
func SignatureStatus(commitment string, slot uint64, r *ledger.Receipt) any {
	status := map[string]any{
		"slot":               r.Slot,
		"confirmations":      min(slot-r.Slot, kit.Finality),
		"err":                nil,
		"status":             map[string]any{"Ok": nil},
		"confirmationStatus": commitment,
	}
	if commitment == "finalized" {
		status["confirmations"] = nil
	}
	if r.Err != nil {
		status["err"], status["status"] = r.Err, map[string]any{"Err": r.Err}
	}
	return status
}
