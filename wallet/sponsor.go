package wallet

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// searcher looks for a message in its owner's history since a slot, and returns a
// signature of it that is genuine, or "".
type searcher func(ctx context.Context, owner string, message []byte, since uint64, genuine func(string) bool) (string, error)

// searchOne is the searcher of one node, nil if it is none.
func searchOne(finder walletfi.MessageFinder) searcher {
	if finder == nil {
		return nil
	}
	return func(ctx context.Context, owner string, message []byte, since uint64, genuine func(string) bool) (string, error) {
		signature, err := finder.FindMessage(ctx, owner, message, since, 0)
		if err == nil && signature != "" && !genuine(signature) {
			signature = ""
		}
		return signature, err
	}
}

// findMessage looks for a transaction whose last signer was a sponsor, in the owner's
// history. That it is not found there proves nothing.
func (r *round) findMessage(ctx context.Context, f *flight) {
	sent, err := signing.Decode(f.step.Transaction)
	signature := ""
	if err == nil && r.search != nil {
		ctx, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		signature, err = r.search(ctx, f.owner, sent.Message(), f.evidence.After.Slot, func(s string) bool {
			return signedBy(f.step.Transaction, s)
		})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.finished: // its end is being written without the lock
	case err == nil && signature != "":
		f.asked = nil
		f.step.Signature, f.hinted = signature, true
	default:
		f.asked = err
		r.impatience(f)
	}
}
