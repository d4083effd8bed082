package providerswap

import (
	"encoding/json"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type v2Request struct {
	Source      string  `query:"src_mint,required" form:"key"`
	Destination string  `query:"dst_mint,required" form:"key"`
	Amount      uint64  `query:"amount_in,required"`
	Slippage    uint64  `query:"slippage_bps,required" max:"10000"`
	User        *string `query:"user_account" form:"key"`
}

// hops is how many pools a route passes at most.
const hops = 3

// units is the compute limit of a transaction.
const units = 300_000

// quoteV2 finds the best route, or two that share the trade, over all
// providers. The types of the amounts and the names in a step are not
// documented: they take turns.
func (p *Service) quoteV2(c *kit.Call, in v2Request) any {
	from, to := p.pair(in.Source, in.Destination)
	q := p.book.Best(market.Request{From: from, To: to, Amount: in.Amount, Hops: hops, Split: true})
	shape, least := c.Shape(2), q.Limit(in.Slippage)
	answer := map[string]any{
		"srcAmountIn": number(q.In, shape), "destAmountOut": number(q.Out, shape),
		"destAmountOutMin": number(least, shape), "routePlan": plan(q, shape), "priceImpactPct": q.Percent(),
	}
	if shape == 1 {
		answer["priceImpactPct"] = json.Number(q.Percent())
	}
	if in.User == nil {
		return answer
	}
	owner := c.Key(*in.User, "user_account")
	t := &market.Trade{Service: play.ProviderSwap, Owner: owner, Quote: q, Limit: least}
	tx := p.Build(play.ProviderSwap, build.Unsigned{
		Owner: owner, UnitLimit: units, Tables: []solana.PublicKey{p.book.Table(play.ProviderSwap)},
		Instructions: p.book.Around(t, market.Wrap{Wrap: true, Unwrap: true}),
	})
	answer["txn"] = tx.Base64()
	return answer
}

// pair reads two mints, which may be the same one.
func (p *Service) pair(source, destination string) (from, to build.Token) {
	from, ok := p.book.Traded(source)
	kit.BadIf(!ok, "unknown input token")
	to, ok = p.book.Traded(destination)
	kit.BadIf(!ok, "unknown output token")
	return from, to
}

// number is an amount as a string or as a number.
func number(n uint64, shape int) any {
	text := strconv.FormatUint(n, 10)
	if shape == 0 {
		return text
	}
	return json.Number(text)
}

// plan lists the steps: a provider and its share of the trade.
func plan(q *market.Quote, shape int) []map[string]any {
	plan := []map[string]any{}
	for _, r := range q.Routes {
		for _, l := range r.Legs {
			step := map[string]any{"provider": l.Pool.Venue.Slug, "percent": r.Share}
			if shape == 1 {
				step = map[string]any{"swapInfo": map[string]any{
					"provider": l.Pool.Venue.Slug, "pool": l.Pool.Address, "inputMint": l.From().Mint, "outputMint": l.To().Mint,
				}, "percent": r.Share}
			}
			plan = append(plan, step)
		}
	}
	return plan
}
