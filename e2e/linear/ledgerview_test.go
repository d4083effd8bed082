package linear

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// truth is the state of a transaction, and its possible ones. No node states it.
func (l *ledger) truth(tx *signing.Transaction) wallet.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, done := l.landed[tx.Signature().String()]
	switch {
	case done && at.failed:
		return wallet.StateFailed
	case done:
		return wallet.StateConfirmed
	case height(l.slot()) > height(slotOf(tx.Blockhash()))+landingAge:
		return wallet.StateExpired
	}
	return wallet.StateUnknown
}

// status is the answer about a signature by a node that has seen the ledger up to a slot.
func (l *ledger) status(signature string, view uint64) walletfi.SignatureStatus {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.landed[signature]; ok && at.slot <= view {
		return at.status(depth(view - at.slot))
	}
	if at, ok := l.forked[signature]; ok && at.slot <= view && view < at.slot+6 {
		return at.status(walletfi.CommitmentProcessed)
	}
	return walletfi.SignatureStatus{}
}

func depth(slots uint64) walletfi.Commitment {
	switch {
	case slots >= finality:
		return walletfi.CommitmentFinalized
	case slots >= 1:
		return walletfi.CommitmentConfirmed
	}
	return walletfi.CommitmentProcessed
}

func (a landing) status(c walletfi.Commitment) walletfi.SignatureStatus {
	s := walletfi.SignatureStatus{Found: true, Commitment: c, Slot: a.slot}
	if a.failed {
		s.Err = "InstructionError: [0, Custom: 1]"
	}
	return s
}
