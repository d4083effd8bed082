package wallet

import "github.com/walletfi/walletfi-go/wallet/internal/evidence/evidencetest"

// Honest is a node that shows the truth of a ledger.
type Honest = evidencetest.Node

// Finality is how many slots the finalized block is behind the newest one.
const Finality = evidencetest.Finality

// made is the block of a slot.
func made(slot uint64) Head { return evidencetest.Made(slot) }
