package world

import (
	"crypto/sha256"
	"encoding/binary"
)

// crowd is the largest number of strangers' transactions in a block.
const crowd = 6

// strangerErr is how strangers' transactions fail.
const strangerErr = `{"InstructionError":[0,{"Custom":6001}]}`

// strangers returns how many transactions of others a block holds, and
// whether all of them failed.
func (c *chain) strangers(slot uint64) (count int, failing bool) {
	h := draw(c.seed, forStrangerCount, slot)
	if chance(c.cfg.EmptyRate, h) {
		return 0, false
	}
	h = mix(h)
	failing = chance(c.cfg.FailingRate, h)
	return 1 + int(mix(h)%crowd), failing
}

// strangerFailed reports whether the transaction of a stranger failed.
func (c *chain) strangerFailed(slot uint64, index int) bool {
	_, all := c.strangers(slot)
	return all || draw(c.seed, forStranger, slot, uint64(index))%16 == 0
}

// strangerSignature derives the signature of a stranger's transaction. Slot
// and index can be read back from it, so none need be kept.
func (c *chain) strangerSignature(slot uint64, index int) Signature {
	var s Signature
	fill(s[16:], draw(c.seed, forStrangerKey, slot, uint64(index)))
	fill(s[:16], draw(c.seed, forStrangerKey, digest(s[16:])))
	xor(s[:8], slot)
	xor(s[8:16], uint64(index))
	return s
}

func xor(b []byte, v uint64) {
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)^v)
}

// stranger finds the block and place of a stranger's transaction. It says
// nothing of whether the block was produced by now.
func (c *chain) stranger(s Signature) (slot uint64, index int, ok bool) {
	var pad [16]byte
	fill(pad[:], draw(c.seed, forStrangerKey, digest(s[16:])))
	slot = binary.LittleEndian.Uint64(s[:8]) ^ binary.LittleEndian.Uint64(pad[:8])
	i := binary.LittleEndian.Uint64(s[8:16]) ^ binary.LittleEndian.Uint64(pad[8:])
	if i >= crowd || slot < c.base || c.strangerSignature(slot, int(i)) != s {
		return 0, 0, false
	}
	count, _ := c.strangers(slot)
	return slot, int(i), int(i) < count
}

// strangerBytes builds the transaction of a stranger: a memo, one in four of
// version 0.
func (c *chain) strangerBytes(slot uint64, index int) []byte {
	sig := c.strangerSignature(slot, index)
	payer := sha256.Sum256(sig[:])
	parent := c.lastMain(slot - 1)
	hash := c.blockhash(parent.slot)
	newer := draw(c.seed, forStranger, slot, uint64(index), 1)%4 == 0
	b := append([]byte{1}, sig[:]...)
	if newer {
		b = append(b, 0x80)
	}
	b = append(b, 1, 0, 1, 2)
	b = append(b, payer[:]...)
	b = append(b, memoProgram[:]...)
	b = append(b, hash[:]...)
	b = append(b, 1, 1, 0, 2, 'h', 'i')
	if newer {
		b = append(b, 0) // no lookup tables
	}
	return b
}
