package e2e

import (
	"iter"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/onchaindata"
)

// onchainWalks holds each iterator over pools to its list: more pools than one
// page has, or as many as it has if it is not full.
func onchainWalks(t *testing.T, c *onchaindata.Client) {
	ctx := t.Context()
	for name, walk := range map[string]struct {
		all iter.Seq2[onchaindata.Pool, error]
		one func() (*onchaindata.PoolPage, error)
	}{
		"trending": {
			c.AllTrendingPools(ctx, onchaindata.TrendingPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListTrendingPools(ctx, onchaindata.TrendingPoolsRequest{})
			},
		},
		"of a network": {
			c.AllNetworkTrendingPools(ctx, "eth", onchaindata.TrendingPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListNetworkTrendingPools(ctx, "eth", onchaindata.TrendingPoolsRequest{})
			},
		},
		"new": {
			c.AllNewPools(ctx, onchainNetwork, onchaindata.NewPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) {
				return c.ListNewPools(ctx, onchainNetwork, onchaindata.NewPoolsRequest{})
			},
		},
		"search": {
			c.AllSearchPools(ctx, onchaindata.SearchPoolsRequest{}),
			func() (*onchaindata.PoolPage, error) { return c.SearchPools(ctx, onchaindata.SearchPoolsRequest{}) },
		},
		"filter": {
			c.AllFilterPools(ctx, onchaindata.PoolFilter{Networks: []string{"eth", "base"}}),
			func() (*onchaindata.PoolPage, error) {
				return c.FilterPools(ctx, onchaindata.PoolFilter{Networks: []string{"eth", "base"}})
			},
		},
	} {
		page, err := walk.one()
		require.NoError(t, err, name)
		ids := map[string]bool{}
		for pool, err := range walk.all {
			require.NoError(t, err, name)
			require.False(t, ids[pool.ID], "%s: %s comes twice", name, pool.ID)
			ids[pool.ID] = true
			if len(ids) == 2*onchaindata.PageSize {
				break
			}
		}
		require.GreaterOrEqual(t, len(ids), len(page.Pools), name)
		require.Equal(t, len(page.Pools) == onchaindata.PageSize, len(ids) >= onchaindata.PageSize, name)
	}
}
