package onchaindata

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// FilterPoolsRequest selects a page of the pools, of all networks, within bounds. The zero
// value of a bound means no bound.
type FilterPoolsRequest struct {
	Networks []string // ids; empty means all
	DEXes    []string // ids; empty means all
	Sort     string   // its values are not documented; empty means the service's default
	Page     *int     // from 1; nil means 1

	MinReserveUSD      walletfi.Decimal
	MaxReserveUSD      walletfi.Decimal
	MinVolumeUSD24h    walletfi.Decimal
	MaxVolumeUSD24h    walletfi.Decimal
	MinTransactions24h *int // nil means no bound, nil is sent
}

// FilterPools returns one page of the pools within the bounds of filter. They
// change every [PoolRefresh].
//
// GET /pools/megafilter.
func (c *Client) FilterPools(
	ctx context.Context, filter FilterPoolsRequest, opts ...walletfi.CallOption,
) (*PoolPage, error) {
	return c.listPools(ctx, "FilterPools", transport.Path("/pools/megafilter"), filter.query(),
		filter.problem(c.made().tier), opts)
}

// AllFilterPools iterates over the pools within the bounds of filter; see
// [Client.AllTopPools].
func (c *Client) AllFilterPools(
	ctx context.Context, filter FilterPoolsRequest, opts ...walletfi.CallOption,
) iter.Seq2[Pool, error] {
	filter.Networks, filter.DEXes = slices.Clone(filter.Networks), slices.Clone(filter.DEXes)
	if filter.MinTransactions24h != nil {
		filter.MinTransactions24h = new(*filter.MinTransactions24h)
	}
	return c.pools(filter.Page, func(page *int) (*PoolPage, error) {
		filter := filter
		filter.Page = page
		return c.FilterPools(ctx, filter, opts...)
	})
}

type filterQuery struct {
	Networks   []string `url:"networks,comma,omitempty"`
	DEXes      []string `url:"dexes,comma,omitempty"`
	Sort       string   `url:"sort,omitempty"`
	MinReserve string   `url:"min_reserve_in_usd,omitempty"`
	MaxReserve string   `url:"max_reserve_in_usd,omitempty"`
	MinVolume  string   `url:"min_h24_volume_usd,omitempty"`
	MaxVolume  string   `url:"max_h24_volume_usd,omitempty"`
	MinTxCount *int     `url:"min_h24_tx_count,omitempty"`
	Page       *int     `url:"page,omitempty"`
}

func (f FilterPoolsRequest) query() filterQuery {
	return filterQuery{
		Networks: f.Networks, DEXes: f.DEXes, Sort: f.Sort, Page: f.Page,
		MinReserve: f.MinReserveUSD.Plain(), MaxReserve: f.MaxReserveUSD.Plain(),
		MinVolume: f.MinVolumeUSD24h.Plain(), MaxVolume: f.MaxVolumeUSD24h.Plain(),
		MinTxCount: f.MinTransactions24h,
	}
}

func (f FilterPoolsRequest) problem(tier Tier) error {
	return check.All(
		check.Each("networks", f.Networks, checkListed),
		check.Each("dexes", f.DEXes, checkListed),
		checkBound("min_reserve_in_usd", f.MinReserveUSD),
		checkBound("max_reserve_in_usd", f.MaxReserveUSD),
		checkBound("min_h24_volume_usd", f.MinVolumeUSD24h),
		checkBound("max_h24_volume_usd", f.MaxVolumeUSD24h),
		checkBounds("max_reserve_in_usd", f.MinReserveUSD, f.MaxReserveUSD),
		checkBounds("max_h24_volume_usd", f.MinVolumeUSD24h, f.MaxVolumeUSD24h),
		check.NotNegativeOf("min_h24_tx_count", f.MinTransactions24h),
		tier.checkPage(f.Page),
	)
}

// checkListed refuses an item that a list with commas cannot have.
func checkListed(field, item string) error {
	return check.That(strings.TrimSpace(item) != "" && !strings.Contains(item, ","), field, "must be one id")
}

func checkBound(field string, bound walletfi.Decimal) error {
	return check.All(
		check.That(bound.Sign() >= 0, field, "must not be negative"),
		check.That(bound.IsZero() || bound.Plain() != "", field, "must not take more than 1,000 digits"),
	)
}

func checkBounds(field string, least, most walletfi.Decimal) error {
	return check.That(most.IsZero() || least.Cmp(most) <= 0, field, "must not be less than the lower bound")
}
