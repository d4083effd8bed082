package burnclose

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// CloseAllTransactions holds transactions that each close several accounts of a
// wallet.
type CloseAllTransactions struct {
	// Transactions close accounts, at most as many as the request's limit, or 16. It is
	// empty if nothing can be closed.
	Transactions []walletfi.Base58Transaction `json:"-"`
	// by all of them, once they have landed
	AccountsClosed int `json:"accountsClosed" wire:"said,min=0"`
	// LastValidBlockHeight and Blockhash are not documented. They are 0 and empty
	// if the answer does not hold them.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"strict,decides,optional"`
	Blockhash            string `json:"blockhash" wire:"strict"`

	Reclaimed `json:"-"`
	Raw       walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// decode reads the known fields and keeps the answer in Raw. It fails if
// an item of the list holds no transaction.
func (t *CloseAllTransactions) decode(b []byte, waive func(wire.Breach) bool) error {
	t.Raw = wire.Keep(b)
	if err := wire.DecodeFields(b, t, waive); err != nil {
		return err
	}
	var list struct {
		Transactions []batchTransaction `json:"transactions" wire:"strict"`
	}
	if err := wire.Decode(b, &list); err != nil {
		return err
	}
	t.Transactions = nil
	for _, item := range list.Transactions {
		if slices.Contains(t.Transactions, walletfi.Base58Transaction(item)) {
			return errTransactionTwice
		}
		t.Transactions = append(t.Transactions, walletfi.Base58Transaction(item))
	}
	answer, err := readDeciding(b)
	if err != nil {
		return err
	}
	if t.Reclaimed, err = reclaimedIn(answer); err != nil {
		return err
	}
	return t.contradiction(answer)
}

// contradiction holds that each transaction closes one account at least, and as many as it can
// lock at most, and that without any nothing is reclaimed.
func (t *CloseAllTransactions) contradiction(answer members) error {
	n := len(t.Transactions)
	isWaived := absent(answer["accountsClosed"])
	switch fits := n <= t.AccountsClosed && t.AccountsClosed <= n*maxAccountsPerTransaction; {
	case !fits && !isWaived:
		return &wire.FieldError{Path: "accountsClosed", Problem: "contradicts the number of transactions"}
	case n == 0 && t.isAny():
		return &wire.FieldError{Path: "transactions", Problem: "is empty, and something is reclaimed"}
	}
	return nil
}

// Unsigned returns the transactions with the intent of the request. The
// transactions are independent of each other.
func (t *CloseAllTransactions) Unsigned() walletfi.Unsigned {
	u := walletfi.Unsigned{Intent: t.intent, LastValidBlockHeight: t.LastValidBlockHeight, Blockhash: t.Blockhash}
	for _, tx := range t.Transactions {
		u.Transactions = append(u.Transactions, tx)
	}
	return u
}

// batchTransaction is an item of the list of transactions: a string, or an
// object that holds one. The encoding is not documented. A string that can only
// be base64 is converted to base58, the encoding of the other routes.
type batchTransaction string

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// shortestBase64 is the length of a signature and a message without instructions.
const shortestBase64 = (1 + 64 + 3 + 1 + 32 + 32 + 1) * 4 / 3

var (
	errNoTransaction    = errors.New("an item of the list holds no transaction")
	errTransactionTwice = errors.New("a transaction of the list comes twice")
)

var errNoInstructions = &wire.FieldError{Path: "instructions", Problem: "must be there, and have an element"}

// UnmarshalJSON fails if there is no transaction to sign.
func (t *batchTransaction) UnmarshalJSON(b []byte) error {
	text := plainText(b)
	if text == "" {
		m, err := readDeciding(b)
		if err != nil {
			return err
		}
		text = m.text("serializedTransaction", "transaction")
	}
	if text == "" {
		return errNoTransaction
	}
	*t = batchTransaction(text)
	if strings.Trim(text, base58Alphabet) == "" {
		return nil
	}
	converted, err := walletfi.Base64Transaction(text).Base58()
	if err != nil || len(text) < shortestBase64 {
		return errNoTransaction
	}
	*t = batchTransaction(converted)
	return nil
}

// CloseAllPreview says how much closing a wallet's accounts would cost and reclaim.
// The shape of the fee breakdown is not documented: it is in Raw.
type CloseAllPreview struct {
	Reclaimed `json:"-"`
	Accounts  []walletfi.Document `json:"-"` // accounts that can be closed, if the answer lists them
	Raw       walletfi.Document   `json:"-"`
}

// UnmarshalJSON reads the known fields and keeps the answer in Raw.
func (p *CloseAllPreview) UnmarshalJSON(b []byte) error {
	answer, reclaimed, err := previewed(b)
	if err != nil {
		return err
	}
	p.Reclaimed = reclaimed
	p.Accounts = nil
	items, _ := answer.list("accounts", "closableAccounts", "items")
	for _, item := range items {
		p.Accounts = append(p.Accounts, walletfi.Document(item))
	}
	return p.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the preview as it arrived.
func (p CloseAllPreview) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// CloseAllSummary counts the accounts of a wallet that can be closed.
type CloseAllSummary struct {
	Reclaimed `json:"-"`
	Accounts  *int              `json:"-"` // nil if no known field holds the count
	Raw       walletfi.Document `json:"-"`
}

// UnmarshalJSON reads the known fields and keeps the answer in Raw.
func (s *CloseAllSummary) UnmarshalJSON(b []byte) error {
	answer, reclaimed, err := previewed(b)
	if err != nil {
		return err
	}
	s.Reclaimed = reclaimed
	s.Accounts = nil
	if n, ok := answer.count("accountsClosed", "closableAccounts", "accountCount", "accountsCount", "totalAccounts",
		"count", "accounts", "total"); ok {
		s.Accounts = &n
	}
	return s.Raw.UnmarshalJSON(b)
}

// MarshalJSON returns the summary as it arrived.
func (s CloseAllSummary) MarshalJSON() ([]byte, error) { return s.Raw.MarshalJSON() }

// CloseAllInstructions holds the instructions that close a wallet's accounts.
type CloseAllInstructions struct {
	Groups []InstructionGroup `json:"-"` // one per account; empty if nothing can be closed

	Reclaimed `json:"-"`
	// Intent is the intent of the request. Check the finished transactions against
	// it.
	Intent walletfi.Intent   `json:"-"`
	Raw    walletfi.Document `json:"-"`
}

// decode reads the known fields and keeps the answer in Raw.
func (i *CloseAllInstructions) decode(b []byte, waive func(wire.Breach) bool) error {
	answer, err := readDeciding(b)
	if err != nil {
		return err
	}
	if i.Reclaimed, err = reclaimedIn(answer); err != nil {
		return err
	}
	i.Groups = nil
	seen := map[string]bool{}
	items, ok := readList(b)
	if !ok {
		items, ok = answer.list("instructions", "groups", "accounts")
	}
	if !ok {
		return errNoInstructions
	}
	for _, item := range items {
		var group InstructionGroup
		if err := group.decode(item, waive); err != nil {
			return err
		}
		is := cmp.Or(group.Account, compact(group.Raw))
		if seen[is] {
			return errInstructionTwice
		}
		seen[is] = true
		i.Groups = append(i.Groups, group)
	}
	if len(i.Groups) == 0 && i.isAny() {
		return errNoInstructions
	}
	return i.Raw.UnmarshalJSON(b)
}
