package ledger

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"sort"

	"github.com/gagliardetto/solana-go"
)

// firstKept is how many slots before the one in which it is made the ledger begins.
const firstKept = 10_000

// Genesis is the hash of the chain's first block, which a seed has for itself.
func (l *Ledger) Genesis() solana.Hash { return sha256.Sum256(l.derivation("genesis", 0)) }

// Vote is the signature of the one vote that the block of a slot holds. Like a
// blockhash it tells its slot. No key made it: it does not verify.
func (l *Ledger) Vote(slot uint64) (s solana.Signature) {
	genesis := l.Genesis()
	s = sha512.Sum512(l.derivation("vote"+string(genesis[:]), slot))
	putUint64(s[56:], getUint64(s[:])^slot)
	return s
}

// voted returns the slot of a vote's signature, false for any other signature and
// for votes that the ledger has forgotten, with all else of their time.
func (l *Ledger) voted(s solana.Signature) (slot uint64, ok bool) {
	slot = getUint64(s[56:]) ^ getUint64(s[:])
	return slot, slot >= l.oldestOutcome && slot <= l.Slot() && l.clock.BlockAt(slot) == slot && l.Vote(slot) == s
}

// Block returns what landed in a slot in the order in which it did, the vote first.
func (l *Ledger) Block(slot uint64) []*Receipt {
	block := []*Receipt{l.voteReceipt(slot)}
	at := sort.Search(len(l.landed), func(i int) bool { return l.landed[i].Slot >= slot })
	for ; at < len(l.landed) && l.landed[at].Slot == slot; at++ {
		block = append(block, l.landed[at])
	}
	return block
}

// FirstBlock is the first slot whose transactions are all remembered whole.
func (l *Ledger) FirstBlock() uint64 { return l.oldestWhole }

// Transactions is how many had landed at the end of a slot, a vote in each block among them.
func (l *Ledger) Transactions(slot uint64) uint64 {
	upTo := sort.Search(len(l.landed), func(i int) bool { return l.landed[i].Slot > slot })
	return l.clock.Height(slot) + l.ever - uint64(len(l.landed)-upTo)
}

// voteReceipt is the receipt of a slot's vote, without the transaction if the
// block is forgotten.
func (l *Ledger) voteReceipt(slot uint64) *Receipt {
	r := &Receipt{Signature: l.Vote(slot), Slot: slot, Time: l.clock.TimeOf(slot), Fee: signatureFee}
	if slot < l.oldestWhole {
		return r
	}
	tx, err := Parse(l.voteBytes(slot))
	if err != nil {
		panic(err) // it is made below
	}
	left := 1_000_000_000_000_000 - signatureFee*l.clock.Height(slot) // each block took a fee
	r.Tx, r.Keys, r.Units = tx, tx.Keys, 2100
	r.Pre, r.Post = []uint64{left, Rent(3762), 1}, []uint64{left - signatureFee, Rent(3762), 1}
	program := "Program " + solana.VoteProgramID.String()
	r.Logs = []string{program + " invoke [1]", program + " success"}
	return r
}

// voteBytes is a transaction with a TowerSync of the vote program for the block
// before, on top of one finalized block.
func (l *Ledger) voteBytes(slot uint64) []byte {
	last := l.clock.BlockAt(slot - 1)
	signature, parent := l.Vote(slot), l.BlockhashOf(last)
	b := append([]byte{1}, signature[:]...)
	b = append(b, 1, 0, 1, 3) // one signer, one read-only account, of three
	for _, name := range []string{"voter", "vote account"} {
		key := sha256.Sum256(l.derivation(name, 0))
		b = append(b, key[:]...)
	}
	b = append(append(b, solana.VoteProgramID[:]...), parent[:]...)
	data := binary.LittleEndian.AppendUint64([]byte{14, 0, 0, 0}, last-31)
	data = append(append(data, 1, 31, 1), parent[:]...) // one vote, 31 slots after that, confirmed once
	data = append(data, make([]byte, 1+32)...)          // no time, no id of the block
	return append(append(b, 1, 2, 2, 1, 0, byte(len(data))), data...)
}
