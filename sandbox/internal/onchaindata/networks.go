package onchaindata

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type networksRequest struct {
	_    struct{} `rule:"page is at most 10 on the demo tier"`
	Page *int     `query:"page" min:"1"`
}

// Problems checks what the fields do not.
func (in networksRequest) Problems(c *kit.Call) []string { return pageRule(c, in.Page) }

// listNetworks has no documented shape beyond that of every resource: with
// links, or an attribute less. It takes a page, as every list does.
func (b *Service) listNetworks(c *kit.Call, in networksRequest) (any, error) {
	v := b.view(c, 1)
	items := []any{}
	for _, n := range page(in.Page, b.networks) {
		a := map[string]any{"name": n.name, "aggregator_asset_platform_id": n.platform}
		if v.kind == sparse {
			delete(a, "aggregator_asset_platform_id")
		}
		items = append(items, resource("network", n.id, a))
	}
	answer := v.document(v.list(items), nil)
	if v.kind == retyped {
		answer["links"] = map[string]any{"first": c.Request.URL.Path + "?page=1", "prev": nil, "next": nil, "last": nil}
	}
	return answer, nil
}
