package burnclose

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// CloseAllTransactions close a wallet's accounts, several with each.
type CloseAllTransactions struct {
	// Transactions is empty where nothing can be closed.
	Transactions   []walletfi.Base58Transaction `json:"-"`
	AccountsClosed int                          `json:"accountsClosed"` // by all of them, once they landed
	// LastValidBlockHeight and Blockhash are not documented: 0 and empty where
	// the answer does not have them.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight"`
	Blockhash            string `json:"blockhash"`

	Reclaimed `json:"-"`
	Raw       walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw. An
// item of the list that holds no transaction is an error.
func (t *CloseAllTransactions) UnmarshalJSON(b []byte) error {
	type fields CloseAllTransactions
	if err := transport.Keep(b, (*fields)(t), &t.Raw); err != nil {
		return err
	}
	var list struct {
		Transactions []batchTransaction `json:"transactions"`
	}
	if err := transport.Keep(b, &list, new(walletfi.Document)); err != nil {
		return err
	}
	t.Transactions = nil
	for _, item := range list.Transactions {
		t.Transactions = append(t.Transactions, walletfi.Base58Transaction(item))
	}
	t.Reclaimed = reclaimedIn(readMembers(b))
	return nil
}

// Unsigned returns the transactions with the intent of the request. They are
// independent of each other.
func (t *CloseAllTransactions) Unsigned() walletfi.Unsigned {
	u := walletfi.Unsigned{Intent: t.intent, LastValidBlockHeight: t.LastValidBlockHeight, Blockhash: t.Blockhash}
	for _, tx := range t.Transactions {
		u.Transactions = append(u.Transactions, tx)
	}
	return u
}

// batchTransaction is an item of the list of transactions: a text, or an
// object that holds one. Which encoding the list has is not documented; what
// can only be base64 is turned into base58, that of the single routes.
type batchTransaction string

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

var errNoTransaction = errors.New("an item holds no transaction")

// UnmarshalJSON fails where there is no transaction to sign.
func (t *batchTransaction) UnmarshalJSON(b []byte) error {
	text := plainText(b)
	if text == "" {
		text = readMembers(b).text("serializedTransaction", "transaction")
	}
	if text == "" {
		return errNoTransaction
	}
	*t = batchTransaction(text)
	if strings.Trim(text, base58Alphabet) == "" {
		return nil
	}
	converted, err := walletfi.Base64Transaction(text).Base58()
	if err != nil {
		return errNoTransaction
	}
	*t = batchTransaction(converted)
	return nil
}

// CloseAllPreview is what closing a wallet's accounts would cost and reclaim.
// The fee breakdown's form is not documented: it is in Raw.
type CloseAllPreview struct {
	Reclaimed `json:"-"`
	Accounts  []walletfi.Document `json:"-"` // those that can be closed, where the answer lists them
	Raw       walletfi.Document   `json:"-"`
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (p *CloseAllPreview) UnmarshalJSON(b []byte) error {
	answer := readMembers(b)
	p.Reclaimed, p.Accounts = reclaimedIn(answer), nil
	items, _ := answer.list("accounts", "closableAccounts", "items")
	for _, item := range items {
		p.Accounts = append(p.Accounts, walletfi.Document(item))
	}
	return p.Raw.UnmarshalJSON(b)
}

// CloseAllSummary counts a wallet's closable accounts.
type CloseAllSummary struct {
	Reclaimed `json:"-"`
	Accounts  *int              `json:"-"` // nil where the answer names no count that is known as one
	Raw       walletfi.Document `json:"-"`
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (s *CloseAllSummary) UnmarshalJSON(b []byte) error {
	answer := readMembers(b)
	s.Reclaimed, s.Accounts = reclaimedIn(answer), nil
	if n, ok := answer.count("accountsClosed", "closableAccounts", "accountCount", "accountsCount", "totalAccounts", "count", "accounts", "total"); ok {
		s.Accounts = &n
	}
	return s.Raw.UnmarshalJSON(b)
}

// CloseAllInstructions close a wallet's accounts.
type CloseAllInstructions struct {
	Groups []InstructionGroup `json:"-"` // one an account; empty where nothing can be closed

	Reclaimed `json:"-"`
	// Intent is what the request asked for, against which the transactions that
	// they go into can be held.
	Intent walletfi.Intent   `json:"-"`
	Raw    walletfi.Document `json:"-"`
}

// UnmarshalJSON reads what is known by name and keeps the answer in Raw.
func (i *CloseAllInstructions) UnmarshalJSON(b []byte) error {
	answer := readMembers(b)
	i.Reclaimed, i.Groups = reclaimedIn(answer), nil
	items, _ := answer.list("instructions", "groups", "accounts")
	for _, item := range items {
		var group InstructionGroup
		if err := json.Unmarshal(item, &group); err != nil {
			return err
		}
		i.Groups = append(i.Groups, group)
	}
	return i.Raw.UnmarshalJSON(b)
}
