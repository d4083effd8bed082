package walletfi

import (
	"encoding/base64"

	"github.com/mr-tron/base58"
)

// Sizes within a serialised transaction, in bytes.
const (
	signatureSize = 64
	addressSize   = 32
	headerSize    = 3
	// What a v1 message has before its addresses: version, header, config mask,
	// blockhash, two counts.
	v1Fixed = 1 + headerSize + 4 + 32 + 2
)

// First bytes that tell the formats apart.
const (
	v0Prefix = 0x80 // of a v0 message
	v1Prefix = 0x81 // of a whole v1 transaction
)

// TransactionSignature returns the signature, base58, under which the ledger
// will know tx: its first, which is the fee payer's. It is false where the fee
// payer has not signed yet and where tx is no legacy, v0 or v1 transaction. It
// looks no further than it must and verifies nothing.
func TransactionSignature(tx EncodedTransaction) (string, bool) {
	b, ok := serialised(tx)
	if !ok {
		return "", false
	}
	signature, ok := firstSignature(b)
	if !ok || [signatureSize]byte(signature) == ([signatureSize]byte{}) {
		return "", false
	}
	return base58.Encode(signature), true
}

func serialised(tx EncodedTransaction) ([]byte, bool) {
	var b []byte
	var err error
	switch t := tx.(type) {
	case Base64Transaction:
		if len(t) > maxBase64Text {
			return nil, false
		}
		b, err = base64.StdEncoding.Strict().DecodeString(string(t))
	case Base58Transaction:
		if len(t) > maxBase58Text {
			return nil, false
		}
		b, err = base58.Decode(string(t))
	default:
		return nil, false
	}
	return b, err == nil && len(b) > 0
}

// firstSignature returns the slot of the fee payer's signature.
func firstSignature(b []byte) ([]byte, bool) {
	if b[0] == v1Prefix {
		return firstTrailing(b)
	}
	// The count is a compact-u16, but one of two bytes would mean 8 KiB of
	// signatures, which no format holds.
	count := int(b[0])
	message := 1 + count*signatureSize
	if count == 0 || count >= v0Prefix || len(b) < message+1+headerSize+count*addressSize {
		return nil, false
	}
	required := b[message]
	if required == v0Prefix {
		required = b[message+1]
	}
	return b[1 : 1+signatureSize], int(required) == count
}

// firstTrailing is firstSignature in v1, where the signatures end the
// transaction and the header alone says how many they are.
func firstTrailing(b []byte) ([]byte, bool) {
	if len(b) < v1Fixed {
		return nil, false
	}
	count := int(b[1])
	start := len(b) - count*signatureSize
	if count == 0 || start < v1Fixed+count*addressSize {
		return nil, false
	}
	return b[start : start+signatureSize], true
}
