package onchaindata

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// networkRequest asks for a list of a network.
type networkRequest struct {
	paged
	Network string `path:"network" open:"a network"`
}

func (b *Service) listDexes(c *kit.Call, in networkRequest) any {
	n := b.network(in.Network)
	v := b.view(c, 1)
	items := kit.List(page(in.Page, n.dexes), func(d *dex) any { return d.resource() })
	return v.document(list(items), nil)
}
