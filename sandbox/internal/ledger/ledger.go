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

// HashLifetime is the greatest age, in blocks, of a blockhash that a bank takes:
// it takes the newest 151. A block is executed on the hashes up to its parent's, so
// that a transaction can land in one more block after its last valid height.
const HashLifetime = 150

// Clock is the ledger's time, which passes in slots. Not each of them has a block.
type Clock interface {
	Now() time.Time
	CurrentSlot() uint64 // the newest that has a block
	TimeOf(slot uint64) time.Time
	BlockAt(slot uint64) uint64 // the newest slot up to this one that has a block
	Height(slot uint64) uint64  // how many slots up to this one have a block
}

// Ledger is the state. Make one with New.
type Ledger struct {
	seed     uint64
	clock    Clock
	accounts map[solana.PublicKey]*Account
	programs map[solana.PublicKey]registered
	receipts map[solana.Signature]*Receipt
	landed   []*Receipt // in the order in which they did
	ever     uint64     // how many have landed
	outcomes map[solana.Signature]outcome
	settled  []solana.Signature // of outcomes, in the same order
	watchers []func(*Receipt)
	// The slots from which on all receipts are whole, and all are known.
	oldestWhole, oldestOutcome uint64
	Remembered                 uint64 // for how many slots it is known what accounts were
	past                       map[solana.PublicKey][]change
	changes                    []change // those of past in the order in which they were
}

// New makes a ledger with the programs that every cluster has.
func New(seed uint64, clock Clock) *Ledger {
	l := &Ledger{
		seed: seed, clock: clock, past: map[solana.PublicKey][]change{},
		accounts: map[solana.PublicKey]*Account{}, programs: map[solana.PublicKey]registered{},
		receipts: map[solana.Signature]*Receipt{}, outcomes: map[solana.Signature]outcome{},
	}
	for id, p := range builtins() {
		l.Register(id, p)
	}
	l.Put(l.voteAccount(), l.newVoteAccount(l.Slot()))
	l.oldestWhole, l.oldestOutcome = l.Slot()-firstKept, l.Slot()-firstKept
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
func (l *Ledger) Slot() uint64 { return l.clock.CurrentSlot() }

// Blockhash returns the hash of the block that is lag slots old, and the last
// block height at which a bank takes a transaction that carries it.
func (l *Ledger) Blockhash(lag uint64) (solana.Hash, uint64) {
	slot := l.Slot() - lag
	return l.BlockhashOf(slot), l.clock.Height(slot) + HashLifetime
}

// BlockhashOf is the hash of the block of a slot. It tells its slot to whoever
// knows the seed: every block has one, and none need be remembered.
func (l *Ledger) BlockhashOf(slot uint64) (h solana.Hash) {
	h = sha256.Sum256(l.derivation("slothash", slot))
	putUint64(h[24:], getUint64(h[:])^slot)
	return h
}

// derivation is the source from which something of a slot is derived.
func (l *Ledger) derivation(name string, slot uint64) []byte {
	b := binary.LittleEndian.AppendUint64([]byte(name), l.seed)
	return binary.LittleEndian.AppendUint64(b, slot)
}

// young reports whether the block of h is at most so many blocks older than that
// of a slot.
func (l *Ledger) young(h solana.Hash, slot, blocks uint64) bool {
	made := getUint64(h[24:]) ^ getUint64(h[:])
	return made <= slot && l.clock.Height(slot) <= l.clock.Height(made)+blocks && l.BlockhashOf(made) == h
}

// BlockhashValid reports whether a transaction that carries h can still land.
func (l *Ledger) BlockhashValid(h solana.Hash) bool { return l.young(h, l.Slot(), HashLifetime+1) }

// BlockhashKnown reports whether the bank of a slot takes a transaction that
// carries h. It knows of no later block.
func (l *Ledger) BlockhashKnown(h solana.Hash, slot uint64) bool {
	return l.young(h, slot, HashLifetime)
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
	Bid       Bid      // of a vote none
	Err       *TxError // nil if it succeeded
	Logs      []string
	Units     uint64
	Inner     []InnerSet
	Pre, Post []uint64 // lamports of Keys
	PreToken  []TokenBalance
	PostToken []TokenBalance
}

// InnerSet holds the instructions that one instruction invoked.
type InnerSet struct {
	Index        int
	Instructions []Inner
}

// Inner is an invoked instruction, with indexes into the receipt's keys.
type Inner struct {
	Compiled
	Depth int // 2 for what an instruction invokes itself
}

// TokenBalance is the balance of a token account among a transaction's keys.
type TokenBalance struct {
	Index        int
	Mint, Owner  solana.PublicKey
	Program      solana.PublicKey
	Amount       uint64
	MintDecimals uint8
}
