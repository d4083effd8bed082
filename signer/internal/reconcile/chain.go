package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// slotTime is how long a slot takes about.
const slotTime = 400 * time.Millisecond

// Chain reads what keys have signed that the ledger has finalized since a time, and some of before. All
// nodes must answer: what one does not list another one may.
func Chain(
	ctx context.Context, nodes []signer.Node, owners []signing.PublicKey, since time.Time,
) (all []Executed, err error) {
	seen := map[string]bool{}
	for _, n := range nodes {
		r := reader{n, since}
		final, err := n.FinalHead(ctx)
		if err != nil {
			return nil, r.failed(err)
		}
		first, err := r.before(ctx, final.Slot)
		if err != nil {
			return nil, r.failed(err)
		}
		for _, owner := range owners {
			found, err := r.history(ctx, owner, first, final.Slot, seen)
			if err != nil {
				return nil, r.failed(err)
			}
			all = append(all, found...)
		}
	}
	return all, nil
}

type reader struct {
	signer.Node
	since time.Time
}

func (r *reader) failed(err error) error { return fmt.Errorf("node %s: %w", r.Identity(), err) }

// before is a slot that is not after r.since.
func (r *reader) before(ctx context.Context, slot uint64) (uint64, error) {
	for slot > 0 {
		at, err := r.timeOf(ctx, slot)
		if err != nil || !at.After(r.since) {
			return slot, err
		}
		slot -= min(slot, uint64(at.Sub(r.since)/slotTime)+100)
	}
	return 0, nil
}

// timeOf is the time of a slot, or of the block before.
func (r *reader) timeOf(ctx context.Context, slot uint64) (at time.Time, err error) {
	const skipped = 30 // slots without a block, one after the other
	for range skipped {
		if at, err = r.FinalTime(ctx, slot); err == nil || slot == 0 {
			return at, err
		}
		slot--
	}
	return at, err
}

// history reads what is not seen yet of what a key has signed.
func (r *reader) history(
	ctx context.Context, owner signing.PublicKey, first, last uint64, seen map[string]bool,
) (all []Executed, err error) {
	for cursor, more := "", true; more; more = cursor != "" {
		var page []string
		if page, cursor, err = r.History(ctx, owner, first, last, cursor); err != nil {
			return nil, err
		}
		for _, signature := range page {
			name := owner.String() + signature
			if seen[name] {
				continue
			}
			seen[name] = true
			x, err := r.read(ctx, owner, signature)
			if err != nil {
				return nil, err
			}
			if x != nil {
				all = append(all, *x)
			}
		}
	}
	return all, nil
}

// read reads a transaction, nil if the key has not signed it.
func (r *reader) read(ctx context.Context, owner signing.PublicKey, signature string) (*Executed, error) {
	raw, err := r.Transaction(ctx, signature)
	if err != nil {
		return nil, err
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil {
		return nil, err
	}
	at := slices.Index(tx.Signers(), owner)
	if at < 0 {
		return nil, nil
	}
	if tx.Signature().String() != signature || !tx.Signatures()[at].Verify(owner, tx.Message()) {
		return nil, fmt.Errorf("%s is another transaction", signature)
	}
	got, err := r.SignatureStatuses(ctx, []string{signature})
	if err != nil {
		return nil, err
	}
	var status walletfi.SignatureStatus
	if len(got.Statuses) == 1 {
		status = got.Statuses[0]
	}
	if !status.Found || !status.Commitment.AtLeast(walletfi.CommitmentFinalized) {
		return nil, fmt.Errorf("%s is listed and not found", signature)
	}
	when, err := r.timeOf(ctx, status.Slot)
	if err != nil {
		return nil, err
	}
	return &Executed{
		Signature: signature, Own: tx.Signatures()[at].String(), Owner: owner, Message: tx.Message(),
		Slot: status.Slot, At: when, Failed: status.Err != "",
	}, nil
}
