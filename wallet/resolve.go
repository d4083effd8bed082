package wallet

import (
	"context"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
)

// Resolution is what an operator knows of a key that no node of the wallet can settle.
type Resolution struct {
	// State is what became of every transaction in doubt: StateConfirmed, StateFailed or
	// StateExpired.
	State State
	// Signatures are those in doubt: see UnsettledError.Signatures. All must be listed.
	Signatures []string
	// By is who says so, Reason how it is known, such as the page of an explorer. Both
	// are required, and kept in the journal.
	By, Reason string
}

// resolutions are the states that an operator can vouch for.
var resolutions = map[State]event{StateConfirmed: evConfirm, StateFailed: evFail, StateExpired: evExpire}

// Resolve settles a key by hand. If what it says is wrong, the key can pay twice. It is
// for nodes that cannot show more, such as one that has dropped its history: see
// [Wallet.Unsettled] for what is missing.
func (w *Wallet) Resolve(ctx context.Context, key string, r Resolution) error {
	ev, known := resolutions[r.State]
	err := check.All(
		check.Required("key", key), checkKey(key), check.Required("by", r.By), check.Required("reason", r.Reason),
		check.That(known, "state", "must be confirmed, failed or expired"),
	)
	if err != nil {
		return err
	}
	free, err := w.begin(ctx, callerKey+key)
	if err != nil {
		return err
	}
	e := &execution{w: w, free: free}
	defer e.release()
	if e.entry, err = w.journal.Load(ctx, callerKey+key); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	if busy, err := w.held(ctx, e.entry); err != nil || busy {
		return e.unsettled(busy, err)
	}
	open := e.signatures()
	slices.Sort(open)
	if len(open) == 0 || !slices.Equal(open, slices.Sorted(slices.Values(r.Signatures))) {
		return &walletfi.ValidationError{Field: "signatures", Problem: fmt.Sprintf("must be those in doubt, %q", open)}
	}
	if err := e.takeOver(ctx); err != nil {
		return err
	}
	return e.store(ctx, func(next *Entry) error {
		for _, i := range next.open() {
			s := &next.Steps[i]
			if s.Evidence == nil {
				s.Evidence = &walletfi.Evidence{After: next.Signing, Told: s.Last}
			}
			s.Evidence.Vouched = &walletfi.Vouched{By: r.By, Reason: r.Reason, At: w.now()}
			if ev == evFail {
				s.Err = "by the word of " + r.By
			}
			if err := next.move(ev, i); err != nil {
				return err
			}
		}
		return nil
	})
}
