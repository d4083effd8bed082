package build

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// longestPayload bounds a transaction's text before it is decoded: the length
// of the largest v1 transaction in base58.
const longestPayload = 5_594

// DecodeSigned reads a signed transaction in base58 or base64. It fails if the
// encoding is wrong, the transaction is malformed, or a signature is missing or
// invalid.
func DecodeSigned(text, encoding string) (*ledger.Transaction, error) {
	if len(text) > longestPayload {
		return nil, errors.New("the transaction is too long")
	}
	decode := base58.Decode
	if encoding == "base64" {
		decode = base64.StdEncoding.DecodeString
	}
	raw, err := decode(text)
	if err != nil || len(raw) == 0 {
		return nil, fmt.Errorf("the transaction is not %s", encoding)
	}
	tx, err := ledger.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("the transaction is malformed: %w", err)
	}
	for i, signature := range tx.Signatures {
		if signature.IsZero() {
			return nil, fmt.Errorf("the transaction is not signed by %s", tx.Keys[i])
		}
		if !signature.Verify(tx.Keys[i], tx.Message) {
			return nil, fmt.Errorf("the signature of %s is not valid", tx.Keys[i])
		}
	}
	return tx, nil
}
