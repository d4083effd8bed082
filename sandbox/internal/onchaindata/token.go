package onchaindata

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// source is the pool that a token's price comes from: its deepest active pool,
// or, if no pool is active and the view allows it, its deepest pool.
func (v *view) source(t *token) (*pool, *figures) {
	for _, p := range t.network.poolsOf(t, v.at) {
		if p.closed(v.at) && !v.inactive {
			continue
		}
		if f := p.at(v.at); f.traded {
			return p, f
		}
	}
	return nil, nil
}

// priceOf returns the last price of a token, and its time.
func (v *view) priceOf(t *token) (dollars float64, second int64, known bool) {
	_, f := v.source(t)
	if f == nil {
		return 0, 0, false
	}
	return f.last.dollars(t), f.last.second, true
}

// traded sums up a token's pools: volume of a day in millionths of a
// dollar, and reserves in dollars.
func (v *view) traded(t *token) (micros int64, reserve float64) {
	for _, p := range t.network.poolsOf(t, v.at) {
		f := p.at(v.at)
		micros += f.over("h24").micros()
		reserve += p.reserve(f)
	}
	return micros, reserve
}

func (t *token) image() string {
	if t.coin == "" {
		return ""
	}
	return "https://images.example/" + t.coin + ".png"
}

// score is how well a token is described, of a hundred.
func (t *token) score() float64 {
	if t.coin == "" {
		return 31.5
	}
	return 92.66
}

type tokenRequest struct {
	Network     string `path:"network" open:"a network"`
	Address     string `path:"address" open:"an address of any chain"`
	Include     string `query:"include" list:"top_pools"`
	Composition bool   `query:"include_composition"`
	Inactive    bool   `query:"include_inactive_source"`
}

func (b *Service) getToken(c *kit.Call, in tokenRequest) any {
	t := b.tokenOn(in.Network, in.Address)
	v := b.view(c, refresh)
	v.composition, v.inactive = in.Composition, in.Inactive
	v.including(in.Include, "")
	return v.document(v.token(t), v.tokenPools(t))
}

func (b *Service) tokenOn(network, address string) *token {
	t := b.network(network).token(address)
	kit.RefuseIf(t == nil, http.StatusNotFound, state, "token %s not found", address)
	return t
}

// token writes a token as a resource.
func (v *view) token(t *token) map[string]any {
	micros, _ := v.traded(t)
	a := map[string]any{
		"address": t.address, "name": t.name, "symbol": t.symbol, "decimals": v.count(int64(t.decimals)),
		"image_url": v.words(t.image()), "websites": []any{}, "description": nil, "gt_score": t.score(),
		"community_chat_url": nil, "messenger_handle": nil, "social_handle": nil, "aggregator_coin_id": v.words(t.coin),
		"price_usd": nil, "fdv_usd": nil, "market_cap_usd": nil, "total_supply": v.price(t.supply),
		"volume_usd": map[string]any{"h24": v.text(dollars(micros))}, "price_change_percentage": nil,
	}
	if t.website != "" {
		a["websites"], a["social_handle"] = []any{t.website}, strings.ToLower(t.symbol)
		a["description"] = t.name + " is a token of the sandbox."
	}
	v.priced(a, t)
	if v.kind == retyped && v.drift {
		a["gt_score"] = strconv.FormatFloat(t.score(), 'f', -1, 64)
	}
	pools := kit.List(v.topPoolsOf(t), func(p *pool) any { return map[string]any{"id": p.id(), "type": "pool"} })
	r := resource("token", t.id(), v.attributes(a))
	r["relationships"] = map[string]any{"top_pools": map[string]any{"data": pools}}
	return r
}

// priced adds what follows from the price.
func (v *view) priced(a map[string]any, t *token) {
	_, f := v.source(t)
	if f == nil {
		return
	}
	price := f.last.dollars(t)
	a["price_usd"], a["fdv_usd"] = v.price(price), v.dollars(price*t.supply)
	a["price_change_percentage"] = v.changes(f, t, "h1", "h6", "h24")
	if t.circulating > 0 {
		a["market_cap_usd"] = v.dollars(price * t.circulating)
	}
	if v.inactive {
		a["last_trade_timestamp"] = v.count(f.last.second)
	}
}

// topPools is how many pools a token names.
const topPools = 3

func (v *view) topPoolsOf(t *token) []*pool {
	pools := t.network.poolsOf(t, v.at)
	return pools[:min(len(pools), topPools)]
}
