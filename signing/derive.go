package signing

import (
	"crypto/sha256"
	"sync"

	"filippo.io/edwards25519"
)

const derivedMarker = "ProgramDerivedAddress"

// AssociatedTokenAddress derives wallet's associated token account of a mint.
// tokenProgram is TokenProgram or Token2022Program, whichever the mint is of.
func AssociatedTokenAddress(wallet, mint, tokenProgram PublicKey) PublicKey {
	seeds := make([]byte, 0, 3*32+1+32+len(derivedMarker))
	seeds = append(seeds, wallet[:]...)
	seeds = append(seeds, tokenProgram[:]...)
	seeds = append(seeds, mint[:]...)
	seeds = append(seeds, 0)
	seeds = append(seeds, AssociatedTokenProgram[:]...)
	seeds = append(seeds, derivedMarker...)
	// The first bump, from 255 down, whose hash is no point of the curve. That
	// none of 256 is would take a collision of the hash.
	for bump := 255; ; bump-- {
		seeds[3*32] = byte(bump)
		address := sha256.Sum256(seeds)
		if !onCurve(address) || bump == 0 {
			return address
		}
	}
}

func onCurve(address [32]byte) bool {
	_, err := new(edwards25519.Point).SetBytes(address[:])
	return err == nil
}

// SeedAddress derives the address that base, a seed and a program make, as
// CreateAccountWithSeed does.
func SeedAddress(base PublicKey, seed string, program PublicKey) PublicKey {
	h := sha256.New()
	h.Write(base[:])
	h.Write([]byte(seed))
	h.Write(program[:])
	return PublicKey(h.Sum(nil))
}

// derivations remembers associated token addresses: one costs some ten
// microseconds, about as much as half a signature.
type derivations struct {
	mu    sync.RWMutex
	known map[derivation]PublicKey
}

type derivation struct{ wallet, mint, program PublicKey }

// maxDerivations bounds the memory to about a megabyte.
const maxDerivations = 8192

func (d *derivations) associated(wallet, mint, program PublicKey) PublicKey {
	key := derivation{wallet, mint, program}
	d.mu.RLock()
	address, ok := d.known[key]
	d.mu.RUnlock()
	if ok {
		return address
	}
	address = AssociatedTokenAddress(wallet, mint, program)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxDerivations {
		d.known = map[derivation]PublicKey{}
	}
	d.known[key] = address
	return address
}
