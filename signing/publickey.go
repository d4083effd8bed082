package signing

import (
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
)

// PublicKey is an account's address: an ed25519 public key, or an address that
// a program derived. It converts directly to and from solana-go's PublicKey.
type PublicKey [32]byte

// ParsePublicKey reads base58. The error is a *walletfi.ValidationError.
func ParsePublicKey(text string) (PublicKey, error) {
	k, ok := txwire.DecodeKey(text)
	if !ok {
		return PublicKey{}, &walletfi.ValidationError{
			Field:   "public key",
			Problem: fmt.Sprintf("%.50q is not the base58 of 32 bytes", text),
		}
	}
	return PublicKey(k), nil
}

// MustPublicKey is ParsePublicKey for constants of a program; it panics if
// text is not a key.
func MustPublicKey(text string) PublicKey {
	k, err := ParsePublicKey(text)
	if err != nil {
		panic("signing: " + err.Error())
	}
	return k
}

// String is the base58 text.
func (k PublicKey) String() string { return base58.Encode(k[:]) }

// IsZero reports whether all bytes are zero, which is also the System
// program's address.
func (k PublicKey) IsZero() bool { return k == PublicKey{} }

// MarshalText writes base58.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads base58.
func (k *PublicKey) UnmarshalText(text []byte) error {
	parsed, err := ParsePublicKey(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}
