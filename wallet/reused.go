package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// ErrKeyReused means that a key was given for something else than the payment that the
// journal has it for. The error names what differs, what it was and what is asked for now,
// and answers to walletfi.ErrNotSent and walletfi.ErrInvalidRequest too: of this call
// nothing was signed. What became of the key's own payment is what Wallet.Outcome says.
var ErrKeyReused = errors.New("the key names another payment")

// reused is the error of a call that asks for another payment under e's key, nil if
// nothing is named.
func (e Entry) reused(name, before, after string) error {
	if name == "" {
		return nil
	}
	const nothing = "nothing"
	return fmt.Errorf("%w: %w", ErrKeyReused, &walletfi.ValidationError{Field: "key", Problem: fmt.Sprintf(
		"%q is in use for %s %s, not %s", e.callersKey(), name, cmp.Or(before, nothing), cmp.Or(after, nothing),
	)})
}

// sameCaller refuses a key that the journal has for another payment.
func (e Entry) sameCaller(fresh Entry) error {
	if e.Schema > Schema {
		return fmt.Errorf("%w: key %q has schema %d, this one knows %d", ErrNewerJournal, e.Key, e.Schema, Schema)
	}
	return e.reused(otherThan(e.Asked, fresh.Asked))
}

// enter begins an Execute. What runs for another payment under the key is left alone.
func (w *Wallet) enter(ctx context.Context, fresh Entry) (free func(), err error) {
	if w.works(fresh.Key) {
		if err := w.inUse(ctx, fresh, nil); err != nil {
			return nil, err
		}
	}
	free, err = w.begin(ctx, fresh.Key)
	if errors.Is(err, walletfi.ErrOutcomeUnknown) {
		err = w.inUse(ctx, fresh, err)
	}
	return free, err
}

// inUse is the error of a call whose key another works on: running, unless that is known
// to be for another payment.
func (w *Wallet) inUse(ctx context.Context, fresh Entry, running error) error {
	was, err := w.journal.Load(ctx, fresh.Key)
	if err != nil || was.Version == 0 {
		return running
	}
	if err := was.sameCaller(fresh); err != nil {
		return notSent(err)
	}
	return running
}
