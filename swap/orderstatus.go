package swap

import (
	"context"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// OrderState is the state of an order. It is an open set. A state in another case is read as
// the constant.
type OrderState string

// The states. [Client.SubmitIntent] returns OrderSubmitted;
// [Client.GetOrderStatus] never does.
const (
	OrderSubmitted    OrderState = "submitted"    // the service accepted an intent
	OrderPending      OrderState = "pending"      // accepted, not yet processed
	OrderOpen         OrderState = "open"         // opened on the ledger
	OrderPendingClose OrderState = "pendingClose" // filled; the closing transaction is awaited
	OrderClosed       OrderState = "closed"       // done, with success
	OrderExpired      OrderState = "expired"      // its transaction arrived too late
	OrderFailed       OrderState = "failed"       // its execution failed
)

func init() {
	wire.Words(OrderPending, OrderOpen, OrderPendingClose, OrderClosed, OrderExpired, OrderFailed)
}

// documented reports whether the documentation lists the state as that of an
// order.
func (s OrderState) documented() bool {
	return s == OrderPending || s == OrderOpen || s == OrderPendingClose || s.Terminal()
}

// Terminal reports whether the state is final.
func (s OrderState) Terminal() bool {
	return s == OrderClosed || s == OrderExpired || s == OrderFailed
}

// OrderStatus is the status of an order.
type OrderStatus struct {
	Status    OrderState      `json:"status" wire:"strict,decides"`
	InAmount  walletfi.Amount `json:"inAmount" wire:"decides"`
	OutAmount walletfi.Amount `json:"outAmount" wire:"decides"`
	Fills     []Fill          `json:"fills" wire:"records"`
	// The shape of Reverts is not documented.
	Reverts []walletfi.Document `json:"reverts"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Fill is an executed part of an order.
type Fill struct {
	Signature string          `json:"signature" wire:"said,signature"` // of its transaction, base58
	InAmount  walletfi.Amount `json:"inAmount" wire:"present"`
	OutAmount walletfi.Amount `json:"outAmount" wire:"present"`
	Timestamp walletfi.Time   `json:"timestamp" wire:"free"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// OrderStatusRequest identifies an order.
type OrderStatusRequest struct {
	// Signature is that of the order's transaction, base58; required.
	Signature string `url:"signature"`
	// LastValidBlockHeight is that of the order's transaction. It tells the
	// service when the order has expired. Nil is not sent.
	LastValidBlockHeight *uint64 `url:"lastValidBlockHeight,omitempty"`
}

// known returns a block height to send, nil if it is unknown.
func known(height uint64) *uint64 {
	if height == 0 {
		return nil
	}
	return &height
}

// GetOrderStatus returns the status of an order. For an order that was sent a
// moment ago the error may be [walletfi.ErrNotFound]: see [Client.WaitOrder]. If the
// fills contradict each other or the totals, an order is closed without any, or it has
// failed or expired and the fills have all of its amounts, the answer says neither what
// was filled nor that nothing was: the error is [walletfi.ErrDecode].
//
// GET /order-status.
func (c *Client) GetOrderStatus(
	ctx context.Context, req OrderStatusRequest, opts ...walletfi.CallOption,
) (*OrderStatus, error) {
	status, err := transport.Do[OrderStatus](ctx, c.made().t, transport.Call{
		Op: "GetOrderStatus", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("status"),
		Path:   transport.Path("/order-status"), Query: req,
		Invalid: check.Signature("signature", req.Signature),
	}, opts)
	if err != nil {
		return status, err
	}
	if err := status.count(); err != nil {
		return nil, fmt.Errorf("swap.GetOrderStatus: %w: %w", walletfi.ErrDecode, err)
	}
	return status, nil
}
