package wallet

import (
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
)

// ownBytes refuses transactions that are another payment's too, byte for byte:
// the ledger executes them once, so that one of the two would be called confirmed
// by the other's execution. A service builds them if the same is asked for twice
// on one blockhash.
//
// It is asked after the signatures are in the journal and before they are sent: of
// two payments at once, at least one sees the other.
func (e *execution) ownBytes(ctx context.Context) error {
	var own []string
	for _, s := range e.entry.Steps {
		if slices.Contains(own, s.Own) {
			return sameBytes("occurs twice in the set")
		}
		own = append(own, s.Own)
	}
	if e.entry.Derived {
		return nil // the same intent is the same key
	}
	for other, err := range e.w.journal.List(ctx, Query{Signatures: own}) {
		if err != nil {
			return fmt.Errorf("nothing was sent, because the journal does not answer: %w", err)
		}
		if other.Key == e.entry.Key {
			continue
		}
		for _, s := range other.Steps {
			if slices.Contains(own, s.Own) && (s.State == KeyConfirmed || !s.State.Settled()) {
				return sameBytes(fmt.Sprintf("is that of key %q too", other.callersKey()))
			}
		}
	}
	return nil
}

func sameBytes(problem string) error {
	return &walletfi.ValidationError{
		Field: "transactions", Problem: "have one that " + problem + ", byte for byte, so that it would be executed once: build it on a newer blockhash",
	}
}
