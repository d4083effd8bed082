package linear

import (
	"context"
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// errNode is a node that does not answer as it should.
var errNode = &walletfi.OutcomeUnknownError{Cause: errors.New("the node's answer was lost")}

// node is the ledger as one process sees it: through a node that lags, loses, delays
// and refuses, but does not lie.
type node struct {
	ledger *ledger
	gate   *gate
}

// ask takes the time of a call, and returns up to which slot the node that answers
// has seen the ledger: as behind a balancer, each answer may be of another node.
func (n *node) ask(ctx context.Context) (view uint64, err error) {
	l := n.ledger
	l.mu.Lock()
	takes := time.Duration(l.rng.IntN(300)) * time.Millisecond
	hangs, fails := l.chance(2), l.chance(8)
	lag := l.rng.Uint64N(2)
	switch {
	case l.chance(10):
		lag = l.rng.Uint64N(150)
	case l.chance(30):
		lag = l.rng.Uint64N(60)
	}
	l.mu.Unlock()
	if hangs {
		takes = time.Hour
	}
	if err := n.gate.sleep(ctx, takes); err != nil {
		return 0, err
	}
	if fails {
		return 0, errNode
	}
	return l.slot() - lag, nil
}

// Submit implements walletfi.Submitter.
func (n *node) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	l := n.ledger
	l.mu.Lock()
	refused, lost, silent, takes := l.chance(12), l.chance(10), l.chance(15), l.rng.IntN(500)
	l.mu.Unlock()
	if err := n.gate.sleep(ctx, time.Duration(takes)*time.Millisecond); err != nil {
		return "", err
	}
	switch {
	case refused:
		return "", walletfi.ErrNotSent
	case lost:
		return "", errNode
	}
	l.send(tx)
	if err := n.gate.sleep(ctx, time.Duration(takes)*time.Millisecond); err != nil {
		return "", err
	}
	if silent {
		return "", errNode
	}
	return tx.Signature, nil
}

// SignatureStatus implements walletfi.Confirmer.
func (n *node) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return n.ledger.status(signature, view), nil
}

// SignatureStatuses implements walletfi.BatchConfirmer.
func (n *node) SignatureStatuses(ctx context.Context, signatures []string) (got walletfi.SignatureStatuses, err error) {
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.SignatureStatuses{}, err
	}
	got.Statuses = make([]walletfi.SignatureStatus, len(signatures))
	for i, s := range signatures {
		got.Statuses[i] = n.ledger.status(s, view)
	}
	return walletfi.SignatureStatuses{Statuses: got.Statuses, AsOfSlot: view}, nil
}

// Head implements walletfi.HeadReader.
func (n *node) Head(ctx context.Context) (at walletfi.Head, err error) {
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.Head{}, err
	}
	head := block(view - 1)
	return head, nil
}

// BlockHeight implements walletfi.BlockHeighter.
func (n *node) BlockHeight(ctx context.Context) (uint64, error) {
	head, err := n.Head(ctx)
	return head.Height, err
}

// BlockhashValid implements walletfi.BlockhashReader. A node that has not heard of the
// blockhash says of it, too, that it is not valid.
func (n *node) BlockhashValid(ctx context.Context, text string) (state walletfi.BlockhashState, err error) {
	hash, err := signing.ParsePublicKey(text)
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	view, err := n.ask(ctx)
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	of := slotOf(hash)
	return walletfi.BlockhashState{Valid: view >= of && height(view) < height(of)+landingAge, AsOfSlot: view}, nil
}
