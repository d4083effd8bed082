package linear

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// cached is for how many slots a node's cache holds statuses.
const cached = 300

var _ walletfi.Prover = (*node)(nil)

// errAway is a node's answer about a slot that it has not seen finalized.
var errAway = fmt.Errorf("%w: the slot is not finalized", walletfi.ErrUnavailable)

// block is the newest block up to a slot.
func block(slot uint64) walletfi.Head {
	if slot%16 == 0 {
		slot--
	}
	return walletfi.Head{Slot: slot, Height: height(slot)}
}

// Identity implements walletfi.Prover.
func (n *node) Identity() string { return "node" }

// Genesis implements walletfi.Prover.
func (n *node) Genesis(ctx context.Context) (string, error) {
	_, err := n.ask(ctx)
	return "genesis", err
}

// FinalHead implements walletfi.Prover.
func (n *node) FinalHead(ctx context.Context) (walletfi.Head, error) {
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.Head{}, err
	}
	return block(view - finality), nil
}

// FinalBlock implements walletfi.Prover.
func (n *node) FinalBlock(ctx context.Context, slot uint64) (walletfi.Head, error) {
	view, err := n.ask(ctx)
	switch {
	case err != nil:
		return walletfi.Head{}, err
	case slot > view-finality:
		return walletfi.Head{}, errAway
	case block(slot).Slot != slot:
		return walletfi.Head{}, fmt.Errorf("%w: the slot was skipped", walletfi.ErrNotFound)
	}
	return block(slot), nil
}

// BlockhashAt implements walletfi.Prover.
func (n *node) BlockhashAt(ctx context.Context, text string, minSlot uint64) (state walletfi.BlockhashState, err error) {
	hash, err := signing.ParsePublicKey(text)
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	final := block(view - finality)
	if final.Slot < minSlot {
		return walletfi.BlockhashState{}, errAway
	}
	of := slotOf(hash)
	return walletfi.BlockhashState{Valid: final.Slot >= of && final.Height < height(of)+landingAge, AsOfSlot: final.Slot}, nil
}

// BlockhashAge implements walletfi.Prover.
func (n *node) BlockhashAge(ctx context.Context) (uint64, error) {
	_, err := n.ask(ctx)
	return landingAge, err
}

// BlockOf implements walletfi.Prover.
func (n *node) BlockOf(ctx context.Context, text string, near walletfi.Head) (walletfi.Head, error) {
	hash, err := signing.ParsePublicKey(text)
	if err != nil {
		return walletfi.Head{}, err
	}
	view, err := n.ask(ctx)
	of := block(slotOf(hash))
	switch {
	case err != nil:
		return walletfi.Head{}, err
	case of.Slot > view-finality:
		return walletfi.Head{}, errAway
	case of.Height+160 < near.Height || of.Height > near.Height+400:
		return walletfi.Head{}, walletfi.ErrNotFound
	}
	return of, nil
}

// Absence implements walletfi.Prover. Each block has a transaction that is named after
// its slot.
func (n *node) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	view, err := n.ask(ctx)
	if err != nil {
		return nil, err
	}
	until := block(q.Until.Slot)
	if until.Slot > view-finality {
		return nil, errAway
	}
	first := block(q.After.Slot)
	if q.Blockhash != "" {
		hash, err := signing.ParsePublicKey(q.Blockhash)
		if err != nil {
			return nil, err
		}
		if of := block(slotOf(hash)); of.Slot > first.Slot {
			first = of
		}
	}
	a := &walletfi.Absence{AsOfSlot: view}
	for _, s := range q.Signatures {
		a.Statuses = append(a.Statuses, n.ledger.status(s, view))
	}
	a.Witnesses = append(a.Witnesses, witnessOf(first))
	if first.Slot+cached < view { // of every block, if the cache does not have them all
		for slot := first.Slot + 1; slot < until.Slot && height(slot) <= q.Last; slot++ {
			if b := block(slot); b.Slot == slot {
				a.Witnesses = append(a.Witnesses, witnessOf(b))
			}
		}
	}
	a.Witnesses = append(a.Witnesses, witnessOf(until))
	return a, nil
}

func witnessOf(b walletfi.Head) walletfi.Witness {
	return walletfi.Witness{
		Head: b, Blockhash: blockhash(b.Slot).String(), Signature: fmt.Sprint("of ", b.Slot),
		Status: walletfi.SignatureStatus{Found: true, Slot: b.Slot, Commitment: walletfi.CommitmentFinalized},
	}
}

// MessageAbsence implements walletfi.Prover. Nothing here has a sponsor.
func (n *node) MessageAbsence(context.Context, walletfi.AbsenceQuery, string, []byte) (walletfi.FoundMessage, error) {
	return walletfi.FoundMessage{}, errors.ErrUnsupported
}

// NonceAt implements walletfi.Prover. Nothing here is on a durable nonce.
func (n *node) NonceAt(context.Context, string, uint64) (walletfi.NonceState, error) {
	return walletfi.NonceState{}, errors.ErrUnsupported
}

// NonceUse implements walletfi.Prover.
func (n *node) NonceUse(context.Context, string, string, uint64, uint64) (walletfi.NonceUse, error) {
	return walletfi.NonceUse{}, errors.ErrUnsupported
}
