package onchaindata

import (
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type megafilterRequest struct {
	Networks   string   `query:"networks"`
	Dexes      string   `query:"dexes"`
	Sort       string   `query:"sort"`
	MinReserve *float64 `query:"min_reserve_in_usd" min:"0"`
	MaxReserve *float64 `query:"max_reserve_in_usd" min:"0"`
	MinVolume  *float64 `query:"min_h24_volume_usd" min:"0"`
	MaxVolume  *float64 `query:"max_h24_volume_usd" min:"0"`
	MinTxCount *int64   `query:"min_h24_tx_count" min:"0"`
	Page       *int     `query:"page" min:"1"`
}

func (b *Service) megafilter(c *kit.Call, in megafilterRequest) (any, error) {
	b.launch()
	if crossed(in.MinReserve, in.MaxReserve) || crossed(in.MinVolume, in.MaxVolume) {
		return nil, kit.Refuse(http.StatusBadRequest, state, "a minimum is above its maximum")
	}
	v := b.view(c, refresh)
	pools := slices.DeleteFunc(v.opened(b.networks...), func(p *pool) bool { return !in.passes(p, p.at(v.at)) })
	pools, err := v.sorted(pools, in.Sort)
	if err != nil {
		return nil, err
	}
	if pools, err = page(c, in.Page, pools); err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}

func crossed(least, most *float64) bool { return least != nil && most != nil && *least > *most }

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
