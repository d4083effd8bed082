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
