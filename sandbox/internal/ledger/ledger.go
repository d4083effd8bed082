// Package ledger is a toy Solana ledger: accounts, blockhashes, and the
// execution of signed transactions by the programs that wallets meet. It has no
// locks, goroutines or clock of its own; its caller provides them.
package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/gagliardetto/solana-go"
)

// HashLifetime is how many blocks a blockhash can be used for.
const HashLifetime = 150

// Ledger is the state. Make one with New.
type Ledger struct {
	seed     uint64
	now      func() (time.Time, uint64) // time and slot
	accounts map[solana.PublicKey]*Account
	programs map[solana.PublicKey]registered
	hashes   map[solana.Hash]uint64 // the slots of the blockhashes that were handed out
	handed   []solana.Hash          // in the order in which they were
	receipts map[solana.Signature]*Receipt
	landed   []*Receipt // in the order in which they did
	outcomes map[solana.Signature]outcome
	settled  []solana.Signature // of outcomes, in the same order
	watchers []func(*Receipt)
}

// New makes a ledger with the programs that every cluster has. The function
// now gives the time and the slot.
func New(seed uint64, now func() (time.Time, uint64)) *Ledger {
	l := &Ledger{
		seed: seed, now: now,
		accounts: map[solana.PublicKey]*Account{}, programs: map[solana.PublicKey]registered{},
		hashes: map[solana.Hash]uint64{}, receipts: map[solana.Signature]*Receipt{},
		outcomes: map[solana.Signature]outcome{},
	}
	for id, p := range builtins() {
		l.Register(id, p)
	}
	return l
}

// registered is a program on the ledger.
type registered struct {
	run  Program
	name string // as the log has it
}

// Register puts a program on the ledger.
func (l *Ledger) Register(id solana.PublicKey, p Program) {
	l.programs[id] = registered{p, "Program " + id.String()}
	l.accounts[id] = &Account{Lamports: 1, Owner: solana.BPFLoaderUpgradeableProgramID, Executable: true}
}

// Watch calls f after each transaction that landed, failed ones too.
func (l *Ledger) Watch(f func(*Receipt)) { l.watchers = append(l.watchers, f) }

// Slot is the current slot.
func (l *Ledger) Slot() uint64 {
	_, slot := l.now()
	return slot
}

// skipped is how many past slots had no block. It keeps slots and block heights
// apart, so that confusing them fails.
const skipped = 21_000_000

// Height is the block height of a slot.
func Height(slot uint64) uint64 { return slot - skipped }

// Blockhash returns the hash of the block that is lag slots old, and the last
// block height at which a transaction that carries it can land.
func (l *Ledger) Blockhash(lag uint64) (solana.Hash, uint64) {
	slot := l.Slot() - lag
	h := l.hashOf(slot)
	if _, again := l.hashes[h]; !again {
		l.hashes[h] = slot
		l.handed = append(l.handed, h)
	}
	for len(l.handed) > 0 && l.hashes[l.handed[0]]+hashesKept < l.Slot() {
		delete(l.hashes, l.handed[0])
		l.handed = l.handed[1:]
	}
	return h, Height(slot) + HashLifetime
}

// hashesKept is for how many slots a blockhash is told from one that never was:
// longer than any node lags.
const hashesKept = 10_000

func (l *Ledger) hashOf(slot uint64) solana.Hash {
	var b [24]byte
	copy(b[:], "slothash")
	binary.LittleEndian.PutUint64(b[8:], l.seed)
	binary.LittleEndian.PutUint64(b[16:], slot)
	return sha256.Sum256(b[:])
}

// BlockhashValid reports whether a transaction that carries h can still land.
func (l *Ledger) BlockhashValid(h solana.Hash) bool {
	slot, ok := l.hashes[h]
	return ok && slot <= l.Slot() && Height(l.Slot()) <= Height(slot)+HashLifetime
}

// BlockhashKnown reports whether a node that is at slot takes a transaction that
// carries h.
func (l *Ledger) BlockhashKnown(h solana.Hash, slot uint64) bool {
	made, ok := l.hashes[h]
	return ok && made <= slot && Height(slot) <= Height(made)+HashLifetime
}

// Receipt is a transaction that landed.
type Receipt struct {
	Signature solana.Signature
	Slot      uint64
	Time      time.Time
	Tx        *Transaction
	Keys      []solana.PublicKey // static, then loaded writable, then loaded read-only
	Loaded    [2]int             // how many of them are loaded writable and loaded read-only
	Fee       uint64
	Err       *TxError // nil if it succeeded
	Logs      []string
	Units     uint64
	Inner     []InnerSet
	Pre, Post []uint64 // lamports of Keys
	PreToken  []TokenBalance
	PostToken []TokenBalance
}

// InnerSet is what one instruction invoked.
type InnerSet struct {
	Index        int
	Instructions []Inner
}

// Inner is an invoked instruction, with indexes into the receipt's keys.
type Inner struct {
	Compiled
	Depth int // 2 for what an instruction invokes itself
}

// TokenBalance is what a token account among a transaction's keys held.
type TokenBalance struct {
	Index        int
	Mint, Owner  solana.PublicKey
	Program      solana.PublicKey
	Amount       uint64
	MintDecimals uint8
}
