package wallet

import "github.com/walletfi/walletfi-go/wallet/internal/intents"

// Kept is how much a wallet holds of what it does: keys that it works on, transactions
// that it follows, hints that were not looked at, doors.
func (w *Wallet) Kept() (running, followed, hints, doors int) {
	w.mu.Lock()
	running = len(w.running)
	w.mu.Unlock()
	t := w.tracker
	t.mu.Lock()
	followed = len(t.parcels)
	t.mu.Unlock()
	t.hintMu.Lock()
	hints = len(t.hints)
	t.hintMu.Unlock()
	return running, followed, hints, len(w.doors)
}

// DerivedKey is the key of an execution that names none.
var DerivedKey = intents.ID
