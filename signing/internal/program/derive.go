package program

import (
	"crypto/sha256"
	"sync"

	"filippo.io/edwards25519"
)

const derivedMarker = "ProgramDerivedAddress"

// AssociatedAddress derives wallet's associated token account of a mint.
// tokenProgram is the one that the mint is of.
func AssociatedAddress(wallet, mint, tokenProgram Key) Key {
	seeds := make([]byte, 0, 3*32+1+32+len(derivedMarker))
	seeds = append(seeds, wallet[:]...)
	seeds = append(seeds, tokenProgram[:]...)
	seeds = append(seeds, mint[:]...)
	seeds = append(seeds, 0)
	seeds = append(seeds, AssociatedToken[:]...)
	seeds = append(seeds, derivedMarker...)
	// The first bump, from 255 down, whose hash is no point of the curve. Half of
	// all hashes are, so that 256 in a row do not happen.
	for bump := byte(255); ; bump-- {
		seeds[3*32] = bump
		address := sha256.Sum256(seeds)
		if !OnCurve(address) {
			return address
		}
	}
}

// OnCurve reports an address that can have a private key: those that programs derive have none.
func OnCurve(address Key) bool {
	_, err := new(edwards25519.Point).SetBytes(address[:])
	return err == nil
}

// SeedAddress derives the address that base, a seed and a program make, as
// CreateAccountWithSeed does.
func SeedAddress(base Key, seed string, program Key) Key {
	h := sha256.New()
	h.Write(base[:])
	h.Write([]byte(seed))
	h.Write(program[:])
	return Key(h.Sum(nil))
}

// Derivations remembers associated token addresses: one costs some ten
// microseconds, about as much as half a signature.
type Derivations struct {
	mu    sync.RWMutex
	known map[derivation]Key
}

type derivation struct{ wallet, mint, program Key }

// maxDerivations bounds the memory to about a megabyte.
const maxDerivations = 8192

// Associated is AssociatedAddress, from memory if it was asked before.
func (d *Derivations) Associated(wallet, mint, program Key) Key {
	key := derivation{wallet, mint, program}
	d.mu.RLock()
	address, ok := d.known[key]
	d.mu.RUnlock()
	if ok {
		return address
	}
	address = AssociatedAddress(wallet, mint, program)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) >= maxDerivations {
		d.known = map[derivation]Key{}
	}
	d.known[key] = address
	return address
}
