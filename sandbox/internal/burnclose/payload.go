package burnclose

import (
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// relay has the options of the relay routes.
type relay struct {
	encoding       string
	skipPreflight  bool
	minContextSlot *uint64
	preflight      string // commitment against which minContextSlot is held
	wait           bool
	commitment     string
	timeoutMs      int
	pollMs         int
}

// The defaults of a request.
const (
	commitment = "confirmed"
	timeoutMs  = 30_000
	pollMs     = 500
)

// relay submits a transaction as a node would: preflight refuses a transaction
// that would fail; without preflight it is submitted in any case.
func (b *Service) relay(tx *ledger.Transaction, o relay) error {
	if o.minContextSlot != nil && *o.minContextSlot > b.CurrentSlot()-b.Lag(o.preflight) {
		return errors.New("the minimum context slot has not been reached")
	}
	if !o.skipPreflight {
		simulation, err := b.Chain.Simulate(tx.Raw, true, false)
		if err == nil && simulation.Err != nil {
			err = simulation.Err
		}
		if err != nil {
			return fmt.Errorf("transaction simulation failed: %w", err)
		}
	}
	b.Submit(tx.Raw)
	return nil
}

// settled reports whether a transaction has landed and reached a commitment.
func (b *Service) settled(signature solana.Signature, commitment string) bool {
	r := b.Chain.Receipt(signature)
	return r != nil && r.Slot+b.Lag(commitment) <= b.CurrentSlot()
}
