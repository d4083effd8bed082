package webhooks

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// Topic is the topic under which an EVM contract logs an event: the
// Keccak-256 hash of its signature.
func Topic(event string) string {
	hash := keccak([]byte(event))
	return "0x" + hex.EncodeToString(hash[:])
}

// Rate is how many bytes Keccak-256 absorbs at a time.
const Rate = 136

// keccak is the original Keccak-256. SHA-3, which the standard library has,
// pads differently.
func keccak(message []byte) (hash [32]byte) {
	padded := append(append([]byte(nil), message...), 1)
	for len(padded)%Rate != 0 {
		padded = append(padded, 0)
	}
	padded[len(padded)-1] |= 0x80
	var state [25]uint64
	for ; len(padded) > 0; padded = padded[Rate:] {
		for i := range Rate / 8 {
			state[i] ^= binary.LittleEndian.Uint64(padded[8*i:])
		}
		permute(&state)
	}
	for i := range 4 {
		binary.LittleEndian.PutUint64(hash[8*i:], state[i])
	}
	return hash
}

// rotations and lanes are the steps rho and pi: by how much,
// and to where, each lane goes on its way through the state.
var (
	rotations = [24]int{1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44}
	lanes     = [24]int{10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1}
)

// permute is Keccak-f[1600].
func permute(a *[25]uint64) {
	lfsr := byte(1)
	for range 24 {
		var parity [5]uint64
		for x := range 5 {
			parity[x] = a[x] ^ a[x+5] ^ a[x+10] ^ a[x+15] ^ a[x+20]
		}
		for i := range a {
			a[i] ^= parity[(i+4)%5] ^ bits.RotateLeft64(parity[(i+1)%5], 1)
		}
		lane := a[1]
		for i, to := range lanes {
			a[to], lane = bits.RotateLeft64(lane, rotations[i]), a[to]
		}
		for y := 0; y < 25; y += 5 {
			row := [5]uint64(a[y : y+5])
			for x := range 5 {
				a[y+x] = row[x] ^ ^row[(x+1)%5]&row[(x+2)%5]
			}
		}
		a[0] ^= roundConstant(&lfsr)
	}
}

// roundConstant takes the next seven bits of the register that makes
// the constants: bit i of them is at position 2^i-1.
func roundConstant(lfsr *byte) (constant uint64) {
	for i := range 7 {
		if *lfsr&1 == 1 {
			constant |= 1 << (1<<i - 1)
		}
		feedback := *lfsr & 0x80
		*lfsr <<= 1
		if feedback != 0 {
			*lfsr ^= 0x71
		}
	}
	return constant
}
