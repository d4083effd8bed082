package ledger

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// firstKept is how many slots before the one in which it is made the ledger begins.
const firstKept = 10_000

// voteFunds is what the voter held at height 0, lamports. Each block took a fee.
const voteFunds = 1_000_000_000_000_000

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
	return slot, slot >= l.oldestOutcome && slot <= l.Slot() && l.Vote(slot) == s
}

// Block returns what landed in a slot in the order in which it did, the vote first.
func (l *Ledger) Block(slot uint64) []*Receipt {
	block := []*Receipt{l.voteReceipt(slot)}
	at, _ := slices.BinarySearchFunc(l.landed, slot, func(r *Receipt, slot uint64) int {
		if r.Slot < slot {
			return -1
		}
		return 1 // also if it is in the slot, of whose receipts the first is sought
	})
	for ; at < len(l.landed) && l.landed[at].Slot == slot; at++ {
		block = append(block, l.landed[at])
	}
	return block
}

// FirstBlock is the first slot of which the ledger remembers every transaction
// whole.
func (l *Ledger) FirstBlock() uint64 { return l.oldestWhole }

// voteReceipt is the receipt of a slot's vote, without the transaction if the
// block is forgotten.
func (l *Ledger) voteReceipt(slot uint64) *Receipt {
	r := &Receipt{Signature: l.Vote(slot), Slot: slot, Time: l.timeOf(slot), Fee: signatureFee}
	if slot < l.oldestWhole {
		return r
	}
	tx, err := Parse(l.voteBytes(slot))
	if err != nil {
		panic(err) // it is made below
	}
	left := voteFunds - signatureFee*Height(slot)
	r.Tx, r.Keys, r.Units = tx, tx.Keys, 2100
	r.Pre, r.Post = []uint64{left, Rent(3762), 1}, []uint64{left - signatureFee, Rent(3762), 1}
	program := "Program " + solana.VoteProgramID.String()
	r.Logs = []string{program + " invoke [1]", program + " success"}
	return r
}

// voteBytes is a transaction with one TowerSync of the vote program: for the block
// before, with a tower of the 31 before that one.
func (l *Ledger) voteBytes(slot uint64) []byte {
	signature, parent := l.Vote(slot), l.BlockhashOf(slot-1)
	b := append([]byte{1}, signature[:]...)
	b = append(b, 1, 0, 1, 3) // one signer, one read-only account, of three
	for _, name := range []string{"voter", "vote account"} {
		key := sha256.Sum256(l.derivation(name, 0))
		b = append(b, key[:]...)
	}
	b = append(append(b, solana.VoteProgramID[:]...), parent[:]...)
	data := binary.LittleEndian.AppendUint32(nil, 14)
	data = binary.LittleEndian.AppendUint64(data, slot-32)
	data = append(data, 31)
	for confirmations := byte(31); confirmations > 0; confirmations-- {
		data = append(data, 1, confirmations) // each a slot after the one before it
	}
	data = append(append(data, parent[:]...), 0) // without a time
	data = append(data, make([]byte, 32)...)     // nor the block's id
	b = append(b, 1, 2, 2, 1, 0)                 // the program, the vote account, the voter
	b = append(b, byte(len(data)&0x7f|0x80), 1)  // a length of 128 to 255
	return append(b, data...)
}
