package lending

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// EventType is the kind of a history event.
type EventType string

// The event types.
const (
	EventDeposit   EventType = "deposit"
	EventWithdraw  EventType = "withdraw"
	EventRebalance EventType = "rebalance"
)

func init() { wire.Words(EventDeposit, EventWithdraw, EventRebalance) }

// Event is an entry of a wallet's history. A deposit has Mint, Amount,
// DepositType and Signature; a rebalance has FromProtocol, ToProtocol, Amount and
// Reason. The fields of a withdrawal are undocumented: those with the same names
// are decoded, and Raw has the whole event.
type Event struct {
	Type        EventType       `json:"type" wire:"strict,said,identity"`
	Timestamp   walletfi.Time   `json:"timestamp" wire:"said"`
	Mint        string          `json:"mint" wire:"optional,key,opaque,identity"`
	Amount      walletfi.Amount `json:"amount" wire:"decides"`
	DepositType DepositType     `json:"depositType" wire:"decides,optional,identity"`
	// of the transaction, base58
	Signature    string `json:"signature" wire:"strict,optional,signature,opaque,identity"`
	FromProtocol string `json:"fromProtocol"`
	ToProtocol   string `json:"toProtocol"`
	Reason       string `json:"reason"`

	Raw walletfi.Document `json:"-" wire:"raw"`
}

// MarshalJSON writes the event as it came, and one that did not come from the service by
// its fields.
func (e Event) MarshalJSON() ([]byte, error) {
	if !e.Raw.IsZero() {
		return e.Raw, nil
	}
	type fields Event
	return json.Marshal(fields(e))
}

// UnmarshalJSON decodes the event and stores a copy of b in Raw.
func (e *Event) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, e)
}

func init() { wire.Reader(readEvent) }

func readEvent(s *wire.Scanner, e *Event) error {
	err := wire.Fields(s, e)
	if err != nil || e.Type != EventDeposit && e.Type != EventRebalance {
		return err // of a withdrawal, nothing is documented
	}
	if e.Amount == 0 && wire.Decode(e.Raw, &struct {
		Amount walletfi.Amount `json:"amount" wire:"present"`
	}{}) != nil {
		wire.Lacks[Event](s, "amount")
	}
	if e.Type == EventDeposit {
		for member, said := range map[string]bool{
			"mint": e.Mint != "", "depositType": e.DepositType != "", "signature": e.Signature != "",
		} {
			if !said {
				wire.Lacks[Event](s, member)
			}
		}
	}
	return nil
}

// HistoryRequest is the request of [Client.ListHistory] and
// [Client.AllHistory].
type HistoryRequest struct {
	Limit  *int      `url:"limit,omitempty"`  // events per page; nil means the service's default, 50
	Offset *int      `url:"offset,omitempty"` // events to skip
	Type   EventType `url:"type,omitempty"`   // empty means all types
}

// HistoryPage is a page of a wallet's history.
type HistoryPage struct {
	Items []Event `json:"events" wire:"records"`
	Total int     `json:"total" wire:"said,min=0"` // events of all pages

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListHistory returns a page of a wallet's history.
//
// GET /v1/account/{walletAddress}/history.
func (c *Client) ListHistory(
	ctx context.Context, wallet string, req HistoryRequest, opts ...walletfi.CallOption,
) (*HistoryPage, error) {
	return transport.Do[HistoryPage](ctx, c.made().t, transport.Call{
		Op: "ListHistory", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("events"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/v1/account/{walletAddress}/history", wallet),
		Query:  req, Invalid: req.problem(),
	}, opts)
}

// AllHistory iterates over a wallet's history from req.Offset on. It requests a
// page when it needs one, and ends after the first error.
func (c *Client) AllHistory(
	ctx context.Context, wallet string, req HistoryRequest, opts ...walletfi.CallOption,
) iter.Seq2[Event, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit *int) ([]Event, int, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListHistory(ctx, wallet, req, opts...)
		if page == nil {
			return nil, 0, err
		}
		return page.Items, page.Total, err
	})
}

func (r HistoryRequest) problem() error {
	return check.All(
		check.NotNegativeOf("limit", r.Limit),
		check.NotNegativeOf("offset", r.Offset),
		check.OptionalOneOf("type", r.Type, EventDeposit, EventWithdraw, EventRebalance),
	)
}

// mismatch holds the type that was asked for against each event.
func (r HistoryRequest) mismatch(page *HistoryPage) error {
	return echo.Each(page.Items, func(e Event) error {
		return echo.Word("events.type", r.Type, e.Type, EventDeposit, EventWithdraw, EventRebalance)
	})
}
