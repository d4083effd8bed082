package sandbox

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

type onchainTrendingRequest struct {
	Include   string `query:"include"`
	Page      *int   `query:"page" min:"1"`
	Duration  string `query:"duration" oneof:"5m 1h 6h 24h"`
	Community bool   `query:"include_gt_community_data"`
}

func (b *onchain) trending(c *call, in onchainTrendingRequest) (any, error) {
	b.launch()
	return b.trendingOn(c, in, b.networks...)
}

type onchainNetworkTrendingRequest struct {
	Network   string `path:"network"`
	Include   string `query:"include"`
	Page      *int   `query:"page" min:"1"`
	Duration  string `query:"duration" oneof:"5m 1h 6h 24h"`
	Community bool   `query:"include_gt_community_data"`
}

func (b *onchain) networkTrending(c *call, in onchainNetworkTrendingRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	return b.trendingOn(c, onchainTrendingRequest{in.Include, in.Page, in.Duration, in.Community}, n)
}

// trendingOn ranks by what was traded within the duration, in proportion to
// what the pool holds: a small pool that is stirred trends.
func (b *onchain) trendingOn(c *call, in onchainTrendingRequest, networks ...*onchainNetwork) (any, error) {
	v := b.view(c, onchainTrendingRefresh)
	v.community = in.Community
	if err := v.including(c, in.Include, "base_token", onchainPoolIncludes...); err != nil {
		return nil, err
	}
	key := map[string]string{"5m": "m5", "1h": "h1", "6h": "h6", "24h": "h24"}[cmp.Or(in.Duration, "24h")]
	pools := v.ranked(v.opened(networks...), func(p *onchainPool, f *onchainFigures) float64 {
		return float64(f.over(key).micros()) / p.dollars
	})
	pools, err := onchainPage(c, in.Page, pools)
	if err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}

type onchainSearchRequest struct {
	Query   *string `query:"query"`
	Network string  `query:"network"`
	Include string  `query:"include"`
	Page    *int    `query:"page" min:"1"`
}

// search finds pools by an address, a symbol or a name of the pool or of one of
// its tokens, the deepest first.
func (b *onchain) search(c *call, in onchainSearchRequest) (any, error) {
	b.launch()
	networks := b.networks
	if in.Network != "" {
		n, err := b.network(in.Network)
		if err != nil {
			return nil, err
		}
		networks = []*onchainNetwork{n}
	}
	v := b.view(c, onchainRefresh)
	if err := v.including(c, in.Include, "base_token", onchainPoolIncludes...); err != nil {
		return nil, err
	}
	query := "weth"
	if in.Query != nil {
		query = *in.Query
	}
	pools := slices.DeleteFunc(v.opened(networks...), func(p *onchainPool) bool { return !p.matches(strings.ToLower(query)) })
	pools, err := onchainPage(c, in.Page, v.ranked(pools, onchainOrders["reserve_in_usd_desc"]))
	if err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}

func (p *onchainPool) matches(query string) bool {
	for _, text := range []string{p.name(), p.address, p.base.address, p.quote.address, p.base.name, p.quote.name} {
		if strings.Contains(strings.ToLower(text), query) {
			return true
		}
	}
	return false
}

type onchainMegafilterRequest struct {
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

func (b *onchain) megafilter(c *call, in onchainMegafilterRequest) (any, error) {
	b.launch()
	if onchainCrossed(in.MinReserve, in.MaxReserve) || onchainCrossed(in.MinVolume, in.MaxVolume) {
		return nil, refuse(http.StatusBadRequest, onchainState, "a minimum is above its maximum")
	}
	v := b.view(c, onchainRefresh)
	pools := slices.DeleteFunc(v.opened(b.networks...), func(p *onchainPool) bool { return !in.passes(p, p.at(v.at)) })
	pools, err := v.sorted(pools, in.Sort)
	if err != nil {
		return nil, err
	}
	if pools, err = onchainPage(c, in.Page, pools); err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}

func onchainCrossed(least, most *float64) bool { return least != nil && most != nil && *least > *most }

func (in *onchainMegafilterRequest) passes(p *onchainPool, f *onchainFigures) bool {
	within := func(x float64, least, most *float64) bool {
		return (least == nil || x >= *least) && (most == nil || x <= *most)
	}
	listed := func(list, name string) bool { return list == "" || slices.Contains(strings.Split(list, ","), name) }
	day := f.over("h24")
	return listed(in.Networks, p.network.id) && listed(in.Dexes, p.dex.id) &&
		within(p.reserve(f), in.MinReserve, in.MaxReserve) && within(float64(day.micros())/1e6, in.MinVolume, in.MaxVolume) &&
		(in.MinTxCount == nil || day.count() >= *in.MinTxCount)
}
