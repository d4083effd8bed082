package predictmeta

import (
	"cmp"
	"context"
	"iter"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// EventStatus is the status of an event.
type EventStatus string

// The statuses of an event. Their order is not documented.
const (
	EventActive     EventStatus = "active"
	EventClosed     EventStatus = "closed"
	EventDetermined EventStatus = "determined"
	EventFinalized  EventStatus = "finalized"
)

func init() { wire.Words(EventActive, EventClosed, EventDetermined, EventFinalized) }

// Event is a question that one or more markets trade on. In a list only Ticker,
// Title, Status and CloseTime are certain to be set.
type Event struct {
	Ticker       string          `json:"ticker" wire:"strict,said,identity"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	Status       EventStatus     `json:"status" wire:"strict,said"`
	SeriesTicker string          `json:"series_ticker"`
	Category     string          `json:"category"`
	CloseTime    walletfi.Time   `json:"close_time" wire:"said"`
	Markets      []MarketSummary `json:"markets" wire:"records"` // if the request asks for them

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// EventRequest says what to include in an event.
type EventRequest struct {
	IncludeMarkets *bool `url:"include_markets,omitempty"` // fills Event.Markets
}

// GetEvent returns an event.
//
// GET /api/v1/event/{ticker}.
func (c *Client) GetEvent(
	ctx context.Context, ticker string, req EventRequest, opts ...walletfi.CallOption,
) (*Event, error) {
	says := transport.Says("ticker")
	if req.IncludeMarkets != nil && *req.IncludeMarkets {
		says = transport.Says("ticker", "markets:items")
	}
	return transport.Do[Event](ctx, c.made().t, transport.Call{
		Op: "GetEvent", Effect: transport.Read, Method: http.MethodGet,
		Answer: says,
		Echo:   transport.Echo(func(e *Event) error { return echo.Name("ticker", ticker, e.Ticker) }),
		Path:   transport.Path("/api/v1/event/{ticker}", ticker), Query: req,
	}, opts)
}

// EventsRequest selects a page of events.
type EventsRequest struct {
	Limit        *int        `url:"limit,omitempty"`  // events per page; nil means DefaultEventsLimit
	Offset       *int        `url:"offset,omitempty"` // events to skip
	Status       EventStatus `url:"status,omitempty"` // empty means all
	Category     string      `url:"category,omitempty"`
	SeriesTicker string      `url:"series_ticker,omitempty"`
}

// EventPage is one page of events.
type EventPage struct {
	Items  []Event `json:"events" wire:"records"`
	Total  *int    `json:"total" wire:"decides,optional,min=0"` // of all pages; nil if the service does not say
	Limit  *int    `json:"limit" wire:"free,min=1"`
	Offset *int    `json:"offset" wire:"free,min=0"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListEvents returns one page of events.
//
// GET /api/v1/events.
func (c *Client) ListEvents(ctx context.Context, req EventsRequest, opts ...walletfi.CallOption) (*EventPage, error) {
	return transport.Do[EventPage](ctx, c.made().t, transport.Call{
		Op: "ListEvents", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("events"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/api/v1/events"), Query: req, Invalid: req.problem(),
	}, opts)
}

// AllEvents iterates over events from req.Offset on, one page per request. It
// ends at the first error.
func (c *Client) AllEvents(
	ctx context.Context, req EventsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Event, error] {
	return paging.Offset(req.Offset, req.Limit, func(offset, limit *int) ([]Event, int, error) {
		req := req
		req.Offset, req.Limit = offset, limit
		page, err := c.ListEvents(ctx, req, opts...)
		if page == nil {
			return nil, 0, err
		}
		return page.Items, stated(page.Total), err
	})
}

func (r EventsRequest) problem() error {
	return check.All(
		check.NotNegativeOf("limit", r.Limit),
		check.NotNegativeOf("offset", r.Offset),
		check.OptionalOneOf("status", r.Status, EventActive, EventClosed, EventDetermined, EventFinalized),
	)
}

// mismatch holds the page and the filters that were asked for against a page.
func (r EventsRequest) mismatch(page *EventPage) error {
	return echo.All(
		echo.StatedOf("offset", r.Offset, page.Offset),
		echo.AtMost("limit", r.Limit, page.Limit),
		echo.NoMore("events", r.Limit, len(page.Items)),
		echo.Each(page.Items, func(e Event) error {
			return cmp.Or(
				echo.Word("events.status", r.Status, e.Status, EventActive, EventClosed, EventDetermined, EventFinalized),
				echo.Slug("events.category", r.Category, e.Category),
				echo.Name("events.series_ticker", r.SeriesTicker, e.SeriesTicker),
			)
		}),
	)
}

// stated is a page's total, 0 if it does not say.
func stated(total *int) int {
	if total == nil {
		return 0
	}
	return *total
}
