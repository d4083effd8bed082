package world

import (
	"crypto/sha256"
	"encoding/binary"
)

// ages tells how long blockhashes live. A block accepts a blockhash if the
// blockhash queue of its parent holds it among the most recent ones, age of
// them.
type ages struct {
	now, later uint64
	from       uint64 // the height from which later holds
}

func newAges(cfg Cluster, startHeight uint64) ages {
	a := ages{now: uint64(cfg.Age), later: uint64(cfg.Age)}
	if cfg.AgeLater > 0 {
		a.later = uint64(cfg.AgeLater)
		a.from = startHeight + uint64(cfg.AgeSwitch)
	}
	return a
}

// in returns the age that a block of a height goes by.
func (a ages) in(height uint64) uint64 {
	if height < a.from {
		return a.now
	}
	return a.later
}

// accepts reports whether a block of a height accepts the blockhash of a
// block of the height hash. A switch to a longer age revives none that had
// died by then.
func (a ages) accepts(hash, height uint64) bool {
	if height <= hash || height > hash+a.in(height) {
		return false
	}
	return height < a.from || hash+a.now+1 >= a.from
}

// valid is what isBlockhashValid says of the blockhash of height hash at a
// bank of a height: whether it is among the bank's own most recent ones.
func (a ages) valid(hash, height uint64) bool {
	if height < hash || height >= hash+a.in(height) {
		return false
	}
	return height < a.from || hash+a.now+1 >= a.from
}

// forwarding is how many blocks a simulation takes off the age, because the
// transaction has to reach a leader yet.
const forwarding = 6

// simulates reports whether a simulation at a bank accepts a blockhash.
func (a ages) simulates(hash, height uint64) bool {
	return a.valid(hash, height) && a.valid(hash, height+forwarding)
}

// last returns the height of the last block that accepts a blockhash.
func (a ages) last(hash uint64) uint64 {
	old := hash + a.now
	if a.later == a.now || old+1 < a.from {
		return old
	}
	if hash+a.later >= a.from {
		return hash + a.later
	}
	return a.from - 1
}

// lastValid is the lastValidBlockHeight that a bank tells of its own
// blockhash. It is one short of [ages.last].
func (a ages) lastValid(height uint64) uint64 { return height + a.in(height) - 1 }

// blockhash returns the hash of the block in a slot. The slot can be read
// back from it, so that nothing need be kept for each block.
func (c *chain) blockhash(slot uint64) Hash {
	var h Hash
	fill(h[8:], draw(c.seed, forBlockhash, slot))
	binary.LittleEndian.PutUint64(h[:8], slot^draw(c.seed, forBlockhash, digest(h[8:])))
	return h
}

// slotOf returns the slot whose block has a hash.
func (c *chain) slotOf(h Hash) (uint64, bool) {
	slot := binary.LittleEndian.Uint64(h[:8]) ^ draw(c.seed, forBlockhash, digest(h[8:]))
	return slot, h == c.blockhash(slot)
}

// genesis returns the hash that names the cluster.
func (c *chain) genesis() Hash {
	var h Hash
	fill(h[:], draw(c.seed, forGenesis))
	return h
}

// nextNonce is the value that a nonce account gets in a block after parent.
func (c *chain) nextNonce(parent bank) Hash { return durable(c.blockhash(parent.slot)) }

// durable derives a nonce's value from a blockhash.
func durable(h Hash) Hash {
	return sha256.Sum256(append([]byte("DURABLE_NONCE"), h[:]...))
}
