package signing

import (
	"errors"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Decode reads an encoded transaction and keeps its exact bytes. A malformed
// transaction is a *GuardError of rule G1, G2 or G3: text that is not strict, a
// length that is not in its shortest form, an index out of range, a byte too
// many.
func Decode(encoded walletfi.EncodedTransaction) (*Transaction, error) {
	var t *Transaction
	room := func(size int) []byte {
		t = newTransaction(size)
		return t.wire.Raw
	}
	// A switch on the type and not a method call, so that the caller's string is
	// not copied to the heap.
	var faults *txwire.Faults
	switch text := encoded.(type) {
	case walletfi.Base64Transaction:
		if faults = txwire.FromBase64(string(text), room); faults == nil {
			t.text = string(text) // strict, so that no other text has the same bytes
		}
	case walletfi.Base58Transaction:
		faults = txwire.FromBase58(string(text), room)
	default:
		return nil, malformed("nothing")
	}
	if faults != nil {
		return nil, faulty(faults)
	}
	return parsed(t)
}

// DecodeBytes is Decode for bytes; it copies them.
func DecodeBytes(b []byte) (*Transaction, error) {
	if len(b) > txwire.MaxSizeV1 {
		return nil, malformed(strconv.Itoa(len(b)) + " bytes")
	}
	t := newTransaction(len(b))
	copy(t.wire.Raw, b)
	return parsed(t)
}

// DecodeAll decodes what a builder answered, in order. The error is a
// *GuardError that names the transaction by its index.
func DecodeAll(u walletfi.Unsigned) ([]*Transaction, error) {
	txs := make([]*Transaction, 0, len(u.Transactions))
	for i, encoded := range u.Transactions {
		tx, err := Decode(encoded)
		if err != nil {
			if refusal, ok := errors.AsType[*GuardError](err); ok {
				refusal.Transaction = i
			}
			return nil, err
		}
		txs = append(txs, tx)
	}
	return txs, nil
}

// smallSize is that of most transfers: many are kept while they are in flight.
const smallSize = 448

// newTransaction puts bytes and layout in one allocation.
func newTransaction(size int) *Transaction {
	if size <= smallSize {
		room := new(struct {
			t Transaction
			b [smallSize]byte
		})
		room.t.wire.Raw = room.b[:size:size]
		return &room.t
	}
	if size <= txwire.MaxSize {
		room := new(struct {
			t Transaction
			b [txwire.MaxSize]byte
		})
		room.t.wire.Raw = room.b[:size:size]
		return &room.t
	}
	room := new(struct {
		t Transaction
		b [txwire.MaxSizeV1]byte
	})
	room.t.wire.Raw = room.b[:size:size]
	return &room.t
}

func parsed(t *Transaction) (*Transaction, error) {
	if faults := t.wire.Parse(); faults != nil {
		return nil, faulty(faults)
	}
	return t, nil
}

// faulty is the refusal of a transaction that cannot be read.
func faulty(f *txwire.Faults) *GuardError {
	return &GuardError{Rule: ruleOf(f.Kind), Instruction: EnvelopeInstruction, Found: f.Found, Allowed: f.Allowed}
}

func ruleOf(kind txwire.Kind) Rule {
	switch kind {
	case txwire.Encoding:
		return RuleEncoding
	case txwire.Unknown:
		return RuleVersion
	}
	return RuleSanity
}

func malformed(found string) *GuardError {
	return &GuardError{Rule: RuleEncoding, Instruction: EnvelopeInstruction, Found: found, Allowed: txwire.WholeText}
}
