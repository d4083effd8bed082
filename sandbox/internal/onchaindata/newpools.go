package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// newPools lists the youngest first. It takes a page, as every list does.
func (b *Service) newPools(c *kit.Call, in networkRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, refresh)
	return v.pools(page(in.Page, v.ranked(v.opened(n), orders["pool_created_at_desc"]))), nil
}
