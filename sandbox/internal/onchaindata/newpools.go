package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type newPoolsRequest struct {
	_       struct{} `rule:"page is at most 10 on the demo tier"`
	Network string   `path:"network" open:"a network"`
	Page    *int     `query:"page" min:"1"`
}

// Problems checks what the fields do not.
func (in newPoolsRequest) Problems(c *kit.Call) []string { return pageRule(c, in.Page) }

// newPools lists the youngest first. It takes a page, as every list does.
func (b *Service) newPools(c *kit.Call, in newPoolsRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, refresh)
	return v.pools(page(in.Page, v.ranked(v.opened(n), orders["pool_created_at_desc"]))), nil
}
