package walletfi

import (
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/internal/txwire"
)

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
