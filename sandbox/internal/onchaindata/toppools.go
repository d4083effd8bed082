package onchaindata

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type poolsRequest struct {
	Network string `path:"network"`
	Include string `query:"include"`
	Page    *int   `query:"page" min:"1"`
	Sort    string `query:"sort"`
}

func (b *Service) topPools(c *kit.Call, in poolsRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, refresh)
	if err := v.including(c, in.Include, "", poolIncludes...); err != nil {
		return nil, err
	}
	pools, err := v.sorted(v.opened(n), in.Sort)
	if err != nil {
		return nil, err
	}
	if pools, err = page(c, in.Page, pools); err != nil {
		return nil, err
	}
	return v.pools(pools), nil
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

// orders are the sort orders of pools. The words are undocumented, so an
// unknown word is refused but is not a violation.
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
func (v *view) sorted(pools []*pool, by string) ([]*pool, error) {
	order, ok := orders[cmp.Or(by, "h24_tx_count_desc")]
	if !ok {
		return nil, kit.Refuse(http.StatusBadRequest, state, "sort %s is not known", by)
	}
	return v.ranked(pools, order), nil
}

// ranked orders pools by a figure, the largest first, equal ones by address.
func (v *view) ranked(pools []*pool, by func(*pool, *figures) float64) []*pool {
	type entry struct {
		pool *pool
		rank float64
	}
	entries := make([]entry, len(pools))
	for i, p := range pools {
		entries[i] = entry{p, by(p, p.at(v.at))}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.pool.address, b.pool.address))
	})
	ranked := make([]*pool, len(entries))
	for i, e := range entries {
		ranked[i] = e.pool
	}
	return ranked
}
