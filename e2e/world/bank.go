package world

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"sort"
)

// bank is a block that was produced, on the surviving chain or on a fork that
// is left.
type bank struct {
	slot, height uint64
	fork         bool
}

// upTo masks the slots of a span up to slot.
func upTo(slot uint64) uint64 { return 2<<(slot%spanLen) - 1 }

// top returns the highest slot in a mask of the span that holds slot.
func top(slot, mask uint64) uint64 {
	return slot - slot%spanLen + 63 - uint64(bits.LeadingZeros64(mask))
}

// lastMain returns the newest surviving block at or before a slot.
func (c *chain) lastMain(slot uint64) bank {
	s := c.at(slot)
	mask := s.main & upTo(slot)
	height := s.height + uint64(bits.OnesCount64(mask))
	for mask == 0 {
		slot -= slot%spanLen + 1
		mask = c.at(slot).main
	}
	return bank{slot: top(slot, mask), height: height}
}

// main returns the surviving block in a slot.
func (c *chain) main(slot uint64) (bank, bool) {
	s := c.at(slot)
	if s.main>>(slot%spanLen)&1 == 0 {
		return bank{}, false
	}
	return bank{slot: slot, height: s.height + uint64(bits.OnesCount64(s.main&upTo(slot)))}, true
}

// forkRoot returns the last block that the fork in a slot's span has in common
// with the surviving chain.
func (c *chain) forkRoot(slot uint64) bank {
	return c.lastMain(slot - slot%spanLen + uint64(c.at(slot).forkAt) - 1)
}

// block returns the block in a slot on either side.
func (c *chain) block(slot uint64) (bank, bool) {
	if b, ok := c.main(slot); ok {
		return b, true
	}
	s := c.at(slot)
	if s.fork>>(slot%spanLen)&1 == 0 {
		return bank{}, false
	}
	height := c.forkRoot(slot).height + uint64(bits.OnesCount64(s.fork&upTo(slot)))
	return bank{slot: slot, height: height, fork: true}, true
}

// forked reports whether those who follow forks are on one when slot is the
// newest they have seen, and returns the fork's newest block, or its root.
func (c *chain) forked(slot uint64) (bank, bool) {
	s := c.at(slot)
	off := uint8(slot % spanLen)
	if s.fork == 0 || off < s.forkAt || off >= s.forkLeft {
		return bank{}, false
	}
	mask := s.fork & upTo(slot)
	if mask == 0 {
		return c.forkRoot(slot), true
	}
	return c.block(top(slot, mask))
}

// parent returns the block that b was built on.
func (c *chain) parent(b bank) bank {
	if !b.fork {
		return c.lastMain(b.slot - 1)
	}
	mask := c.at(b.slot).fork & (upTo(b.slot) >> 1)
	if mask == 0 {
		return c.forkRoot(b.slot)
	}
	return bank{slot: top(b.slot, mask), height: b.height - 1, fork: true}
}

// contains reports whether the block in a slot is b or one of its ancestors.
func (c *chain) contains(b bank, slot uint64) bool {
	if slot > b.slot || slot < c.base {
		return false
	}
	in, ok := c.block(slot)
	if !ok {
		return false
	}
	if !b.fork {
		return !in.fork
	}
	if in.fork {
		return slot/spanLen == b.slot/spanLen
	}
	return slot <= c.forkRoot(b.slot).slot
}

// atHeight returns the surviving block of a height. The height must not be
// below the first one's.
func (c *chain) atHeight(height uint64) bank {
	for last := &c.spans[len(c.spans)-1]; height > last.height; last = &c.spans[len(c.spans)-1] {
		c.extend()
	}
	i := sort.Search(len(c.spans), func(i int) bool { return c.spans[i].height >= height }) - 1
	s := &c.spans[max(i, 0)]
	mask := s.main
	for range height - s.height - 1 {
		mask &= mask - 1
	}
	off := uint64(bits.TrailingZeros64(mask))
	return bank{slot: c.base + uint64(max(i, 0))*spanLen + off, height: height}
}

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
