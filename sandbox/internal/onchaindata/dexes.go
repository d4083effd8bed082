package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type dexesRequest struct {
	_       struct{} `rule:"page is at most 10 on the demo tier"`
	Network string   `path:"network" open:"a network"`
	Page    *int     `query:"page" min:"1"`
}

// Problems checks what the fields do not.
func (in dexesRequest) Problems(c *kit.Call) []string { return pageRule(c, in.Page) }

func (b *Service) listDexes(c *kit.Call, in dexesRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	v := b.view(c, 1)
	items := []any{}
	for _, d := range page(in.Page, n.dexes) {
		items = append(items, d.resource())
	}
	return v.document(v.list(items), nil), nil
}
