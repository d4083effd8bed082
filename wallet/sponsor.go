package wallet

import (
	"context"

	"github.com/walletfi/walletfi-go/signing"
)

// findMessage looks for a transaction whose last signer was a sponsor, in the owner's
// history. That it is not found there proves nothing.
func (r *round) findMessage(ctx context.Context, f *flight) {
	if r.finder != nil {
		if signature, err := r.search(ctx, f); err != nil || signature != "" {
			r.named(f, signature, err)
			return
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !f.finished {
		r.impatience(f)
	}
}

// search asks for the signature of f's message.
func (r *round) search(ctx context.Context, f *flight) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	sent, err := signing.Decode(f.step.Transaction)
	if err != nil {
		return "", err
	}
	genuine := func(s string) bool { return signedBy(f.step.Transaction, s) }
	since := f.evidence.After.Slot
	if p, ok := r.finder.(*panel); ok {
		return p.search(ctx, f.owner, sent.Message(), since, 0, genuine)
	}
	signature, err := r.finder.FindMessage(ctx, f.owner, sent.Message(), since, 0)
	if err == nil && signature != "" && !genuine(signature) {
		return "", nil
	}
	return signature, err
}

// named gives f the signature by which the ledger knows it.
func (r *round) named(f *flight, signature string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.finished { // its end is being written without the lock
		return
	}
	if f.asked = err; err != nil {
		r.impatience(f)
		return
	}
	f.step.Signature, f.hinted = signature, true
}
