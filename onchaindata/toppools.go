package onchaindata

import (
	"context"
	"iter"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// TopPoolsRequest selects a page of a network's top pools.
type TopPoolsRequest struct {
	Include []PoolInclude `url:"include,comma,omitempty"` // empty means the service's default
	Page    *int          `url:"page,omitempty"`          // from 1; nil means 1
	Sort    string        `url:"sort,omitempty"`          // values undocumented; empty means the default
}

// ListTopPools returns one page of a network's top pools. They change every
// [PoolRefresh].
//
// GET /networks/{network}/pools.
func (c *Client) ListTopPools(
	ctx context.Context, network string, req TopPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "ListTopPools", transport.Path("/networks/{network}/pools", network), req,
		check.All(checkPoolInclude(req.Include), c.made().tier.checkPage(req.Page)), opts)
}

// AllTopPools iterates over a network's top pools from req.Page on, one page per
// request. It ends at the first error, at an empty page, and with a
// [*PageCapError] if the tier gives no further page. A pool that moves between
// pages meanwhile can come twice or be missed.
func (c *Client) AllTopPools(
	ctx context.Context, network string, req TopPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	req.Include = slices.Clone(req.Include)
	return c.pools(req.Page, func(page *int) (*PoolPage, error) {
		req := req
		req.Page = page
		return c.ListTopPools(ctx, network, req, opts...)
	})
}
