package onchaindata

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type multiPoolsRequest struct {
	Network   string `path:"network" open:"a network"`
	Addresses string `path:"addresses" form:"words"`
	Include   string `query:"include" form:"words" open:"values not shown"`
}

// multiPools answers for the pools that there are, in the order asked for. A
// single one may come as an object: the shape is not documented.
func (b *Service) multiPools(c *kit.Call, in multiPoolsRequest) any {
	n := b.network(in.Network)
	v := b.view(c, refresh)
	v.including(in.Include, "")
	var pools []*pool
	for _, address := range strings.Split(in.Addresses, ",") {
		if p := n.pool(address); p != nil && !slices.Contains(pools, p) {
			pools = append(pools, p)
		}
	}
	answer := v.pools(pools)
	v.alone(answer)
	return answer
}

// alone replaces a list of one item by the item if the shape says so.
func (v *view) alone(answer map[string]any) {
	if items, ok := answer["data"].([]any); ok && len(items) == 1 && v.kind == sparse {
		answer["data"] = items[0]
	}
}
