package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type newPoolsRequest struct {
	Network string `path:"network"`
	Page    *int   `query:"page" min:"1"`
}

// newPools lists the youngest first. It takes a page, as every list does.
func (b *Service) newPools(c *kit.Call, in newPoolsRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, refresh)
	pools, err := page(c, in.Page, v.ranked(v.opened(n), orders["pool_created_at_desc"]))
	if err != nil {
		return nil, err
	}
	return v.pools(pools), nil
}
