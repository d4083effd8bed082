package onchaindata

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type poolsRequest struct {
	paged
	Network string `path:"network" open:"a network"`
	Include string `query:"include" form:"words" open:"values not shown"`
	Sort    string `query:"sort" open:"values not shown"`
}

func (b *Service) topPools(c *kit.Call, in poolsRequest) any {
	n := b.network(in.Network)
	v := b.view(c, refresh)
	v.including(in.Include, "")
	return v.pools(page(in.Page, v.sorted(v.opened(n), in.Sort)))
}

// opened are the pools of some networks that there were at the time of the
// view.
func (v *view) opened(networks ...*network) (pools []*pool) {
	for _, n := range networks {
		for _, p := range n.pools {
			if p.opens <= v.at {
				pools = append(pools, p)
			}
		}
	}
	return pools
}

// orders are the sort orders of pools. The words are undocumented: an unknown one
// sorts as none does.
var orders = map[string]func(p *pool, f *figures) float64{
	"h24_volume_usd_desc": func(_ *pool, f *figures) float64 { return float64(f.over("h24").micros()) },
	"h24_tx_count_desc":   func(_ *pool, f *figures) float64 { return float64(f.over("h24").count()) },
	"h24_volume_usd_asc":  func(_ *pool, f *figures) float64 { return -float64(f.over("h24").micros()) },
	"h24_tx_count_asc":    func(_ *pool, f *figures) float64 { return -float64(f.over("h24").count()) },
	"reserve_in_usd_desc": func(p *pool, f *figures) float64 { return p.reserve(f) },
	"reserve_in_usd_asc":  func(p *pool, f *figures) float64 { return -p.reserve(f) },
	"pool_created_at_desc": func(p *pool, _ *figures) float64 {
		return float64(p.opens)
	},
}

// count is how many trades there were.
func (y *tally) count() int64 { return y.buys + y.sells }

// sorted orders pools by a word of orders, the largest first.
func (v *view) sorted(pools []*pool, by string) []*pool {
	order, ok := orders[by]
	if !ok {
		order = orders["h24_tx_count_desc"]
	}
	return v.ranked(pools, order)
}

// ranked orders pools by a figure, the largest first, equal ones by address.
func (v *view) ranked(pools []*pool, by func(*pool, *figures) float64) []*pool {
	rank := map[*pool]float64{}
	for _, p := range pools {
		rank[p] = by(p, p.at(v.at))
	}
	slices.SortFunc(pools, func(a, b *pool) int {
		return cmp.Or(cmp.Compare(rank[b], rank[a]), cmp.Compare(a.address, b.address))
	})
	return pools
}
