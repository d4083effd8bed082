package ledger

import (
	"slices"

	"github.com/gagliardetto/solana-go"
)

// pinned is a clock that stands still in a slot.
type pinned struct {
	Clock
	slot uint64
}

func (p pinned) CurrentSlot() uint64 { return p.slot }

// AsOf runs f, which lands no transaction, while the ledger is what it was at the end of a slot:
// its accounts, its blockhashes, what had landed, and the slot. The slot may be
// [Ledger.Remembered] slots old.
func (l *Ledger) AsOf(slot uint64, f func()) {
	if slot >= l.Slot() {
		f()
		return
	}
	is, clock := map[solana.PublicKey]*Account{}, l.clock
	for _, c := range slices.Backward(l.changes) {
		if c.slot <= slot {
			break
		}
		if _, known := is[c.key]; !known {
			is[c.key] = l.accounts[c.key]
		}
		l.set(c.key, c.before)
	}
	l.clock = pinned{clock, slot}
	defer func() {
		l.clock = clock
		for key, a := range is {
			l.set(key, a)
		}
	}()
	f()
}

// set writes an account, or removes it if it is nil.
func (l *Ledger) set(key solana.PublicKey, a *Account) {
	if a == nil {
		delete(l.accounts, key)
		return
	}
	l.accounts[key] = a
}
