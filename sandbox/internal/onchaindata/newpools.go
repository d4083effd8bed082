package onchaindata

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// newPools lists the youngest first. It takes a page, as every list does.
func (b *Service) newPools(c *kit.Call, in networkRequest) any {
	n := b.network(in.Network)
	v := b.view(c, refresh)
	return v.pools(page(in.Page, v.ranked(v.opened(n), orders["pool_created_at_desc"])))
}
