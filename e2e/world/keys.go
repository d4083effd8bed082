package world

import (
	"errors"

	"github.com/mr-tron/base58"
)

// Key is an account's address.
type Key [32]byte

// Hash is a blockhash, or the value stored in a nonce account.
type Hash [32]byte

// Signature is a transaction's first signature, which names it.
type Signature [64]byte

// String returns the address in base58.
func (k Key) String() string { return base58.Encode(k[:]) }

// String returns the hash in base58.
func (h Hash) String() string { return base58.Encode(h[:]) }

// String returns the signature in base58.
func (s Signature) String() string { return base58.Encode(s[:]) }

// ParseKey reads a base58 address.
func ParseKey(text string) (Key, error) {
	var k Key
	err := decode58(k[:], text)
	return k, err
}

// ParseHash reads a base58 blockhash.
func ParseHash(text string) (Hash, error) {
	var h Hash
	err := decode58(h[:], text)
	return h, err
}

// ParseSignature reads a base58 signature.
func ParseSignature(text string) (Signature, error) {
	var s Signature
	err := decode58(s[:], text)
	return s, err
}

var errBase58 = errors.New("not base58 of the right length")

// decode58 fills dst from text, which must stand for exactly as many bytes.
func decode58(dst []byte, text string) error {
	b, err := base58.Decode(text)
	if err != nil || len(b) != len(dst) {
		return errBase58
	}
	copy(dst, b)
	return nil
}
