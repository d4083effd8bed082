package solanago

import (
	"bytes"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// Convert returns a copy of tx in solana-go's type, which knows the legacy and
// the v0 format. A v1 transaction is a *walletfi.ValidationError. What is
// changed in the copy does not reach tx: FromSolana converts it back to be
// checked and signed.
//
// Single keys and signatures need no function: solana.PublicKey(key) and
// signing.PublicKey(key) convert, signatures likewise.
func Convert(tx *signing.Transaction) (*solana.Transaction, error) {
	if tx.Version() == signing.V1 {
		return nil, &walletfi.ValidationError{
			Field: "transaction", Problem: "is a v1 transaction, which solana-go's type cannot hold",
		}
	}
	raw := tx.Bytes()
	converted, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, fmt.Errorf("solanago: solana-go cannot read the transaction: %w", err)
	}
	again, err := converted.MarshalBinary()
	if err != nil || !bytes.Equal(raw, again) {
		return nil, fmt.Errorf("solanago: solana-go reads the transaction as another one")
	}
	return converted, nil
}

// FromSolana returns a copy of a transaction that was built with solana-go, for
// a guard to check and a signer to sign. Missing signatures are made empty
// slots. Its errors are those of signing.DecodeBytes.
func FromSolana(tx *solana.Transaction) (*signing.Transaction, error) {
	whole := *tx
	whole.Signatures = make([]solana.Signature, tx.Message.Header.NumRequiredSignatures)
	copy(whole.Signatures, tx.Signatures)
	raw, err := whole.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("solanago: solana-go cannot write the transaction: %w", err)
	}
	return signing.DecodeBytes(raw)
}

// Keys converts a list of keys.
func Keys(keys []signing.PublicKey) solana.PublicKeySlice {
	converted := make(solana.PublicKeySlice, len(keys))
	for i, k := range keys {
		converted[i] = solana.PublicKey(k)
	}
	return converted
}

// Signatures converts a list of signatures.
func Signatures(signatures []signing.Signature) []solana.Signature {
	converted := make([]solana.Signature, len(signatures))
	for i, s := range signatures {
		converted[i] = solana.Signature(s)
	}
	return converted
}
