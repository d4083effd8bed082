package world

import "encoding/binary"

// purpose keeps draws for different ends apart.
type purpose uint64

const (
	forSlots purpose = iota + 1
	forSkip
	forWindow
	forFork
	forForkSide
	forDepth
	forBlockhash
	forGenesis
	forStranger
	forStrangerCount
	forStrangerKey
	forCarry
	forForkFail
	forOrder
	forReach
	forDelay
	forHold
	forDrop
	forLate
	forLateBlock
	forNode
	forLag
	forFollow
	forHole
	forRestart
	forNullError
	forStale
	forRoute
	forSticky
	forFault
	forFaultKind
	forLatency
	forLie
	forMode
	forConfirm
	forNonce
	forHollow
	forCrooked
	forMixUp
)

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// draw returns a number that depends on the seed, the purpose and the ids
// only.
func draw(seed uint64, p purpose, ids ...uint64) uint64 {
	h := mix(seed + uint64(p)*0x9e3779b97f4a7c15)
	for _, id := range ids {
		h = mix(h ^ mix(id+0x9e3779b97f4a7c15))
	}
	return h
}

// chance turns a draw into an event of probability p.
func chance(p float64, h uint64) bool {
	return p > 0 && float64(h>>11)*0x1p-53 < p
}

// between turns a draw into a number from low to high, both included.
func between(low, high int, h uint64) int {
	if high <= low {
		return low
	}
	return low + int(h%uint64(high-low+1))
}

// fill writes bytes drawn from h.
func fill(b []byte, h uint64) {
	var word [8]byte
	for i := 0; i < len(b); i += 8 {
		h = mix(h + 0x9e3779b97f4a7c15)
		binary.LittleEndian.PutUint64(word[:], h)
		copy(b[i:], word[:])
	}
}

// digest hashes bytes for use as an id. It need not resist anyone.
func digest(b []byte) uint64 {
	h := uint64(len(b)) * 0x9e3779b97f4a7c15
	for len(b) >= 8 {
		h = mix(h ^ binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var word [8]byte
	copy(word[:], b)
	return mix(h ^ binary.LittleEndian.Uint64(word[:]))
}

// id returns a number for a signature to draw with.
func (s Signature) id() uint64 { return binary.LittleEndian.Uint64(s[8:16]) }
