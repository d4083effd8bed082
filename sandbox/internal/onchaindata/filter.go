package onchaindata

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type megafilterRequest struct {
	paged
	Networks   string   `query:"networks" form:"words"`
	Dexes      string   `query:"dexes" form:"words"`
	Sort       string   `query:"sort" open:"values not shown"`
	MinReserve *float64 `query:"min_reserve_in_usd"`
	MaxReserve *float64 `query:"max_reserve_in_usd"`
	MinVolume  *float64 `query:"min_h24_volume_usd"`
	MaxVolume  *float64 `query:"max_h24_volume_usd"`
	MinTxCount *int64   `query:"min_h24_tx_count"`
}

func (b *Service) megafilter(c *kit.Call, in megafilterRequest) any {
	b.launch()
	v := b.view(c, refresh)
	pools := slices.DeleteFunc(v.opened(b.networks...), func(p *pool) bool { return !in.passes(p, p.at(v.at)) })
	return v.pools(page(in.Page, v.sorted(pools, in.Sort)))
}

func (in *megafilterRequest) passes(p *pool, f *figures) bool {
	within := func(x float64, least, most *float64) bool {
		return (least == nil || x >= *least) && (most == nil || x <= *most)
	}
	listed := func(list, name string) bool { return list == "" || slices.Contains(strings.Split(list, ","), name) }
	day := f.over("h24")
	return listed(in.Networks, p.network.id) && listed(in.Dexes, p.dex.id) &&
		within(p.reserve(f), in.MinReserve, in.MaxReserve) && within(float64(day.micros())/1e6, in.MinVolume, in.MaxVolume) &&
		(in.MinTxCount == nil || day.count() >= *in.MinTxCount)
}
