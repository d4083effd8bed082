package onchaindata

import (
	"cmp"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type trendingRequest struct {
	paged
	Include   string `query:"include" form:"words" open:"values not shown"`
	Duration  string `query:"duration" oneof:"5m 1h 6h 24h"`
	Community bool   `query:"include_gt_community_data"`
}

func (b *Service) trending(c *kit.Call, in trendingRequest) any {
	b.launch()
	return b.trendingOn(c, in, b.networks...)
}

type networkTrendingRequest struct {
	Network string `path:"network" open:"a network"`
	trendingRequest
}

func (b *Service) networkTrending(c *kit.Call, in networkTrendingRequest) any {
	n := b.network(in.Network)
	return b.trendingOn(c, in.trendingRequest, n)
}

// trendingOn ranks pools by the volume within the duration relative to their
// reserves: an active small pool trends.
func (b *Service) trendingOn(c *kit.Call, in trendingRequest, networks ...*network) any {
	v := b.view(c, trendingRefresh)
	v.community = in.Community
	v.including(in.Include, "base_token")
	key := map[string]string{"5m": "m5", "1h": "h1", "6h": "h6", "24h": "h24"}[cmp.Or(in.Duration, "24h")]
	pools := v.ranked(v.opened(networks...), func(p *pool, f *figures) float64 {
		return float64(f.over(key).micros()) / p.dollars
	})
	return v.pools(page(in.Page, pools))
}
