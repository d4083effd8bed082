package wiretest

import (
	"bytes"

	"github.com/mr-tron/base58"
)

// Address returns the base58 address of 32 bytes of filler.
func Address(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 32)) }

// Signature returns the base58 signature of 64 bytes of filler.
func Signature(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 64)) }

// Transaction returns bytes with the structure of a legacy transaction that
// has one signature of filler. rest follows the header.
func Transaction(filler byte, rest ...byte) []byte {
	b := append([]byte{1}, bytes.Repeat([]byte{filler}, 64)...)
	return append(append(b, 1, 0, 0, 1), rest...)
}

// Pair returns a legacy transaction of two signers, of which the first pays the
// fee. The fillers are those of their addresses and of their signatures; a
// signature of 0 is missing.
func Pair(payer, other, paid, signed byte) []byte {
	b := append([]byte{2}, bytes.Repeat([]byte{paid}, 64)...)
	b = append(append(b, bytes.Repeat([]byte{signed}, 64)...), 2, 0, 0, 2)
	b = append(append(b, bytes.Repeat([]byte{payer}, 32)...), bytes.Repeat([]byte{other}, 32)...)
	return append(b, make([]byte, 32+1)...)
}
