package predictmeta

import (
	"cmp"
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// SearchType is the kind of thing that a search looks for or found.
type SearchType string

// The search types. A result is an event or a market.
const (
	SearchEvents  SearchType = "event"
	SearchMarkets SearchType = "market"
	SearchAll     SearchType = "all"
)

// SearchRequest says what to look for.
type SearchRequest struct {
	Query string     `url:"q"`               // required
	Type  SearchType `url:"type,omitempty"`  // empty means the service's default
	Limit *int       `url:"limit,omitempty"` // nil means DefaultSearchLimit
}

// SearchResult is an event or a market that was found.
type SearchResult struct {
	Type           SearchType       `json:"type" wire:"identity"`
	Ticker         string           `json:"ticker" wire:"said,identity"`
	Title          string           `json:"title"`
	RelevanceScore walletfi.Decimal `json:"relevance_score" wire:"free"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SearchPage has what a search found.
type SearchPage struct {
	Items []SearchResult `json:"results" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Search returns the events and markets that match.
//
// GET /api/v1/search.
func (c *Client) Search(ctx context.Context, req SearchRequest, opts ...walletfi.CallOption) (*SearchPage, error) {
	return transport.Do[SearchPage](ctx, c.made().t, transport.Call{
		Op: "Search", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("results"),
		Echo: transport.Echo(func(r *SearchPage) error {
			err := echo.NoMore("results", req.Limit, len(r.Items))
			if err != nil || req.Type == SearchAll {
				return err
			}
			return echo.Each(r.Items, func(found SearchResult) error {
				return cmp.Or(
					echo.Has("results.type", req.Type, found.Type),
					echo.Word("results.type", req.Type, found.Type, SearchEvents, SearchMarkets),
				)
			})
		}),
		Path: transport.Path("/api/v1/search"), Query: req,
		Invalid: check.All(
			check.Required("q", req.Query),
			check.OptionalOneOf("type", req.Type, SearchEvents, SearchMarkets, SearchAll),
			check.NotNegativeOf("limit", req.Limit),
		),
	}, opts)
}
