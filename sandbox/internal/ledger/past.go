package ledger

import "github.com/gagliardetto/solana-go"

// version is what an account was before it changed in a slot, nil if there was
// none.
type version struct {
	slot   uint64
	before *Account
}

// change names an account that changed in a slot.
type change struct {
	slot uint64
	key  solana.PublicKey
}

// Remember makes the ledger keep for so many slots what accounts were.
func (l *Ledger) Remember(slots uint64) { l.remembered = slots }

// keep remembers what accounts were before the first change in a slot, and lets
// go of what is older than remembered.
func (l *Ledger) keep(slot uint64, changed, before map[solana.PublicKey]*Account) {
	for key := range changed {
		if n := len(l.past[key]); n > 0 && l.past[key][n-1].slot == slot {
			continue
		}
		l.past[key] = append(l.past[key], version{slot, before[key]})
		l.changes = append(l.changes, change{slot, key})
	}
	for len(l.changes) > 0 && l.changes[0].slot+l.remembered <= slot {
		old := l.changes[0]
		l.changes = l.changes[1:]
		versions := l.past[old.key]
		switch {
		case len(versions) == 0 || versions[0].slot != old.slot: // the account was removed since
		case len(versions) == 1:
			delete(l.past, old.key)
		default:
			l.past[old.key] = versions[1:]
		}
	}
}

// at returns the account as it was at the end of a slot, nil if there was none.
func (l *Ledger) at(key solana.PublicKey, slot uint64) *Account {
	for _, v := range l.past[key] {
		if v.slot > slot {
			return v.before
		}
	}
	return l.accounts[key]
}

// AccountAt returns a copy of the account at key as it was at the end of a slot,
// nil if there was none. The slot may be as old as [Ledger.Remember] says. Put,
// Airdrop and MintTo are no transactions: what they change has always been so, or
// since the account's last transaction.
func (l *Ledger) AccountAt(key solana.PublicKey, slot uint64) *Account {
	if a := l.at(key, slot); a != nil {
		return a.clone()
	}
	return nil
}

// EachAt calls f with every account as it was at the end of a slot until f returns
// false, in no order.
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
