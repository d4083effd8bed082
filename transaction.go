package walletfi

import (
	"encoding/base64"
	"fmt"

	"github.com/mr-tron/base58"
)

// Base64Transaction is a serialised transaction in standard base64, unsigned
// or signed. It is a type of its own so that the compiler keeps it out of a
// field that takes base58.
type Base64Transaction string

// Base58Transaction is a serialised transaction in base58, unsigned or signed.
type Base58Transaction string

// EncodedTransaction is a Base64Transaction or a Base58Transaction.
type EncodedTransaction interface {
	// Encoding is "base64" or "base58", as the services name it.
	Encoding() string
	// String is the encoded text.
	String() string
	encoded()
}

// Encoding is "base64".
func (Base64Transaction) Encoding() string { return "base64" }

// Encoding is "base58".
func (Base58Transaction) Encoding() string { return "base58" }

// String is the encoded text.
func (t Base64Transaction) String() string { return string(t) }

// String is the encoded text.
func (t Base58Transaction) String() string { return string(t) }

func (Base64Transaction) encoded() {}
func (Base58Transaction) encoded() {}

// The longest texts of a transaction: 4,096 bytes, the largest format, in each
// encoding. Base58 decoding is quadratic, so the length is checked first.
const (
	maxBase64Text = 5464
	maxBase58Text = 5594
)

// Base58 returns the same bytes in base58.
func (t Base64Transaction) Base58() (Base58Transaction, error) {
	if len(t) > maxBase64Text {
		return "", fmt.Errorf("walletfi: a transaction of %d base64 characters is longer than any", len(t))
	}
	b, err := base64.StdEncoding.Strict().DecodeString(string(t))
	if err != nil {
		return "", fmt.Errorf("walletfi: transaction: %w", err)
	}
	return Base58Transaction(base58.Encode(b)), nil
}

// Base64 returns the same bytes in base64.
func (t Base58Transaction) Base64() (Base64Transaction, error) {
	if len(t) > maxBase58Text {
		return "", fmt.Errorf("walletfi: a transaction of %d base58 characters is longer than any", len(t))
	}
	b, err := base58.Decode(string(t))
	if err != nil {
		return "", fmt.Errorf("walletfi: transaction: %w", err)
	}
	return Base64Transaction(base64.StdEncoding.EncodeToString(b)), nil
}
