package wallet

import (
	"context"
	"time"

	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
)

// oldEnough is how long after signing a blockhash that a node does not know is
// an old one, and not one that it does not know yet.
const oldEnough = 2 * time.Minute

// dead reports whether it is proven that f can never be executed, provided that
// a node which had reached the slot asOf does not know its signature. Nothing
// is proven without slots: an answer may be older than the head.
//
// A block height is not enough either. The head must be believed, the status as
// recent as the head, and the end one that no service and no lagging node could
// make too early: the later of the service's word and of what the height at
// signing allows, with a margin. If a node tells whether the blockhash is good,
// it must be gone too.
//
// It is never true with an error: what is dead may be paid anew.
func (r *round) dead(ctx context.Context, f *flight, asOf uint64) (bool, error) {
	if asOf == 0 {
		return false, nil
	}
	if f.step.NonceAccount != "" {
		return r.nonceUsed(ctx, f, asOf)
	}
	if r.head.Slot == 0 || asOf < r.head.Slot {
		return false, nil
	}
	if !r.heads.follows(f.signing, r.head) {
		// The head at signing was wrong. A later one makes the end later, if anything.
		f.signing.Head, f.signing.at = r.head.Head, r.head.at
		return r.goneForLong(ctx, f, asOf)
	}
	if f.end() == 0 || f.signing.Slot == 0 {
		return false, nil
	}
	if r.blockhash == nil || f.step.Blockhash == "" {
		// The node may lag now as it did at signing, so that it has not seen the
		// last blocks in which f can be.
		return r.head.Height > f.end()+maxLag, nil
	}
	if r.head.Height <= f.end()+margin {
		return false, nil
	}
	return r.blockhashGone(ctx, f, asOf)
}

// blockhashGone reports that a node which is as recent as the head does not take
// f's blockhash any more, at a slot that the status is as recent as: until then f
// may have landed, and another node may not have seen it.
func (r *round) blockhashGone(ctx context.Context, f *flight, asOf uint64) (bool, error) {
	valid, at, err := r.blockhash.BlockhashValid(ctx, f.step.Blockhash)
	if err != nil || at < r.head.Slot {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case valid:
		f.goneAt = 0
		return false, nil
	case f.goneAt == 0 || at < f.goneAt:
		// The status was told before: it counts from the next round on.
		f.goneAt = at
	}
	return asOf >= f.goneAt, nil
}

// goneForLong is blockhashGone long after signing, when the blockhash cannot be
// one that the node does not know yet.
func (r *round) goneForLong(ctx context.Context, f *flight, asOf uint64) (bool, error) {
	if r.blockhash == nil || f.step.Blockhash == "" || f.signedAt.IsZero() || clock.Since(r.clock, f.signedAt) < oldEnough {
		return false, nil
	}
	return r.blockhashGone(ctx, f, asOf)
}

// nonceUsed reports that the durable nonce has another value than the one that
// f was signed on, at a slot that the status is as recent as. A node that lags
// tells the value before, which is another one too: what counts is a value from
// after the one that f was signed on was seen, or from so late that no node lags
// as much.
func (r *round) nonceUsed(ctx context.Context, f *flight, asOf uint64) (bool, error) {
	if r.nonces == nil {
		return false, nil
	}
	value, at, err := r.nonces.NonceValue(ctx, f.step.NonceAccount)
	if err != nil || value == "" || at == 0 {
		return false, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case value == f.step.Blockhash:
		f.heldAt, f.usedAt = max(f.heldAt, at), 0
		return false, nil
	case f.heldAt > 0:
		if at <= f.heldAt {
			return false, nil
		}
	case f.lateAt == 0:
		f.lateAt = at + maxLag
		if r.head.Slot > 0 && r.heads.follows(f.signing, r.head) {
			f.lateAt = min(f.lateAt, f.signing.Slot+maxLag)
		}
	}
	if f.heldAt == 0 && at <= f.lateAt {
		return false, nil
	}
	// The status was told before: it counts from the next round on if the nonce
	// is newer.
	if f.usedAt == 0 || at < f.usedAt {
		f.usedAt = at
	}
	return asOf >= f.usedAt, nil
}

// findMessage looks for a transaction whose last signer was a sponsor, in the
// owner's history.
func (r *round) findMessage(ctx context.Context, f *flight) {
	if r.finder == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.impatience(f)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	sent, err := signing.Decode(f.step.Transaction)
	var signature string
	if err == nil {
		signature, err = r.search(ctx, f, sent.Message())
	}
	if err == nil && signature != "" && signedBy(f.step.Transaction, signature) {
		r.named(f, signature)
		return
	}
	var past bool
	if err == nil && signature == "" {
		past, err = r.dead(ctx, f, r.head.Slot)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.finished {
		return
	}
	if f.asked = err; past {
		r.settle(f, KeyExpired, withText(ErrExpired, f.cargo.lost))
		return
	}
	r.impatience(f)
}

// search asks for the signature of f's message.
func (r *round) search(ctx context.Context, f *flight, message []byte) (string, error) {
	since, asOf := r.sinceSigning(f), r.head.Slot
	if p, ok := r.finder.(*panel); ok {
		return p.search(ctx, f.owner, message, since, asOf, func(s string) bool { return signedBy(f.step.Transaction, s) })
	}
	return r.finder.FindMessage(ctx, f.owner, message, since, asOf)
}

// sinceSigning is a slot that the ledger had not passed when f was signed, by
// the clock and the newest head too: the head at signing may have been wrong,
// and a search that begins too late proves nothing.
func (r *round) sinceSigning(f *flight) uint64 {
	elapsed := r.head.at.Sub(f.signedAt)
	if r.heads == nil || f.signedAt.IsZero() || elapsed < 0 {
		return 0 // or the clock was set back
	}
	passed := r.heads.most(elapsed) + maxLag
	return min(f.first-min(f.first, maxLag), r.head.Slot-min(r.head.Slot, passed))
}

// named gives f the signature by which the ledger knows it.
func (r *round) named(f *flight, signature string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !f.finished { // else its end is being written without the lock
		f.step.Signature, f.hinted = signature, true
	}
}
