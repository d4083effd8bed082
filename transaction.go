package walletfi

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/internal/txwire"
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

// Base58 returns the same bytes in base58.
func (t Base64Transaction) Base58() (Base58Transaction, error) {
	b, err := serialised(t)
	if err != nil {
		return "", err
	}
	return Base58Transaction(base58.Encode(b)), nil
}

// Base64 returns the same bytes in base64.
func (t Base58Transaction) Base64() (Base64Transaction, error) {
	b, err := serialised(t)
	if err != nil {
		return "", err
	}
	return Base64Transaction(base64.StdEncoding.EncodeToString(b)), nil
}

// serialised decodes the text and does not look at the bytes.
func serialised(tx EncodedTransaction) (b []byte, err error) {
	room := func(size int) []byte {
		b = make([]byte, size)
		return b
	}
	var faults *txwire.Faults
	switch text := tx.(type) {
	case Base64Transaction:
		faults = txwire.FromBase64(string(text), room)
	case Base58Transaction:
		faults = txwire.FromBase58(string(text), room)
	default:
		return nil, errors.New("walletfi: transaction: nil")
	}
	if faults != nil {
		return nil, fmt.Errorf("walletfi: transaction: %w", faults)
	}
	return b, nil
}

// TransactionSignature returns the signature, base58, under which the ledger
// will know tx: the first one, which is the fee payer's. It is false if the fee
// payer has not signed yet, and if tx is not a well-formed legacy, v0 or v1
// transaction, by the same parser that package signing checks and signs with.
// It does not verify the signature.
func TransactionSignature(tx EncodedTransaction) (string, bool) {
	b, err := serialised(tx)
	if err != nil {
		return "", false
	}
	t := txwire.Transaction{Raw: b}
	if t.Parse() != nil {
		return "", false
	}
	signature := t.Slot(0)
	if *signature == [64]byte{} {
		return "", false
	}
	return base58.Encode(signature[:]), true
}
