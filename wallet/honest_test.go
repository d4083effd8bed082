package wallet

import "github.com/walletfi/walletfi-go/wallet/internal/evidence/evidencetest"

type (
	// Honest is a node that shows the truth of a ledger.
	Honest    = evidencetest.Node
	setBack   = evidencetest.SetBack
	handClock = evidencetest.HandClock
)

// Finality is how many slots the finalized block is behind the newest one.
const Finality = evidencetest.Finality

// made is the block of a slot.
func made(slot uint64) Head { return evidencetest.Made(slot) }
