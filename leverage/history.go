package leverage

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// EventType is the kind of a trade event.
type EventType string

// The event types.
const (
	EventOpen        EventType = "OPEN"
	EventClose       EventType = "CLOSE"
	EventLiquidation EventType = "LIQUIDATION"
	EventSplit       EventType = "SPLIT"
	EventMerge       EventType = "MERGE"
	EventRepay       EventType = "REPAY"
)

var eventTypes = []EventType{EventOpen, EventClose, EventLiquidation, EventSplit, EventMerge, EventRepay}

func init() { wire.Words(eventTypes...) }

// TradeEvent is an entry of a wallet's trade history. Its fields are not
// documented. The typed fields are those that a request can filter by, under
// the names of the filters; everything is in Raw.
type TradeEvent struct {
	EventType EventType `json:"eventType" wire:"decides,optional"`
	Position  string    `json:"positionAddress" wire:"optional,key,opaque"`
	Owner     string    `json:"owner" wire:"decides,optional"`

	Raw walletfi.Document `json:"-" wire:"raw"`
}

// UnmarshalJSON keeps the event as it arrived in Raw.
func (e *TradeEvent) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, e)
}

// TradeHistoryRequest selects a wallet's trade events.
type TradeHistoryRequest struct {
	Owner     string    `url:"owner"`                     // wallet; required
	Position  string    `url:"positionAddress,omitempty"` // empty means all
	EventType EventType `url:"eventType,omitempty"`       // empty means all
	Limit     *int      `url:"limit,omitempty"`           // nil lets the service decide
	Offset    *int      `url:"offset,omitempty"`
}

// TradeHistoryPage is one page of trade events. The service answers with an
// array, or with an object that holds one; Raw is the whole answer.
type TradeHistoryPage struct {
	Items []TradeEvent
	Raw   walletfi.Document
}

// MarshalJSON returns the answer as it came.
func (p TradeHistoryPage) MarshalJSON() ([]byte, error) { return p.Raw.MarshalJSON() }

// UnmarshalJSON reads an array, or an object with an array of events.
func (p *TradeHistoryPage) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

func init() {
	wire.Reader(func(s *wire.Scanner, p *TradeHistoryPage) error { return readList(s, &p.Items, &p.Raw, "events") })
}

// ListTradeHistory returns one page of a wallet's trade events. If req.EventType was asked for, an
// event that does not say its own is returned with a [*walletfi.UnreadError].
//
// GET /api/v1/positions/trade-history.
func (c *Client) ListTradeHistory(
	ctx context.Context, req TradeHistoryRequest, opts ...walletfi.CallOption,
) (*TradeHistoryPage, error) {
	path := transport.Path("/api/v1/positions/trade-history")
	page, err := listPage[TradeHistoryPage](ctx, c, "ListTradeHistory", "events", path, req, opts)
	if page == nil || req.EventType == "" {
		return page, err
	}
	return page, unfiltered(err, "events", "eventType", page.Items, func(e TradeEvent) (bool, walletfi.Document) {
		return cmp.Or(e.EventType, e.otherType(req.EventType)) != "", e.Raw
	})
}

// AllTradeHistory iterates over a wallet's trade events from req.Offset on,
// until a page is empty.
func (c *Client) AllTradeHistory(
	ctx context.Context, req TradeHistoryRequest, opts ...walletfi.CallOption,
) iter.Seq2[TradeEvent, error] {
	return untilEmpty(req.Offset, req.Limit, func(offset, limit *int) ([]TradeEvent, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListTradeHistory(ctx, req, opts...)
		if page == nil {
			return nil, err
		}
		return page.Items, err
	})
}

// mismatch holds the events against the filters.
func (r TradeHistoryRequest) mismatch(page *TradeHistoryPage) error {
	return echo.Each(page.Items, func(e TradeEvent) error {
		return cmp.Or(
			echo.Text("events.owner", r.Owner, e.Owner),
			echo.Text("events.positionAddress", r.Position, e.Position),
			echo.Word("events.eventType", r.EventType, e.EventType, eventTypes...),
			echo.Word("events.type", r.EventType, e.otherType(r.EventType), eventTypes...),
		)
	})
}

// otherType is the type under another usual name, if one was asked for.
func (e TradeEvent) otherType(asked EventType) EventType {
	var event struct {
		Type EventType `json:"type"`
	}
	if asked != "" && e.EventType == "" {
		_ = json.Unmarshal(e.Raw, &event) // it was read as an object
	}
	return event.Type
}

func (r TradeHistoryRequest) problem() error {
	return check.All(
		pageProblem(r.Owner, r.Limit, r.Offset),
		check.OptionalOneOf("eventType", r.EventType, eventTypes...),
	)
}
