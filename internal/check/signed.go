package check

import (
	"fmt"
	"slices"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
)

// Signed refuses a transaction that lacks a signature, as a builder's output
// does. Only the signers in late, addresses in base58, may sign after the
// service has it, and one signer must have signed before. Bytes that are not a
// known form of transaction are left to the service, which may know more forms.
func Signed(field string, tx walletfi.EncodedTransaction, late []string) error {
	t := parse(tx)
	if t == nil {
		return nil
	}
	signed := false
	for i := range t.Signers() {
		if *t.Slot(i) != (txwire.Signature{}) {
			signed = true
			continue
		}
		if address := base58.Encode(t.Key(i)[:]); !slices.Contains(late, address) {
			return &walletfi.ValidationError{Field: field, Problem: unsigned(i, address)}
		}
	}
	return That(signed, field, "has no signature at all")
}

func unsigned(slot int, address string) string {
	role := "has to sign"
	if slot == 0 {
		role = "pays the fee"
	}
	return fmt.Sprintf(
		"lacks the signature of %s, which %s; if the service adds it, name it with walletfi.WithLateSigners", address, role,
	)
}

// EachSigned is [Signed] for every item of a list.
func EachSigned[T walletfi.EncodedTransaction](field string, txs []T, late []string) error {
	return Each(field, txs, func(field string, tx T) error { return Signed(field, tx, late) })
}

// Late returns the signers whose signatures the transaction of a Submitter may
// lack: all but the owner's, because the guard has let the others through.
func Late(tx walletfi.Signed) []string {
	t := parse(tx.Transaction)
	if t == nil {
		return nil
	}
	var late []string
	for i := range t.Signers() {
		if address := base58.Encode(t.Key(i)[:]); address != tx.Owner {
			late = append(late, address)
		}
	}
	return late
}

// parse returns nil if tx is not a well-formed transaction.
func parse(tx walletfi.EncodedTransaction) *txwire.Transaction {
	t := &txwire.Transaction{}
	room := func(size int) []byte {
		t.Raw = make([]byte, size)
		return t.Raw
	}
	var faults *txwire.Faults
	switch text := tx.(type) {
	case walletfi.Base64Transaction:
		faults = txwire.FromBase64(string(text), room)
	case walletfi.Base58Transaction:
		faults = txwire.FromBase58(string(text), room)
	default:
		return nil
	}
	if faults != nil || t.Parse() != nil {
		return nil
	}
	return t
}

// SignedSince refuses a signed transaction that is not the one that was built,
// signed by owner. Other slots may be empty: the service that built the
// transaction adds a sponsor's or a market maker's signature. If owner is empty
// or has no slot, a signature must have been added to any slot.
func SignedSince(field string, signed, built walletfi.EncodedTransaction, owner string) error {
	s, b := parse(signed), parse(built)
	switch {
	case b == nil:
		return That(false, field, "cannot be compared with the transaction that was built, which is not well-formed")
	case s == nil:
		return That(false, field, "is not a well-formed transaction")
	case !slices.Equal(s.Message(), b.Message()):
		return That(false, field, "is not the transaction that was built: another message was signed")
	}
	added, owns := false, false
	for i := range s.Signers() {
		filled := *s.Slot(i) != (txwire.Signature{})
		added = added || filled && *b.Slot(i) == (txwire.Signature{})
		if base58.Encode(s.Key(i)[:]) == owner {
			if owns = true; !filled {
				return That(false, field, "lacks the signature of the owner, "+owner)
			}
		}
	}
	return That(added || owns, field, "is the transaction that was built, without another signature")
}
