package sandbox

type onchainNetworksRequest struct {
	Page *int `query:"page" min:"1"`
}

// listNetworks has no documented shape beyond that of every resource: with
// links, or an attribute less. It takes a page, as every list does.
func (b *onchain) listNetworks(c *call, in onchainNetworksRequest) (any, error) {
	networks, err := onchainPage(c, in.Page, b.networks)
	if err != nil {
		return nil, err
	}
	v := b.view(c, 1)
	items := []any{}
	for _, n := range networks {
		a := map[string]any{"name": n.name, "aggregator_asset_platform_id": n.platform}
		if v.onchainShape == onchainSparse {
			delete(a, "aggregator_asset_platform_id")
		}
		items = append(items, onchainResource("network", n.id, a))
	}
	answer := v.document(v.list(items), nil)
	if v.onchainShape == onchainRetyped {
		answer["links"] = map[string]any{"first": c.request.URL.Path + "?page=1", "prev": nil, "next": nil, "last": nil}
	}
	return answer, nil
}

type onchainDexesRequest struct {
	Network string `path:"network"`
	Page    *int   `query:"page" min:"1"`
}

func (b *onchain) listDexes(c *call, in onchainDexesRequest) (any, error) {
	n, err := b.network(in.Network)
	if err != nil {
		return nil, err
	}
	dexes, err := onchainPage(c, in.Page, n.dexes)
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
