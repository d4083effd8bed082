package txbuild

import (
	"crypto/sha256"
	"slices"

	"filippo.io/edwards25519"
)

// Associated derives wallet's associated token account of a mint.
func Associated(wallet, mint, tokenProgram Key) Key {
	for bump := 255; bump >= 0; bump-- {
		address := hash(wallet[:], tokenProgram[:], mint[:], []byte{uint8(bump)}, AssociatedToken[:],
			[]byte("ProgramDerivedAddress"))
		if _, err := new(edwards25519.Point).SetBytes(address[:]); err != nil {
			return address
		}
	}
	panic("txbuild: no address off the curve")
}

// Seeded derives the address that base, a seed and a program make.
func Seeded(base Key, seed string, program Key) Key {
	return hash(base[:], []byte(seed), program[:])
}

func hash(parts ...[]byte) Key { return sha256.Sum256(slices.Concat(parts...)) }
