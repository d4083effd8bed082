package sandbox

import (
	"cmp"
	"net/http"
	"slices"
)

type onchainPoolRequest struct {
	Network         string `path:"network"`
	Address         string `path:"address"`
	Include         string `query:"include"`
	VolumeBreakdown bool   `query:"include_volume_breakdown"`
	Composition     bool   `query:"include_composition"`
}

func (b *onchain) getPool(c *call, in onchainPoolRequest) (any, error) {
	p, err := b.poolOn(in.Network, in.Address)
	if err != nil {
		return nil, err
	}
	v := b.view(c, onchainRefresh)
	v.breakdown, v.composition = in.VolumeBreakdown, in.Composition
	if err := v.including(c, in.Include, "", onchainPoolIncludes...); err != nil {
		return nil, err
	}
	return v.document(v.pool(p), v.companions([]*onchainPool{p})), nil
}

func (b *onchain) poolOn(network, address string) (*onchainPool, error) {
	n, err := b.network(network)
	if err != nil {
		return nil, err
	}
	if p := n.pool(address); p != nil {
		return p, nil
	}
	return nil, refuse(http.StatusNotFound, onchainState, "pool %s not found", address)
}

type onchainPoolsRequest struct {
	Network string `path:"network"`
	Include string `query:"include"`
	Page    *int   `query:"page" min:"1"`
	Sort    string `query:"sort"`
}

func (b *onchain) topPools(c *call, in onchainPoolsRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, onchainRefresh)
	if err := v.including(c, in.Include, "", onchainPoolIncludes...); err != nil {
		return nil, err
	}
	pools, err := v.sorted(v.opened(n), in.Sort)
	if err != nil {
		return nil, err
	}
	if pools, err = onchainPage(c, in.Page, pools); err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}

// opened are the pools of some networks that there were at the time of the
// view.
func (v *onchainView) opened(networks ...*onchainNetwork) (pools []*onchainPool) {
	for _, n := range networks {
		for _, p := range n.pools {
			if p.opens <= v.at {
				pools = append(pools, p)
			}
		}
	}
	return pools
}

// onchainOrders are what pools can be sorted by. The words are not documented:
// another one is refused, and is no violation.
var onchainOrders = map[string]func(p *onchainPool, f *onchainFigures) float64{
	"h24_volume_usd_desc": func(_ *onchainPool, f *onchainFigures) float64 { return float64(f.over("h24").micros()) },
	"h24_tx_count_desc":   func(_ *onchainPool, f *onchainFigures) float64 { return float64(f.over("h24").count()) },
	"h24_volume_usd_asc":  func(_ *onchainPool, f *onchainFigures) float64 { return -float64(f.over("h24").micros()) },
	"h24_tx_count_asc":    func(_ *onchainPool, f *onchainFigures) float64 { return -float64(f.over("h24").count()) },
	"reserve_in_usd_desc": func(p *onchainPool, f *onchainFigures) float64 { return p.reserve(f) },
	"reserve_in_usd_asc":  func(p *onchainPool, f *onchainFigures) float64 { return -p.reserve(f) },
	"pool_created_at_desc": func(p *onchainPool, _ *onchainFigures) float64 {
		return float64(p.opens)
	},
}

// count is how many trades there were.
func (y *onchainTally) count() int64 { return y.buys + y.sells }

// sorted orders pools by what a word says, the largest first.
func (v *onchainView) sorted(pools []*onchainPool, by string) ([]*onchainPool, error) {
	order, ok := onchainOrders[cmp.Or(by, "h24_tx_count_desc")]
	if !ok {
		return nil, refuse(http.StatusBadRequest, onchainState, "sort %s is not known", by)
	}
	return v.ranked(pools, order), nil
}

// ranked orders pools by a figure, the largest first, equal ones by address.
func (v *onchainView) ranked(pools []*onchainPool, by func(*onchainPool, *onchainFigures) float64) []*onchainPool {
	type entry struct {
		pool *onchainPool
		rank float64
	}
	entries := make([]entry, len(pools))
	for i, p := range pools {
		entries[i] = entry{p, by(p, p.at(v.at))}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.pool.address, b.pool.address))
	})
	ranked := make([]*onchainPool, len(entries))
	for i, e := range entries {
		ranked[i] = e.pool
	}
	return ranked
}

type onchainMultiPoolsRequest struct {
	Network   string `path:"network"`
	Addresses string `path:"addresses"`
	Include   string `query:"include"`
}

// multiPools answers for the pools that there are, in the order asked for. A
// single one may come as an object: the shape is not documented.
func (b *onchain) multiPools(c *call, in onchainMultiPoolsRequest) (any, error) {
	addresses, err := onchainAddresses(c, in.Addresses, 0)
	if err != nil {
		return nil, err
	}
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, onchainRefresh)
	if err := v.including(c, in.Include, "", onchainPoolIncludes...); err != nil {
		return nil, err
	}
	var pools []*onchainPool
	for _, address := range addresses {
		if p := n.pool(address); p != nil && !slices.Contains(pools, p) {
			pools = append(pools, p)
		}
	}
	answer := v.pools(pools)
	v.alone(answer)
	return answer, nil
}

// alone makes an object of a list of one, where the shape says so.
func (v *onchainView) alone(answer map[string]any) {
	if items, ok := answer["data"].([]any); ok && len(items) == 1 && v.onchainShape == onchainSparse {
		answer["data"] = items[0]
	}
}

type onchainNewPoolsRequest struct {
	Network string `path:"network"`
	Page    *int   `query:"page" min:"1"`
}

// newPools lists the youngest first. It takes a page, as every list does.
func (b *onchain) newPools(c *call, in onchainNewPoolsRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, onchainRefresh)
	pools, err := onchainPage(c, in.Page, v.ranked(v.opened(n), onchainOrders["pool_created_at_desc"]))
	if err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}
