package onchaindata

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type multiPoolsRequest struct {
	Network   string `path:"network"`
	Addresses string `path:"addresses"`
	Include   string `query:"include"`
}

// multiPools answers for the pools that there are, in the order asked for. A
// single one may come as an object: the shape is not documented.
func (b *Service) multiPools(c *kit.Call, in multiPoolsRequest) (any, error) {
	addresses, err := addresses(c, in.Addresses, 0)
	if err != nil {
		return nil, err
	}
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, refresh)
	if err := v.including(c, in.Include, "", poolIncludes...); err != nil {
		return nil, err
	}
	var pools []*pool
	for _, address := range addresses {
		if p := n.pool(address); p != nil && !slices.Contains(pools, p) {
			pools = append(pools, p)
		}
	}
	answer := v.pools(pools)
	v.alone(answer)
	return answer, nil
}

// alone replaces a list of one item by the item if the shape says so.
func (v *view) alone(answer map[string]any) {
	if items, ok := answer["data"].([]any); ok && len(items) == 1 && v.shape == sparse {
		answer["data"] = items[0]
	}
}
