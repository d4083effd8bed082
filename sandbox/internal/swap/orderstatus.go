package swap

import (
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// The states of an order.
const (
	pending      = "pending"
	open         = "open"
	pendingClose = "pendingClose"
	closed       = "closed"
	expired      = "expired"
	failed       = "failed"
)

type statusRequest struct {
	Signature            string  `query:"signature,required" form:"signature"`
	LastValidBlockHeight *uint64 `query:"lastValidBlockHeight"`
}

type fill struct {
	Signature string `json:"signature"`
	InAmount  string `json:"inAmount"`
	OutAmount string `json:"outAmount"`
	Timestamp int64  `json:"timestamp"`
}

// orderStatus finds an order by the signature that opened it. A transaction
// that has not landed is not found until the given block height shows that it
// has expired: one block after that height it can still land.
func (w *Service) orderStatus(c *kit.Call, in statusRequest) any {
	signature, err := solana.SignatureFromBase58(in.Signature)
	kit.BadIf(err != nil, "signature is not base58 of 64 bytes")
	commitment, receipt := w.Status(signature)
	switch {
	case receipt == nil && in.LastValidBlockHeight != nil && w.Height(w.CurrentSlot()) > *in.LastValidBlockHeight+1:
		return status(expired, 0, 0, nil, nil)
	case receipt == nil || receipt.Tx != nil && !slices.Contains(receipt.Keys, w.Chain.Programs[play.Swap]):
		panic(kit.Refuse(http.StatusNotFound, "", "no order was opened by this signature"))
	case receipt.Err != nil:
		return status(failed, 0, 0, nil,
			[]any{revert(c.Shape(2), in.Signature, receipt.Err.Error(), receipt.Time.Unix())})
	}
	o, ok := w.orders.Get(in.Signature)
	kit.RefuseIf(!ok, http.StatusNotFound, "", "no order was opened by this signature")
	if commitment == "processed" {
		return status(pending, o.in, 0, nil, nil)
	}
	reverts := kit.List(o.reverts, func(r reverted) any { return revert(c.Shape(2), r.signature, r.reason, r.at) })
	return status(o.status, o.in, o.paid, o.fills, reverts)
}

func status(status string, in, out uint64, fills []fill, reverts []any) map[string]any {
	return map[string]any{
		"status": status, "inAmount": text(in), "outAmount": text(out), "fills": append([]fill{}, fills...),
		"reverts": append([]any{}, reverts...),
	}
}

// revert is an element whose shape is not documented: an object or, in
// turn, the text alone.
func revert(shape int, signature, reason string, at int64) any {
	if shape == 0 {
		return map[string]any{"signature": signature, "reason": reason, "timestamp": at}
	}
	return reason
}

// Executed books a trade over pools: an order that is closed at once.
func (w *Service) Executed(t *market.Trade, r *ledger.Receipt) {
	signature := r.Signature.String()
	a := t.Fee.Of(t.Quote, t.Settled)
	if !t.Quote.Gross {
		a.Out -= w.book.Tax(t.Quote.To, a.Out)
	}
	w.orders.Put(signature, &order{
		Service: w, owner: t.Owner, from: t.Quote.From, to: t.Quote.To, in: a.In, paid: a.Out, status: closed,
		fills: []fill{{signature, text(a.In), text(a.Out), r.Time.Unix()}},
	})
}
