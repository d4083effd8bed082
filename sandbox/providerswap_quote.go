package sandbox

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gagliardetto/solana-go"
)

type providerSwapV2Request struct {
	Source      string  `query:"src_mint,required"`
	Destination string  `query:"dst_mint,required"`
	Amount      uint64  `query:"amount_in,required"`
	Slippage    uint64  `query:"slippage_bps,required" max:"10000"`
	User        *string `query:"user_account"`
}

// providerSwapHops is how many pools a route passes at most.
const providerSwapHops = 3

// providerSwapUnits is what a transaction may use.
const providerSwapUnits = 300_000

// quoteV2 finds the best route, or two that share the trade, over all
// providers. The types of the amounts and the names in a step are not
// documented: they take turns.
func (p *providerSwap) quoteV2(c *call, in providerSwapV2Request) (any, error) {
	from, to, err := p.pair(in.Source, in.Destination)
	if err != nil {
		return nil, err
	}
	q, ok := p.book.quote(poolRequest{from: from, to: to, amount: in.Amount, hops: providerSwapHops, split: true})
	if !ok {
		return nil, providerSwapNoRoute()
	}
	shape, least := c.shape(2), q.limit(in.Slippage)
	answer := map[string]any{
		"srcAmountIn": providerSwapNumber(q.in, shape), "destAmountOut": providerSwapNumber(q.out, shape),
		"destAmountOutMin": providerSwapNumber(least, shape), "routePlan": providerSwapPlan(q, shape), "priceImpactPct": q.percent(),
	}
	if shape == 1 {
		answer["priceImpactPct"] = json.Number(q.percent())
	}
	if in.User == nil {
		return answer, nil
	}
	owner, err := c.key(*in.User, "user_account")
	if err != nil {
		return nil, err
	}
	t := &poolTrade{service: ProviderSwap, owner: owner, quote: q, limit: least}
	tx, err := p.build(ProviderSwap, unsigned{
		owner: owner, unitLimit: providerSwapUnits, tables: []solana.PublicKey{p.book.table(ProviderSwap)},
		instructions: p.book.around(t, poolWrap{wrap: true, unwrap: true}),
	})
	if err != nil {
		return nil, err
	}
	answer["txn"] = tx.base64()
	return answer, nil
}

// pair reads two mints, which may be the same one.
func (p *providerSwap) pair(source, destination string) (from, to Token, err error) {
	from, ok := p.book.traded(source)
	if !ok {
		return from, to, refuse(http.StatusBadRequest, "", "unknown input token")
	}
	to, ok = p.book.traded(destination)
	if !ok {
		return from, to, refuse(http.StatusBadRequest, "", "unknown output token")
	}
	return from, to, nil
}

func providerSwapNoRoute() error {
	return refuse(http.StatusBadRequest, "", "no route for the pair and amount")
}

// providerSwapNumber is an amount as a string or as a number.
func providerSwapNumber(n uint64, shape int) any {
	text := strconv.FormatUint(n, 10)
	if shape == 0 {
		return text
	}
	return json.Number(text)
}

// providerSwapPlan lists the steps: a provider and its share of the trade.
func providerSwapPlan(q *poolQuote, shape int) []map[string]any {
	plan := []map[string]any{}
	for _, r := range q.routes {
		for _, l := range r.legs {
			step := map[string]any{"provider": l.pool.venue.slug, "percent": r.share}
			if shape == 1 {
				step = map[string]any{"swapInfo": map[string]any{
					"provider": l.pool.venue.slug, "pool": l.pool.address, "inputMint": l.from().Mint, "outputMint": l.to().Mint,
				}, "percent": r.share}
			}
			plan = append(plan, step)
		}
	}
	return plan
}

type providerSwapV1Request struct {
	From     string  `query:"fromMint,required"`
	To       string  `query:"toMint,required"`
	Amount   uint64  `query:"amount,required"`
	Slippage uint64  `query:"slippage,required" max:"10000"`
	Provider string  `query:"provider,required"`
	Pool     *string `query:"pool"`
}

// quoteV1 quotes one provider, in a shape that is not documented.
func (p *providerSwap) quoteV1(c *call, in providerSwapV1Request) (any, error) {
	q, err := p.price(in)
	if err != nil {
		return nil, err
	}
	shape := c.shape(2)
	quote := providerSwapQuote(q, in.Provider, q.limit(in.Slippage), shape)
	if shape == 1 {
		return map[string]any{"success": true, "data": quote}, nil
	}
	return quote, nil
}

// price prices a trade with one provider, or with one pool of its.
func (p *providerSwap) price(in providerSwapV1Request) (*poolQuote, error) {
	from, to, err := p.pair(in.From, in.To)
	if err != nil {
		return nil, err
	}
	venue, ok := p.book.venue(in.Provider)
	if !ok {
		return nil, refuse(http.StatusBadRequest, "", "unknown provider")
	}
	r := poolRequest{from: from, to: to, amount: in.Amount, hops: providerSwapHops, admit: func(x *pool) bool { return x.venue == venue }}
	if in.Pool != nil {
		chosen, ok := p.book.pool(*in.Pool)
		if !ok || chosen.venue != venue {
			return nil, refuse(http.StatusBadRequest, "", "the provider has no such pool")
		}
		r.hops, r.admit = 1, func(x *pool) bool { return x == chosen }
	}
	q, ok := p.book.quote(r)
	if !ok {
		return nil, providerSwapNoRoute()
	}
	return q, nil
}

func providerSwapQuote(q *poolQuote, provider string, least uint64, shape int) map[string]any {
	if shape == 0 {
		return map[string]any{
			"provider": provider, "fromMint": q.from.Mint, "toMint": q.to.Mint, "inAmount": q.in, "outAmount": q.out,
			"minOutAmount": least, "priceImpactPct": json.Number(q.percent()),
		}
	}
	return map[string]any{
		"dex": provider, "amountIn": strconv.FormatUint(q.in, 10), "amountOut": strconv.FormatUint(q.out, 10),
		"amountOutMin": strconv.FormatUint(least, 10), "priceImpact": q.percent(),
	}
}

type providerSwapAllRequest struct {
	From     string `query:"fromMint,required"`
	To       string `query:"toMint,required"`
	Amount   uint64 `query:"amount,required"`
	Slippage uint64 `query:"slippage,required" max:"10000"`
}

// quoteAll compares the providers: a list of those that can, the best first,
// or an object by slug in which those that cannot have an error.
func (p *providerSwap) quoteAll(c *call, in providerSwapAllRequest) (any, error) {
	if _, _, err := p.pair(in.From, in.To); err != nil {
		return nil, err
	}
	shape := c.shape(2)
	list, byProvider := []any{}, map[string]any{}
	best := uint64(0)
	for _, v := range p.book.venues {
		q, err := p.price(providerSwapV1Request{From: in.From, To: in.To, Amount: in.Amount, Slippage: in.Slippage, Provider: v.slug})
		if err != nil {
			byProvider[v.slug] = map[string]string{"error": err.Error()}
			continue
		}
		quote := providerSwapQuote(q, v.slug, q.limit(in.Slippage), shape)
		byProvider[v.slug] = quote
		if q.out > best {
			best = q.out
			list = append([]any{quote}, list...)
		} else {
			list = append(list, quote)
		}
	}
	if shape == 0 {
		return map[string]any{"quotes": list}, nil
	}
	return byProvider, nil
}
