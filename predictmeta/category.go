package predictmeta

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Category is a field that events belong to.
type Category struct {
	ID          string `json:"id" wire:"said,identity"`
	Name        string `json:"name"`
	EventsCount *int   `json:"events_count" wire:"free,min=0"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// CategoryPage has all categories.
type CategoryPage struct {
	Items []Category `json:"categories" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListCategories returns all categories.
//
// GET /api/v1/categories.
func (c *Client) ListCategories(ctx context.Context, opts ...walletfi.CallOption) (*CategoryPage, error) {
	return transport.Do[CategoryPage](ctx, c.made().t, transport.Call{
		Op: "ListCategories", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("categories"),
		Path:   transport.Path("/api/v1/categories"),
	}, opts)
}

// Sport is a filter for events of a sport.
type Sport struct {
	ID   string `json:"id" wire:"said,identity"`
	Name string `json:"name"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// SportPage has all sports.
type SportPage struct {
	Items []Sport `json:"sports" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListSports returns all sports.
//
// GET /api/v1/sports.
func (c *Client) ListSports(ctx context.Context, opts ...walletfi.CallOption) (*SportPage, error) {
	return transport.Do[SportPage](ctx, c.made().t, transport.Call{
		Op: "ListSports", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("sports"),
		Path:   transport.Path("/api/v1/sports"),
	}, opts)
}
