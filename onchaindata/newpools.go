package onchaindata

import (
	"context"
	"iter"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// NewPoolsRequest selects a page of a network's new pools.
type NewPoolsRequest struct {
	// Page is numbered from 1. That this route takes a page is not documented. Nil
	// sends none.
	Page *int `url:"page,omitempty"`
}

// ListNewPools returns one page of the newest pools of a network. They change
// every [PoolRefresh].
//
// GET /networks/{network}/new_pools.
func (c *Client) ListNewPools(
	ctx context.Context, network string, req NewPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "ListNewPools", transport.Path("/networks/{network}/new_pools", network), req,
		c.made().tier.checkPage(req.Page), opts)
}

// AllNewPools iterates over a network's new pools; see [Client.AllTopPools]. A page
// that is not full is the last: AllNewPools requests no page after it.
func (c *Client) AllNewPools(
	ctx context.Context, network string, req NewPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	l := pageList[Pool]{tier: c.made().tier, start: req.Page, endsShort: true, id: poolID}
	return l.all(func(page *int) ([]Pool, error) {
		p, err := c.ListNewPools(ctx, network, NewPoolsRequest{Page: page}, opts...)
		if p == nil {
			return nil, err
		}
		return p.Items, err
	})
}
