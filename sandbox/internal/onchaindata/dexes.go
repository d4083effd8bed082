package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type dexesRequest struct {
	Network string `path:"network"`
	Page    *int   `query:"page" min:"1"`
}

func (b *Service) listDexes(c *kit.Call, in dexesRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	dexes, err := page(c, in.Page, n.dexes)
	if err != nil {
		return nil, err
	}
	v := b.view(c, 1)
	items := []any{}
	for _, d := range dexes {
		items = append(items, d.resource())
	}
	return v.document(v.list(items), nil), nil
}
