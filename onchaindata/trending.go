package onchaindata

import (
	"context"
	"iter"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// TrendDuration is the period of a trend.
type TrendDuration string

// The durations.
const (
	Trend5m  TrendDuration = "5m"
	Trend1h  TrendDuration = "1h"
	Trend6h  TrendDuration = "6h"
	Trend24h TrendDuration = "24h" // the service's default
)

// TrendingPoolsRequest selects a page of trending pools.
type TrendingPoolsRequest struct {
	Include       []PoolInclude `url:"include,comma,omitempty"`             // empty means IncludeBaseToken
	Page          *int          `url:"page,omitempty"`                      // from 1; nil means 1
	Duration      TrendDuration `url:"duration,omitempty"`                  // empty means Trend24h
	CommunityData *bool         `url:"include_gt_community_data,omitempty"` // adds to Pool.Raw
}

// ListTrendingPools returns one page of the pools that trend on any network.
// They change every [TrendingRefresh].
//
// GET /networks/trending_pools.
func (c *Client) ListTrendingPools(
	ctx context.Context, req TrendingPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "ListTrendingPools", transport.Path("/networks/trending_pools"), req,
		req.problem(c.made().tier), opts)
}

// AllTrendingPools iterates over the pools that trend on any network; see
// [Client.AllTopPools].
func (c *Client) AllTrendingPools(
	ctx context.Context, req TrendingPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	req.Include = slices.Clone(req.Include)
	return c.pools(req.Page, func(page *int) (*PoolPage, error) {
		req := req
		req.Page = page
		return c.ListTrendingPools(ctx, req, opts...)
	})
}

// ListNetworkTrendingPools returns one page of the pools that trend on one
// network. They change every [TrendingRefresh].
//
// GET /networks/{network}/trending_pools.
func (c *Client) ListNetworkTrendingPools(
	ctx context.Context, network string, req TrendingPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "ListNetworkTrendingPools", transport.Path("/networks/{network}/trending_pools", network), req,
		req.problem(c.made().tier), opts)
}

// AllNetworkTrendingPools iterates over the pools that trend on one network; see
// [Client.AllTopPools].
func (c *Client) AllNetworkTrendingPools(
	ctx context.Context, network string, req TrendingPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	req.Include = slices.Clone(req.Include)
	return c.pools(req.Page, func(page *int) (*PoolPage, error) {
		req := req
		req.Page = page
		return c.ListNetworkTrendingPools(ctx, network, req, opts...)
	})
}

func (r TrendingPoolsRequest) problem(tier Tier) error {
	return check.All(
		checkPoolInclude(r.Include),
		tier.checkPage(r.Page),
		check.OptionalOneOf("duration", r.Duration, Trend5m, Trend1h, Trend6h, Trend24h),
	)
}
