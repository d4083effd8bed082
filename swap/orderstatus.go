package swap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// OrderState is where an order stands. It may be one that is not listed here.
type OrderState string

// The states. OrderSubmitted is what SubmitIntent answers and no order status.
const (
	OrderSubmitted    OrderState = "submitted"    // an intent was taken
	OrderPending      OrderState = "pending"      // taken, not yet processed
	OrderOpen         OrderState = "open"         // opened on the ledger
	OrderPendingClose OrderState = "pendingClose" // filled; the closing transaction is awaited
	OrderClosed       OrderState = "closed"       // done, with success
	OrderExpired      OrderState = "expired"      // its transaction came too late
	OrderFailed       OrderState = "failed"       // it was tried and failed
)

// Terminal reports whether an order stays in this state.
func (s OrderState) Terminal() bool {
	return s == OrderClosed || s == OrderExpired || s == OrderFailed
}

// OrderStatus is what became of an order.
type OrderStatus struct {
	Status    OrderState      `json:"status"`
	InAmount  walletfi.Amount `json:"inAmount"`
	OutAmount walletfi.Amount `json:"outAmount"`
	Fills     []Fill          `json:"fills"`
	// Reverts are of no documented shape.
	Reverts []walletfi.Document `json:"reverts"`
}

// Fill is one part of an order that was carried out.
type Fill struct {
	Signature string          `json:"signature"` // of its transaction, base58
	InAmount  walletfi.Amount `json:"inAmount"`
	OutAmount walletfi.Amount `json:"outAmount"`
	Timestamp walletfi.Time   `json:"timestamp"`
}

// OrderStatusRequest names an order.
type OrderStatusRequest struct {
	// Signature is that of the order's transaction, base58; required.
	Signature string `url:"signature"`
	// LastValidBlockHeight is that of the order's transaction, by which the
	// service knows that it expired. 0 is left out.
	LastValidBlockHeight uint64 `url:"lastValidBlockHeight,omitempty"`
}

// GetOrderStatus returns where an order stands. One that was sent a moment ago
// may be walletfi.ErrNotFound still: see WaitOrder.
//
// GET /order-status.
func (c *Client) GetOrderStatus(ctx context.Context, req OrderStatusRequest, opts ...walletfi.CallOption) (*OrderStatus, error) {
	return transport.Do[OrderStatus](ctx, c.t, transport.Call{
		Op: "GetOrderStatus", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/order-status"), Query: req,
		Invalid: check.Signature("signature", req.Signature),
	}, opts)
}
