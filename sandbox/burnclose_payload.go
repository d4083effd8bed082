package sandbox

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// burnCloseRelay is how the relay routes are to treat what they are given.
type burnCloseRelay struct {
	encoding       string
	skipPreflight  bool
	minContextSlot *uint64
	preflight      string // commitment against which minContextSlot is held
	wait           bool
	commitment     string
	timeoutMs      int
	pollMs         int
}

// What holds where a request says nothing.
const (
	burnCloseCommitment = "confirmed"
	burnCloseTimeoutMs  = 30_000
	burnClosePollMs     = 500
)

// burnCloseLongestPayload bounds the text before it is decoded: a v1 transaction's.
const burnCloseLongestPayload = 5_594

// burnCloseDecode reads a signed transaction. A refusal says what is wrong.
func burnCloseDecode(text, encoding string) (*ledger.Transaction, error) {
	if len(text) > burnCloseLongestPayload {
		return nil, fmt.Errorf("the transaction is too long")
	}
	raw, err := base58.Decode(text)
	if encoding == "base64" {
		raw, err = base64.StdEncoding.DecodeString(text)
	} else {
		encoding = "base58"
	}
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

// relay hands a transaction to the ledger as a node would: with a preflight
// what would fail is refused, without one it is passed on whatever comes of
// it.
func (b *burnClose) relay(tx *ledger.Transaction, o burnCloseRelay) error {
	if o.minContextSlot != nil && *o.minContextSlot > b.slot()-b.lag(o.preflight) {
		return errors.New("the minimum context slot has not been reached")
	}
	if !o.skipPreflight {
		simulation, err := b.chain.Simulate(tx.Raw, true, false)
		if err == nil && simulation.Err != nil {
			err = simulation.Err
		}
		if err != nil {
			return fmt.Errorf("transaction simulation failed: %w", err)
		}
	}
	b.submit(tx.Raw)
	return nil
}

// settled reports whether a transaction has landed and reached a commitment.
func (b *burnClose) settled(signature solana.Signature, commitment string) bool {
	r := b.chain.Receipt(signature)
	return r != nil && r.Slot+b.lag(commitment) <= b.slot()
}
