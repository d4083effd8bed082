package sandbox

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// smartAccountTransaction is one that was executed in an account's name, by
// its owner or by a mandate.
type smartAccountTransaction struct {
	id           string
	receipt      *ledger.Receipt
	instructions []smartAccountInstruction
}

type smartAccountTransactionAnswer struct {
	ID           string                    `json:"id"`
	Signature    string                    `json:"signature"`
	Status       string                    `json:"status"`
	Instructions []smartAccountInstruction `json:"instructions,omitempty"`
	Fee          string                    `json:"fee,omitempty"` // lamports
	Slot         uint64                    `json:"slot,omitempty"`
	Timestamp    string                    `json:"timestamp"`
}

func (t *smartAccountTransaction) answer() smartAccountTransactionAnswer {
	return smartAccountTransactionAnswer{
		ID: t.id, Signature: t.receipt.Signature.String(), Status: "confirmed", Timestamp: smartAccountStamp(t.receipt.Time),
	}
}

type smartAccountTransactionRequest struct {
	Account     string `path:"accountId"`
	Transaction string `path:"transactionId"`
}

func (b *smartAccount) getTransaction(c *call, in smartAccountTransactionRequest) (*smartAccountTransactionAnswer, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	for _, t := range w.transactions {
		if t.id == in.Transaction {
			a := t.answer()
			a.Instructions, a.Slot = t.instructions, t.receipt.Slot
			a.Fee = strconv.FormatUint(t.receipt.Fee, 10)
			return &a, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "", "there is no transaction %s", in.Transaction)
}

// How many transactions a page has where the request does not say, and at
// most. Neither is documented.
const (
	smartAccountPage    = 20
	smartAccountPageCap = 100
)

type smartAccountTransactionsRequest struct {
	Account string `path:"accountId"`
	Limit   *int   `query:"limit" min:"1"`
	Offset  int    `query:"offset" min:"0"`
}

// listTransactions lists the newest first.
func (b *smartAccount) listTransactions(c *call, in smartAccountTransactionsRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	limit := smartAccountPage
	if in.Limit != nil {
		limit = min(*in.Limit, smartAccountPageCap)
	}
	listed := []smartAccountTransactionAnswer{}
	for i, t := range slices.Backward(w.transactions) {
		if at := len(w.transactions) - 1 - i; at >= in.Offset && len(listed) < limit {
			listed = append(listed, t.answer())
		}
	}
	return map[string]any{"transactions": listed, "total": len(w.transactions), "limit": limit, "offset": in.Offset}, nil
}
