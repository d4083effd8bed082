package ledger

import (
	"bytes"
	"iter"
	"maps"
	"math"
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
	l.ever++
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

// Newest returns the transactions that landed last, the newest first, most at most.
func (l *Ledger) Newest(most int) []*Receipt {
	all := slices.Clone(l.landed[max(0, len(l.landed)-most):])
	slices.Reverse(all)
	return all
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

// now is the slot of what accounts are, whatever the slot.
const now = math.MaxUint64

// change is an account before it changed in a slot, nil if there was none.
type change struct {
	slot   uint64
	key    solana.PublicKey
	before *Account
}

// keep remembers what accounts were before the first change in a slot, and lets
// go of what is older than remembered.
func (l *Ledger) keep(slot uint64, changed, before map[solana.PublicKey]*Account) {
	for _, key := range slices.SortedFunc(maps.Keys(changed), byBytes) {
		if n := len(l.past[key]); n > 0 && l.past[key][n-1].slot == slot {
			continue
		}
		c := change{slot, key, before[key]}
		l.past[key], l.changes = append(l.past[key], c), append(l.changes, c)
	}
	for len(l.changes) > 0 && l.changes[0].slot+l.Remembered <= slot {
		key := l.changes[0].key
		l.changes = l.changes[1:]
		if l.past[key] = l.past[key][1:]; len(l.past[key]) == 0 {
			delete(l.past, key)
		}
	}
}

// byBytes puts keys into an order, so that the same transactions make the same history.
func byBytes(a, b solana.PublicKey) int { return bytes.Compare(a[:], b[:]) }

// at returns the account as it was at the end of a slot, nil if there was none.
func (l *Ledger) at(key solana.PublicKey, slot uint64) *Account {
	for _, c := range l.past[key] {
		if c.slot > slot {
			return c.before
		}
	}
	return l.accounts[key]
}

// seen is at for readers: it finds the sysvars, too.
func (l *Ledger) seen(key solana.PublicKey, slot uint64) *Account {
	if a := l.sysvarAt(key, slot); a != nil {
		return a
	}
	return l.at(key, slot)
}

// AccountAt returns a copy of the account at key as it was at the end of a slot,
// nil if there was none. The slot may be [Ledger.Remembered] slots old. Put,
// Airdrop and MintTo are no transactions: what they change has always been so, or
// since the account's last transaction.
func (l *Ledger) AccountAt(key solana.PublicKey, slot uint64) *Account {
	if a := l.seen(key, slot); a != nil {
		return a.clone()
	}
	return nil
}

// BalanceAt returns the lamports at key as they were at the end of a slot.
func (l *Ledger) BalanceAt(key solana.PublicKey, slot uint64) uint64 {
	if a := l.seen(key, slot); a != nil {
		return a.Lamports
	}
	return 0
}

// EachAt calls f with every account but the sysvars, as it was at the end of a slot, until
// f returns false, in no order.
func (l *Ledger) EachAt(slot uint64, f func(key solana.PublicKey, a *Account) bool) {
	for key := range l.accounts {
		if a := l.at(key, slot); a != nil && !f(key, a) {
			return
		}
	}
	for key := range l.past {
		if a := l.at(key, slot); a != nil && l.accounts[key] == nil && !f(key, a) {
			return
		}
	}
}

// pinned is a clock that stands still in a slot.
type pinned struct {
	Clock
	slot uint64
}

func (p pinned) CurrentSlot() uint64 { return p.slot }

// AsOf runs f, which lands no transaction, while the ledger is as it was at the end of a slot: its
// accounts, its blockhashes, what had landed, and the slot. The slot may be
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
