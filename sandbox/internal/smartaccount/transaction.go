package smartaccount

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// transaction is one that was executed in an account's name, by
// its owner or by a mandate.
type transaction struct {
	id           string
	receipt      *ledger.Receipt
	instructions []instruction
}

type transactionAnswer struct {
	ID           string        `json:"id"`
	Signature    string        `json:"signature"`
	Status       string        `json:"status"`
	Instructions []instruction `json:"instructions,omitempty"`
	Fee          string        `json:"fee,omitempty"` // lamports
	Slot         uint64        `json:"slot,omitempty"`
	Timestamp    string        `json:"timestamp"`
}

func (t *transaction) answer() transactionAnswer {
	return transactionAnswer{
		ID: t.id, Signature: t.receipt.Signature.String(), Status: "confirmed", Timestamp: stamp(t.receipt.Time),
	}
}

type transactionRequest struct {
	Account     string `path:"accountId"`
	Transaction string `path:"transactionId"`
}

func (b *Service) getTransaction(c *kit.Call, in transactionRequest) (*transactionAnswer, error) {
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
	return nil, kit.Refuse(http.StatusNotFound, "", "there is no transaction %s", in.Transaction)
}

// How many transactions a page has where the request does not say, and at
// most. Neither is documented.
const (
	page    = 20
	pageCap = 100
)

type transactionsRequest struct {
	Account string `path:"accountId"`
	Limit   *int   `query:"limit" min:"1"`
	Offset  int    `query:"offset" min:"0"`
}

// listTransactions lists the newest first.
func (b *Service) listTransactions(c *kit.Call, in transactionsRequest) (any, error) {
	w, err := b.wallet(c, in.Account)
	if err != nil {
		return nil, err
	}
	limit := page
	if in.Limit != nil {
		limit = min(*in.Limit, pageCap)
	}
	listed := []transactionAnswer{}
	for i, t := range slices.Backward(w.transactions) {
		if at := len(w.transactions) - 1 - i; at >= in.Offset && len(listed) < limit {
			listed = append(listed, t.answer())
		}
	}
	return map[string]any{"transactions": listed, "total": len(w.transactions), "limit": limit, "offset": in.Offset}, nil
}
