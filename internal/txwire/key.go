package txwire

import (
	"crypto/ed25519"
	"encoding/binary"

	"github.com/mr-tron/base58"
)

// Key is an account's address.
type Key [32]byte

// String is the base58 text.
func (k Key) String() string { return base58.Encode(k[:]) }

// IsZero reports whether all bytes are zero, which is also the System
// program's address.
func (k Key) IsZero() bool { return k == Key{} }

// Same compares two keys. Nearly all differ in their first eight bytes, and
// this much is inlined; == of an array is a call.
func Same(a, b *Key) bool {
	return binary.LittleEndian.Uint64(a[:]) == binary.LittleEndian.Uint64(b[:]) && *a == *b
}

// Signature is an ed25519 signature, or a slot for one.
type Signature [64]byte

// Verify reports whether the signature is key's over message.
func (s *Signature) Verify(key *Key, message []byte) bool {
	return ed25519.Verify(key[:], message, s[:])
}
