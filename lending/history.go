package lending

import (
	"context"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// EventType is the kind of a history event.
type EventType string

// The event types.
const (
	EventDeposit   EventType = "deposit"
	EventWithdraw  EventType = "withdraw"
	EventRebalance EventType = "rebalance"
)

// Event is one entry of a wallet's history. A deposit has Mint, Amount,
// DepositType and Signature; a rebalance has FromProtocol, ToProtocol, Amount
// and Reason. What a withdrawal has is not documented: the fields it shares
// with the others are filled, and everything is in Raw.
type Event struct {
	Type         EventType       `json:"type"`
	Timestamp    walletfi.Time   `json:"timestamp"`
	Mint         string          `json:"mint"`
	Amount       walletfi.Amount `json:"amount"`
	DepositType  DepositType     `json:"depositType"`
	Signature    string          `json:"signature"` // of the transaction, base58
	FromProtocol string          `json:"fromProtocol"`
	ToProtocol   string          `json:"toProtocol"`
	Reason       string          `json:"reason"`

	Raw walletfi.Document `json:"-"`
}

// UnmarshalJSON keeps the event as it came in Raw.
func (e *Event) UnmarshalJSON(b []byte) error {
	type fields Event
	return transport.Keep(b, (*fields)(e), &e.Raw)
}

// HistoryRequest picks a page of a wallet's history.
type HistoryRequest struct {
	Limit  int       `url:"limit,omitempty"`  // events a page; 0 means the service's default, 50
	Offset int       `url:"offset,omitempty"` // events to pass over
	Type   EventType `url:"type,omitempty"`   // empty means all
}

// HistoryPage is one page of a wallet's history.
type HistoryPage struct {
	Events []Event `json:"events"`
	Total  int     `json:"total"` // of all pages
}

// ListHistory returns one page of a wallet's history.
//
// GET /v1/account/{walletAddress}/history.
func (c *Client) ListHistory(ctx context.Context, wallet string, req HistoryRequest, opts ...walletfi.CallOption) (*HistoryPage, error) {
	return transport.Do[HistoryPage](ctx, c.t, transport.Call{
		Op: "ListHistory", Effect: transport.Read, Method: http.MethodGet,
		Path:  transport.Path("/v1/account/{walletAddress}/history", wallet),
		Query: req, Invalid: req.problem(),
	}, opts)
}

// AllHistory iterates over a wallet's history from req.Offset on, a page at a
// time, and ends at the first error.
func (c *Client) AllHistory(ctx context.Context, wallet string, req HistoryRequest, opts ...walletfi.CallOption) iter.Seq2[Event, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit int) ([]Event, int, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListHistory(ctx, wallet, req, opts...)
		if err != nil {
			return nil, 0, err
		}
		return page.Events, page.Total, nil
	})
}

func (r HistoryRequest) problem() error {
	return check.All(
		check.NotNegative("limit", r.Limit),
		check.NotNegative("offset", r.Offset),
		check.OptionalOneOf("type", r.Type, EventDeposit, EventWithdraw, EventRebalance),
	)
}
