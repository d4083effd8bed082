package predictmeta

import (
	"cmp"
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Series is a sequence of similar events, such as one per week.
type Series struct {
	Ticker      string `json:"ticker" wire:"said,identity"`
	Title       string `json:"title"`
	Category    string `json:"category"`
	EventsCount *int   `json:"events_count" wire:"free,min=0"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SeriesRequest selects series.
type SeriesRequest struct {
	Category string `url:"category,omitempty"` // empty means all
}

// SeriesPage has all series, or those of a category.
type SeriesPage struct {
	Items []Series `json:"series" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListSeries returns all series, or those of a category.
//
// GET /api/v1/series.
func (c *Client) ListSeries(ctx context.Context, req SeriesRequest, opts ...walletfi.CallOption) (*SeriesPage, error) {
	return transport.Do[SeriesPage](ctx, c.made().t, transport.Call{
		Op: "ListSeries", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("series"),
		Echo: transport.Echo(func(p *SeriesPage) error {
			return echo.Each(p.Items, func(s Series) error {
				return cmp.Or(
					echo.Has("series.category", req.Category, s.Category),
					echo.Slug("series.category", req.Category, s.Category),
				)
			})
		}),
		Path: transport.Path("/api/v1/series"), Query: req,
	}, opts)
}
