package onchaindata

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// listNetworks has no documented shape beyond that of every resource: with
// links, or an attribute less. It takes a page, as every list does.
func (b *Service) listNetworks(c *kit.Call, in paged) any {
	v := b.view(c, 1)
	items := []any{}
	for _, n := range page(in.Page, b.networks) {
		a := map[string]any{"name": n.name, "aggregator_asset_platform_id": n.platform}
		if v.kind == sparse {
			delete(a, "aggregator_asset_platform_id")
		}
		items = append(items, resource("network", n.id, a))
	}
	answer := v.document(list(items), nil)
	if v.kind == retyped {
		answer["links"] = map[string]any{"first": c.Request.URL.Path + "?page=1", "prev": nil, "next": nil, "last": nil}
	}
	return answer
}
