package onchaindata

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type searchRequest struct {
	paged
	Query   *string `query:"query" open:"any text"`
	Network string  `query:"network" open:"a network"`
	Include string  `query:"include" form:"words" open:"values not shown"`
}

// search finds pools by an address, a symbol or a name of the pool or of one of
// its tokens, the deepest first.
func (b *Service) search(c *kit.Call, in searchRequest) any {
	b.launch()
	networks := b.networks
	if in.Network != "" {
		n := b.network(in.Network)
		networks = []*network{n}
	}
	v := b.view(c, refresh)
	v.including(in.Include, "base_token")
	query := strings.ToLower(kit.Or(in.Query, "weth"))
	pools := slices.DeleteFunc(v.opened(networks...), func(p *pool) bool { return !p.matches(query) })
	return v.pools(page(in.Page, v.ranked(pools, orders["reserve_in_usd_desc"])))
}

func (p *pool) matches(query string) bool {
	for _, text := range []string{p.name(), p.address, p.base.address, p.quote.address, p.base.name, p.quote.name} {
		if strings.Contains(strings.ToLower(text), query) {
			return true
		}
	}
	return false
}
