package signing

import (
	"crypto/ed25519"
	"fmt"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
)

// Signature is an ed25519 signature. A transaction is known to the ledger by
// its first one. It converts directly to and from solana-go's Signature.
type Signature [64]byte

// maxSignatureText bounds a signature's base58 text.
const maxSignatureText = 88

// ParseSignature reads base58. The error is a *walletfi.ValidationError.
func ParseSignature(text string) (Signature, error) {
	if len(text) <= maxSignatureText {
		if b, _ := base58.Decode(text); len(b) == len(Signature{}) { // nothing if it is no base58
			return Signature(b), nil
		}
	}
	return Signature{}, &walletfi.ValidationError{
		Field:   "signature",
		Problem: fmt.Sprintf("%.100q is not the base58 of 64 bytes", text),
	}
}

// String is the base58 text.
func (s Signature) String() string { return base58.Encode(s[:]) }

// IsZero reports whether the slot that the signature was read from is empty.
func (s Signature) IsZero() bool { return s == Signature{} }

// Verify reports whether the signature is key's over message.
func (s Signature) Verify(key PublicKey, message []byte) bool {
	return ed25519.Verify(key[:], message, s[:])
}

// MarshalText writes base58.
func (s Signature) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads base58.
func (s *Signature) UnmarshalText(text []byte) error {
	parsed, err := ParseSignature(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}
