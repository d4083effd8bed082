package signing

import (
	"encoding/base64"
	"errors"
	"unsafe"

	"github.com/walletfi/walletfi-go"
)

// The longest texts of a transaction. Base58 is quadratic to decode, so its
// length is checked first.
const (
	maxBase64Text = (maxPacketV1 + 2) / 3 * 4
	maxBase58Text = 5594
)

var strictBase64 = base64.StdEncoding.Strict()

// Decode reads an encoded transaction and keeps its exact bytes. What is
// malformed in any way is a *GuardError of rule G1, G2 or G3: text that is not
// strict, a length that is not in its shortest form, an index out of range, a
// byte too many.
func Decode(encoded walletfi.EncodedTransaction) (*Transaction, error) {
	return decode(encoded, "")
}

// DecodeBytes is Decode for bytes; it copies them.
func DecodeBytes(b []byte) (*Transaction, error) {
	if len(b) > maxPacketV1 {
		return nil, malformed("%d bytes", len(b))
	}
	t := newTransaction(len(b))
	copy(t.raw, b)
	return parsed(t, "")
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

// decode switches on the type rather than calling a method, so that the
// caller's string needs no box on the heap.
func decode(encoded walletfi.EncodedTransaction, off Rule) (*Transaction, error) {
	switch text := encoded.(type) {
	case walletfi.Base64Transaction:
		return decodeBase64(string(text), off)
	case walletfi.Base58Transaction:
		return decodeBase58(string(text), off)
	}
	return nil, malformed("nothing")
}

func decodeBase64(text string, off Rule) (*Transaction, error) {
	if len(text) > maxBase64Text {
		return nil, malformed("%d base64 characters", len(text))
	}
	if len(text) == 0 || len(text)%4 != 0 {
		return nil, malformed("%d base64 characters, which is no multiple of four", len(text))
	}
	size := len(text) / 4 * 3
	for i := len(text) - 1; i >= len(text)-2 && text[i] == '='; i-- {
		size--
	}
	if size > maxPacketV1 { // two bytes more fit the same text without padding
		return nil, malformed("%d bytes", size)
	}
	t := newTransaction(size)
	n, err := strictBase64.Decode(t.raw[:size:cap(t.raw)], unsafe.Slice(unsafe.StringData(text), len(text)))
	// The decoder passes over line breaks, which shows in the length.
	if err != nil || n != size {
		return nil, malformed("text that is not strict base64")
	}
	return parsed(t, off)
}

func decodeBase58(text string, off Rule) (*Transaction, error) {
	if len(text) > maxBase58Text {
		return nil, malformed("%d base58 characters", len(text))
	}
	t := base58Transaction(text)
	if t == nil {
		return nil, malformed("text that is not the base58 of a transaction")
	}
	return parsed(t, off)
}

// newTransaction puts the bytes beside the layout, in one allocation.
func newTransaction(size int) *Transaction {
	if size <= maxPacket {
		room := new(struct {
			t Transaction
			b [maxPacket]byte
		})
		room.t.raw = room.b[:size:size]
		return &room.t
	}
	room := new(struct {
		t Transaction
		b [maxPacketV1]byte
	})
	room.t.raw = room.b[:size:size]
	return &room.t
}

func parsed(t *Transaction, off Rule) (*Transaction, error) {
	w := walk{b: t.raw, off: off}
	w.run()
	if w.err != nil {
		return nil, w.err
	}
	t.layout = w.layout
	return t, nil
}

func malformed(found string, args ...any) *GuardError {
	var w walk
	w.stop(RuleEncoding, found, "a transaction in strict base64 or base58, at most 1,232 bytes or in v1 4,096", args...)
	return w.err
}
