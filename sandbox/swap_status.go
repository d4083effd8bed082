package sandbox

import (
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The states of an order.
const (
	swapPending      = "pending"
	swapOpen         = "open"
	swapPendingClose = "pendingClose"
	swapClosed       = "closed"
	swapExpired      = "expired"
	swapFailed       = "failed"
)

type swapStatusRequest struct {
	Signature            string  `query:"signature,required"`
	LastValidBlockHeight *uint64 `query:"lastValidBlockHeight"`
}

type swapFill struct {
	Signature string `json:"signature"`
	InAmount  string `json:"inAmount"`
	OutAmount string `json:"outAmount"`
	Timestamp int64  `json:"timestamp"`
}

// orderStatus tells of an order by the signature that opened it. One that has
// not landed is not found, until the block height given says that it never
// will.
func (w *swap) orderStatus(c *call, in swapStatusRequest) (any, error) {
	signature, err := solana.SignatureFromBase58(in.Signature)
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "", "signature is no signature")
	}
	commitment, receipt := w.status(signature)
	switch {
	case receipt == nil && in.LastValidBlockHeight != nil && ledger.Height(w.slot()) > *in.LastValidBlockHeight:
		return swapStatus(swapExpired, 0, 0, nil, nil), nil
	case receipt == nil || !slices.Contains(receipt.Keys, w.chain.programs[Swap]):
		return nil, refuse(http.StatusNotFound, "", "no order was opened by this signature")
	case receipt.Err != nil:
		return swapStatus(swapFailed, 0, 0, nil, []any{swapRevert(c.shape(2), in.Signature, receipt.Err.Error(), receipt.Time.Unix())}), nil
	}
	o, ok := w.orders[in.Signature]
	if !ok {
		return nil, refuse(http.StatusNotFound, "", "no order was opened by this signature")
	}
	if commitment == "processed" {
		return swapStatus(swapPending, o.in, 0, nil, nil), nil
	}
	var reverts []any
	for _, r := range o.reverts {
		reverts = append(reverts, swapRevert(c.shape(2), r.signature, r.reason, r.at))
	}
	return swapStatus(o.status, o.in, o.paid, o.fills, reverts), nil
}

func swapStatus(status string, in, out uint64, fills []swapFill, reverts []any) map[string]any {
	if fills == nil {
		fills = []swapFill{}
	}
	if reverts == nil {
		reverts = []any{}
	}
	return map[string]any{"status": status, "inAmount": swapText(in), "outAmount": swapText(out), "fills": fills, "reverts": reverts}
}

// swapRevert is an element whose shape is not documented: an object or, in
// turn, the text alone.
func swapRevert(shape int, signature, reason string, at int64) any {
	if shape == 0 {
		return map[string]any{"signature": signature, "reason": reason, "timestamp": at}
	}
	return reason
}

// executed books a trade over pools, which is an order that ends as it begins.
func (w *swap) executed(t *poolTrade, r *ledger.Receipt) {
	signature := r.Signature.String()
	a := t.fee.of(t.quote, t.settled)
	if !t.quote.gross {
		a.out -= w.book.tax(t.quote.to, a.out)
	}
	in := a.in
	w.orders[signature] = &swapOrder{
		swap: w, owner: t.owner, from: t.quote.from, to: t.quote.to, in: in, paid: a.out, status: swapClosed,
		fills: []swapFill{{signature, swapText(in), swapText(a.out), r.Time.Unix()}},
	}
}
