package wallet

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Outcome returns what the journal says of a payment by its ExecuteOptions.Key, also
// of one that an earlier process executed. It asks no node and waits for nothing: what
// is not settled is followed by Settle. Steps is empty if nothing was signed. If the
// journal does not have the key, the error answers to walletfi.ErrNotFound: nothing
// was signed for it, unless the journal has dropped it since, as FileJournal.Prune
// does.
func (w *Wallet) Outcome(ctx context.Context, key string) (Outcome, error) {
	if err := check.All(check.Required("key", key), checkKey(key)); err != nil {
		return Outcome{}, err
	}
	e, err := w.journal.Load(ctx, callerKey+key)
	if err != nil {
		return Outcome{}, fmt.Errorf("the journal: %w", err)
	}
	if e.Version == 0 {
		return Outcome{}, fmt.Errorf("%w: the journal does not have the key", walletfi.ErrNotFound)
	}
	return outcomeOf(e), nil
}
