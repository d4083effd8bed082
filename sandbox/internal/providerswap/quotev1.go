package providerswap

import (
	"encoding/json"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

type allRequest struct {
	From     string     `query:"fromMint,required" form:"key"`
	To       string     `query:"toMint,required" form:"key"`
	Amount   uint64     `query:"amount,required"`
	Slippage kit.Number `query:"slippage,required" open:"whether it is whole" max:"10000"`
}

type v1Request struct {
	allRequest
	Provider string  `query:"provider,required" open:"a slug"`
	Pool     *string `query:"pool" form:"key"`
}

// quoteV1 quotes one provider, in a shape that is not documented.
func (p *Service) quoteV1(c *kit.Call, in v1Request) any {
	q := p.price(in)
	shape := c.Shape(2)
	quote := quote(q, in.Provider, q.Limit(uint64(in.Slippage)), shape)
	if shape == 1 {
		return map[string]any{"success": true, "data": quote}
	}
	return quote
}

// price prices a trade with one provider, or with one pool of its.
func (p *Service) price(in v1Request) *market.Quote {
	from, to := p.pair(in.From, in.To)
	venue, ok := p.book.Venue(in.Provider)
	kit.BadIf(!ok, "unknown provider")
	r := market.Request{From: from, To: to, Amount: in.Amount, Hops: hops}
	r.Admit = func(x *market.Pool) bool { return x.Venue == venue }
	if in.Pool != nil {
		chosen, ok := p.book.Pool(*in.Pool)
		kit.BadIf(!ok || chosen.Venue != venue, "the provider has no such pool")
		r.Hops, r.Admit = 1, func(x *market.Pool) bool { return x == chosen }
	}
	return p.book.Best(r)
}

func quote(q *market.Quote, provider string, least uint64, shape int) map[string]any {
	if shape == 0 {
		return map[string]any{
			"provider": provider, "fromMint": q.From.Mint, "toMint": q.To.Mint, "inAmount": q.In, "outAmount": q.Out,
			"minOutAmount": least, "priceImpactPct": json.Number(q.Percent()),
		}
	}
	return map[string]any{
		"dex": provider, "amountIn": strconv.FormatUint(q.In, 10), "amountOut": strconv.FormatUint(q.Out, 10),
		"amountOutMin": strconv.FormatUint(least, 10), "priceImpact": q.Percent(),
	}
}

// quoteAll compares the providers: a list of those that can, the best first,
// or an object by slug in which those that cannot have an error.
func (p *Service) quoteAll(c *kit.Call, in allRequest) any {
	p.pair(in.From, in.To)
	shape := c.Shape(2)
	list, byProvider := []any{}, map[string]any{}
	best := uint64(0)
	for _, v := range p.book.Venues {
		var q *market.Quote
		err := kit.Attempt(func() { q = p.price(v1Request{allRequest: in, Provider: v.Slug}) })
		if err != nil {
			byProvider[v.Slug] = map[string]string{"error": err.Error()}
			continue
		}
		quote := quote(q, v.Slug, q.Limit(uint64(in.Slippage)), shape)
		byProvider[v.Slug] = quote
		if q.Out > best {
			best = q.Out
			list = append([]any{quote}, list...)
		} else {
			list = append(list, quote)
		}
	}
	if shape == 0 {
		return map[string]any{"quotes": list}
	}
	return byProvider
}
