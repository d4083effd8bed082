package ledger

import (
	"bytes"

	"github.com/gagliardetto/solana-go"
)

// Account is an account of the ledger.
type Account struct {
	Lamports   uint64
	Owner      solana.PublicKey // the program that may change it
	Data       []byte
	Executable bool
}

func (a *Account) clone() *Account {
	c := *a
	c.Data = bytes.Clone(a.Data)
	return &c
}

// blank is the data of new large accounts, all of which share it: most such
// accounts are refused for their rent before anything is written to them.
var blank [maxSpace]byte

// zeros is the data of a new account. Call own before writing to it.
func zeros(space uint64) []byte {
	if space <= 4096 {
		return make([]byte, space)
	}
	return blank[:space:space]
}

// own copies the account's data before the first write.
func (a *Account) own() {
	if len(a.Data) > 0 && &a.Data[0] == &blank[0] {
		a.Data = bytes.Clone(a.Data)
	}
}

// empty reports whether the account does not exist.
func (a *Account) empty() bool {
	return a.Lamports == 0 && len(a.Data) == 0 && a.Owner == solana.SystemProgramID
}

// The price of a byte for a year, lamports, and of how many years the rent exempts an account.
const (
	rentPerByteYear = 3480
	rentExemptYears = 2
)

// Rent is the least an account with so many bytes of data must hold, lamports.
func Rent(space int) uint64 { return (uint64(space) + 128) * rentPerByteYear * rentExemptYears }

// Account returns a copy of the account at key, nil if there is none.
func (l *Ledger) Account(key solana.PublicKey) *Account { return l.AccountAt(key, now) }

// Balance returns the lamports at key.
func (l *Ledger) Balance(key solana.PublicKey) uint64 { return l.BalanceAt(key, now) }

// Put writes an account without any check, for the initial state.
func (l *Ledger) Put(key solana.PublicKey, a Account) { l.accounts[key] = &a }

// Remove lets go of an account, as if it had never been.
func (l *Ledger) Remove(key solana.PublicKey) { delete(l.accounts, key) }

// Airdrop creates lamports at key.
func (l *Ledger) Airdrop(key solana.PublicKey, lamports uint64) {
	a, ok := l.accounts[key]
	if !ok {
		a = &Account{Owner: solana.SystemProgramID}
		l.accounts[key] = a
	}
	a.Lamports += lamports
}

// Each calls f with every account but the sysvars until f returns false, in no order.
func (l *Ledger) Each(f func(key solana.PublicKey, a *Account) bool) { l.EachAt(now, f) }
