package onchaindata

import (
	"math"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// reserve is a pool's holdings in dollars: it keeps the product of its two
// sides.
func (p *pool) reserve(f *figures) float64 {
	if !f.traded {
		return p.dollars
	}
	return p.dollars * math.Sqrt(f.last.base/p.base.price*f.last.quote/p.quote.price)
}

// pool writes a pool as a resource.
func (v *view) pool(p *pool) map[string]any {
	f := p.at(v.at)
	a := map[string]any{
		"address": p.address, "name": p.name(), "pool_created_at": stamp(p.opens),
		"fdv_usd": nil, "market_cap_usd": nil, "reserve_in_usd": v.dollars(p.reserve(f)),
		"base_token_price_usd": nil, "quote_token_price_usd": nil, "base_token_price_native_currency": nil,
		"price_change_percentage": v.changes(f, p.base, "m5", "h1", "h6", "h24"),
		"transactions":            v.transactions(f), "volume_usd": v.volumes(f, (*tally).micros),
	}
	if f.traded {
		a["base_token_price_usd"], a["quote_token_price_usd"] = v.price(f.last.base), v.price(f.last.quote)
		a["base_token_price_native_currency"] = v.price(f.last.base / v.native(p.network))
		a["fdv_usd"] = v.dollars(f.last.base * p.base.supply)
		if p.base.circulating > 0 {
			a["market_cap_usd"] = v.dollars(f.last.base * p.base.circulating)
		}
	}
	v.extras(a, p, f)
	r := resource("pool", p.id(), v.attributes(a))
	r["relationships"] = map[string]any{
		"base_token": reference("token", p.base.id()), "quote_token": reference("token", p.quote.id()),
		"dex": reference("dex", p.dex.id), "network": reference("network", p.network.id),
	}
	return r
}

// native is the price of a network's own currency.
func (v *view) native(n *network) float64 {
	price, _, _ := v.priceOf(n.native)
	return price
}

func (v *view) changes(f *figures, of *token, keys ...string) map[string]any {
	changes := map[string]any{}
	for _, key := range keys {
		changes[key] = v.percent(f.change(of, key))
	}
	return changes
}

func (v *view) transactions(f *figures) map[string]any {
	all := map[string]any{}
	for _, key := range []string{"m5", "m15", "m30", "h1", "h24"} {
		y := f.over(key)
		all[key] = map[string]any{
			"buys": v.count(y.buys), "sells": v.count(y.sells),
			"buyers": v.count(count(y.buyers)), "sellers": v.count(count(y.sellers)),
		}
	}
	return all
}

// volumes are dollars traded in four periods.
func (v *view) volumes(f *figures, of func(*tally) int64) map[string]any {
	all := map[string]any{}
	for _, key := range []string{"m5", "h1", "h6", "h24"} {
		all[key] = v.text(dollars(of(f.over(key))))
	}
	return all
}

// extras adds what the request asked for. How it is written is not documented.
func (v *view) extras(a map[string]any, p *pool, f *figures) {
	if v.breakdown {
		a["buy_volume_usd"] = v.volumes(f, func(y *tally) int64 { return y.bought })
		a["sell_volume_usd"] = v.volumes(f, func(y *tally) int64 { return y.sold })
	}
	if v.composition && f.traded {
		half := p.reserve(f) / 2
		a["base_token_balance"], a["quote_token_balance"] = v.price(half/f.last.base), v.price(half/f.last.quote)
		a["base_token_liquidity_usd"], a["quote_token_liquidity_usd"] = v.dollars(half), v.dollars(half)
	}
	if v.community {
		y := f.over("h24")
		positive := 100 * float64(y.buys+1) / float64(y.buys+y.sells+2)
		a["sentiment_vote_positive_percentage"] = v.percent(positive, true)
		a["sentiment_vote_negative_percentage"] = v.percent(100-positive, true)
		a["community_sus_report"] = v.count(0)
	}
}

// pools writes a list of pools with what was asked to come along.
func (v *view) pools(pools []*pool) map[string]any {
	return v.document(list(kit.List(pools, func(p *pool) any { return v.pool(p) })), v.companions(pools))
}

// companions are the resources that come with the pools, each once.
func (v *view) companions(pools []*pool) []any {
	var included []any
	var seen []string
	add := func(id string, write func() map[string]any) {
		if !slices.Contains(seen, id) {
			seen, included = append(seen, id), append(included, write())
		}
	}
	for _, p := range pools {
		for _, name := range v.include {
			switch name {
			case "base_token":
				add(p.base.id(), func() map[string]any { return v.companion(p.base) })
			case "quote_token":
				add(p.quote.id(), func() map[string]any { return v.companion(p.quote) })
			case "dex":
				add("dex "+p.dex.id, func() map[string]any { return p.dex.resource() })
			}
		}
	}
	return included
}

// companion is a token with the few attributes that it has in the answer of a pool.
func (v *view) companion(t *token) map[string]any {
	return resource("token", t.id(), v.attributes(map[string]any{
		"address": t.address, "name": t.name, "symbol": t.symbol, "decimals": v.count(int64(t.decimals)),
		"image_url": v.words(t.image()), "aggregator_coin_id": v.words(t.coin),
	}))
}

func (d *dex) resource() map[string]any { return resource("dex", d.id, map[string]any{"name": d.name}) }

type poolRequest struct {
	Network         string `path:"network" open:"a network"`
	Address         string `path:"address" open:"an address of any chain"`
	Include         string `query:"include" list:"base_token quote_token dex"`
	VolumeBreakdown bool   `query:"include_volume_breakdown"`
	Composition     bool   `query:"include_composition"`
}

func (b *Service) getPool(c *kit.Call, in poolRequest) any {
	p := b.poolOn(in.Network, in.Address)
	v := b.view(c, refresh)
	v.breakdown, v.composition = in.VolumeBreakdown, in.Composition
	v.including(in.Include, "")
	return v.document(v.pool(p), v.companions([]*pool{p}))
}

func (b *Service) poolOn(network, address string) *pool {
	p := b.network(network).pool(address)
	kit.RefuseIf(p == nil, http.StatusNotFound, state, "pool %s not found", address)
	return p
}
