package ledger

import (
	"iter"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// How many transactions the ledger remembers: the newest whole, with every one
// that is young, and of older ones what became of them.
const (
	WholeReceipts = 2_048
	youngReceipts = 2 * HashLifetime // slots
	Outcomes      = 32_768
)

// outcome is the rest of an old receipt.
type outcome struct {
	slot uint64
	time int64 // Unix, nanoseconds
	fee  uint64
	err  *TxError
}

// Receipt returns the receipt of a transaction or a vote, or nil if it has not
// landed or is forgotten. That of an old one has no Tx, Keys or balances.
func (l *Ledger) Receipt(s solana.Signature) *Receipt {
	if r, ok := l.receipts[s]; ok {
		return r
	}
	if o, ok := l.outcomes[s]; ok {
		return &Receipt{Signature: s, Slot: o.slot, Time: time.Unix(0, o.time).UTC(), Fee: o.fee, Err: o.err}
	}
	if slot, ok := l.voted(s); ok {
		return l.voteReceipt(slot)
	}
	return nil
}

// record keeps the receipt of a transaction that landed, and lets old ones go.
func (l *Ledger) record(r *Receipt) {
	l.receipts[r.Signature] = r
	l.landed = append(l.landed, r)
	for len(l.landed) > WholeReceipts && l.landed[0].Slot+youngReceipts < r.Slot {
		old := l.landed[0]
		l.landed[0] = nil
		l.landed = l.landed[1:]
		delete(l.receipts, old.Signature)
		l.outcomes[old.Signature] = outcome{old.Slot, old.Time.UnixNano(), old.Fee, old.Err}
		l.settled = append(l.settled, old.Signature)
		l.oldestWhole = old.Slot + 1
	}
	for len(l.settled) > Outcomes {
		l.oldestOutcome = l.outcomes[l.settled[0]].slot + 1
		delete(l.outcomes, l.settled[0])
		l.settled = l.settled[1:]
	}
}

// History yields the transactions that name an address, the newest first.
func (l *Ledger) History(address solana.PublicKey) iter.Seq[*Receipt] {
	return func(yield func(*Receipt) bool) {
		for _, r := range slices.Backward(l.landed) {
			if slices.Contains(r.Keys, address) && !yield(r) {
				return
			}
		}
	}
}
