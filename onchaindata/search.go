package onchaindata

import (
	"context"
	"iter"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// DefaultSearchQuery is the service's query for a search without one.
const DefaultSearchQuery = "weth"

// SearchPoolsRequest selects a page of the pools that match a query.
type SearchPoolsRequest struct {
	// Query is the text to search for, such as a symbol or an address. Nil means the
	// service's default, DefaultSearchQuery. An empty string is an error.
	Query   *string       `url:"query,omitempty"`
	Network string        `url:"network,omitempty"`       // empty means all
	Include []PoolInclude `url:"include,comma,omitempty"` // empty means IncludeBaseToken
	Page    *int          `url:"page,omitempty"`          // from 1; nil means 1
}

// SearchPools returns one page of the pools that match req.Query. They change
// every [PoolRefresh].
//
// GET /search/pools.
func (c *Client) SearchPools(
	ctx context.Context, req SearchPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "SearchPools", transport.Path("/search/pools"), req,
		req.problem(c.made().tier), opts)
}

// AllSearchPools iterates over the pools that match req.Query; see
// [Client.AllTopPools].
func (c *Client) AllSearchPools(
	ctx context.Context, req SearchPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	req.Include = slices.Clone(req.Include)
	if req.Query != nil {
		req.Query = new(*req.Query)
	}
	return c.pools(req.Page, func(page *int) (*PoolPage, error) {
		req := req
		req.Page = page
		return c.SearchPools(ctx, req, opts...)
	})
}

func (r SearchPoolsRequest) problem(tier Tier) error {
	var query error
	if r.Query != nil {
		query = check.Required("query", *r.Query)
	}
	return check.All(query, checkPoolInclude(r.Include), tier.checkPage(r.Page))
}
