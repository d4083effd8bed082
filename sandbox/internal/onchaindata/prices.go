package onchaindata

import (
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type pricesRequest struct {
	Network   string `path:"network" open:"a network"`
	Addresses string `path:"addresses" form:"words"`
	MarketCap bool   `query:"include_market_cap"`
	Fallback  bool   `query:"mcap_fdv_fallback"`
	Volume    bool   `query:"include_24hr_vol"`
	Change    bool   `query:"include_24hr_price_change"`
	Reserve   bool   `query:"include_total_reserve_in_usd"`
}

// simplePrices answers for the tokens that it knows; the others are absent, or
// null. Which parameter adds the time of the last trade is not documented:
// it comes at times.
func (b *Service) simplePrices(c *kit.Call, in pricesRequest) any {
	addresses := strings.Split(in.Addresses, ",")
	n := b.network(in.Network)
	v := b.view(c, refresh)
	prices := map[string]any{}
	a := map[string]any{"token_prices": prices}
	maps := map[string]map[string]any{}
	column := func(name string, wanted bool) {
		if wanted {
			maps[name] = map[string]any{}
			a[name] = maps[name]
		}
	}
	column("market_cap_usd", in.MarketCap)
	column("h24_volume_usd", in.Volume)
	column("h24_price_change_percentage", in.Change)
	column("total_reserve_in_usd", in.Reserve)
	column("last_trade_timestamp", v.kind != plain)
	for _, address := range addresses {
		if v.kind == retyped && n.token(address) == nil {
			prices[address] = nil
		}
	}
	for _, t := range found(n, addresses) {
		v.simple(t, prices, maps, in.Fallback)
	}
	return v.document(resource("simple_token_price", c.RequestID, a), nil)
}

// simple fills in what is wanted of a token.
func (v *view) simple(t *token, prices map[string]any, columns map[string]map[string]any, fallback bool) {
	_, f := v.source(t)
	if f == nil {
		if v.kind != sparse {
			prices[t.address] = nil
		}
		return
	}
	price := f.last.dollars(t)
	prices[t.address] = v.price(price)
	micros, reserve := v.traded(t)
	figures := map[string]any{
		"market_cap_usd": nil, "h24_volume_usd": v.text(dollars(micros)), "total_reserve_in_usd": v.dollars(reserve),
		"h24_price_change_percentage": v.percent(f.change(t, "h24")), "last_trade_timestamp": v.count(f.last.second),
	}
	if worth, known := t.capitalization(price, fallback); known {
		figures["market_cap_usd"] = v.dollars(worth)
	}
	for name, column := range columns {
		if figures[name] != nil || v.kind != sparse {
			column[t.address] = figures[name]
		}
	}
}
