package walletfi

import (
	"context"
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

// EffectsReader returns what a transaction has changed. Package rpcnode implements it.
type EffectsReader interface {
	// Effects returns what the transaction with a signature, base58, has changed, as
	// far as it is settled at least as confirmed. It is never put together from an
	// answer that is silent on a part of it or contradicts itself, which is
	// [ErrDecode]. If the node does not have the transaction, which it may a moment
	// later, the error is [ErrNotFound].
	Effects(ctx context.Context, signature string) (*Effects, error)
}

// Effects holds what a transaction changed, to the last unit, as the ledger has it.
// An account of which nothing changed is not in it.
type Effects struct {
	Signature string `json:"signature"`      // base58
	Slot      uint64 `json:"slot"`           // in which it was executed
	Err       string `json:"err,omitempty"`  // why it failed, in the ledger's words; then nothing but the fee was paid
	FeePayer  string `json:"feePayer"`       // base58
	Fee       Amount `json:"fee"`            // lamports, the priority fee included; the fee payer's change includes it
	Units     uint64 `json:"units,omitzero"` // compute units that it used, 0 if the node does not say

	Lamports []LamportChange `json:"lamports"` // in the transaction's order of accounts
	Tokens   []TokenChange   `json:"tokens"`   // likewise
}

// Change is an amount before and after.
type Change struct {
	Before Amount `json:"before"`
	After  Amount `json:"after"`
}

// Gained is by how much the amount has grown, 0 if it has not.
func (c Change) Gained() Amount { return c.After - min(c.Before, c.After) }

// Lost is by how much the amount has shrunk, 0 if it has not.
func (c Change) Lost() Amount { return c.Before - min(c.Before, c.After) }

// LamportChange is the change of an account's lamports. Those of a token account are
// its rent and, if it holds wrapped SOL, its tokens too.
type LamportChange struct {
	Account string `json:"account"` // base58
	Change
}

// TokenChange is the change of a token account's balance. A token account that the
// transaction opened has had 0 before, one that it closed has 0 after. One that
// changed its owner or its mint is two changes. One that was opened or closed empty, or
// of which only the lamports have changed, is a change from an amount to the same.
type TokenChange struct {
	Account  string `json:"account"` // base58
	Owner    string `json:"owner"`   // base58, who may spend the tokens
	Mint     string `json:"mint"`    // base58
	Decimals int    `json:"decimals"`
	Change
}

// Of returns what changed of an owner's: the lamports of its address and of its token
// accounts, and the balances of its token accounts, wrapped SOL among them.
func (e *Effects) Of(owner string) *Effects {
	own := *e
	own.Lamports, own.Tokens = []LamportChange{}, []TokenChange{}
	accounts := map[string]bool{owner: true}
	for _, t := range e.Tokens {
		if t.Owner == owner {
			own.Tokens = append(own.Tokens, t)
			accounts[t.Account] = true
		}
	}
	for _, l := range e.Lamports {
		if accounts[l.Account] {
			own.Lamports = append(own.Lamports, l)
		}
	}
	return &own
}

// Lamport returns the change of one account's lamports, none if it is not among the
// changes.
func (e *Effects) Lamport(account string) Change {
	for _, l := range e.Lamports {
		if l.Account == account {
			return l.Change
		}
	}
	return Change{}
}

// Token returns the change of all of an owner's changed accounts of a mint together.
func (e *Effects) Token(owner, mint string) (sum Change) {
	for _, t := range e.Tokens {
		if t.Owner == owner && t.Mint == mint {
			sum.Before, sum.After = sum.Before+t.Before, sum.After+t.After
		}
	}
	return sum
}
