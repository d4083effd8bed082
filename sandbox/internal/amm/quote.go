package amm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

type computeRequest struct {
	InputMint   string  `query:"inputMint,required" form:"key"`
	OutputMint  string  `query:"outputMint,required" form:"key"`
	Amount      uint64  `query:"amount,required"`
	SlippageBps float64 `query:"slippageBps,required" max:"10000"`
	Format      format  `query:"txVersion,required" oneof:"V0 LEGACY"`
}

// quote is a quote that was served, by which kind of route and for which
// format.
type quote struct {
	*market.Quote
	limit  uint64
	format format
}

// hops is how many pools a route passes at most.
const hops = 3

func (a *Service) computeIn(c *kit.Call, in computeRequest) any { return a.compute(c, in, false) }

func (a *Service) computeOut(c *kit.Call, in computeRequest) any { return a.compute(c, in, true) }

// compute answers a quote whose bytes must come back as they are. Its impact is
// a string; with Config.Drift, in turn, a number.
func (a *Service) compute(c *kit.Call, in computeRequest, exactOut bool) any {
	q := a.price(in, exactOut)
	form := c.Shape(market.Disguises)
	answer := map[string]any{
		"inputMint": in.InputMint, "outputMint": in.OutputMint, "inAmount": text(q.In), "outAmount": text(q.Out),
		"otherAmountThreshold": text(q.limit), "priceImpactPct": q.Percent(), "quoteId": c.RequestID, // not documented
	}
	if form == 1 && c.Config.Drift {
		answer["priceImpactPct"] = json.Number(q.Percent())
	}
	answer["routePlan"] = kit.List(q.Legs(), func(l market.Leg) any {
		return map[string]any{
			"poolId": l.Pool.Address, "inputMint": l.From().Mint, "outputMint": l.To().Mint, "feeMint": l.From().Mint,
			"feeRate": float64(l.Pool.FeeRate()) / 100, "feeAmount": text(l.Fee), // basis points
		}
	})
	data := market.Disguise(answer, form)
	whole := slices.Concat([]byte(`{"id":"`+c.RequestID+`","success":true,"version":"V1","data": `), data, []byte("}\n"))
	a.quotes.Keep(data, q)
	a.quotes.Keep(whole, q)
	return kit.Reply{Raw: whole}
}

func (a *Service) price(in computeRequest, exactOut bool) *quote {
	from, to := a.traded(in.InputMint), a.traded(in.OutputMint)
	q, ok := a.book.Quote(market.Request{
		From: from, To: to, Amount: in.Amount, ExactOut: exactOut, Hops: hops, Admit: own,
	})
	if !ok || from.Key == to.Key {
		panic(a.refuse(noRoute))
	}
	return &quote{q, q.Limit(uint64(in.SlippageBps)), in.Format}
}

func (a *Service) traded(mint string) build.Token {
	t, ok := a.book.Traded(mint)
	if !ok {
		panic(a.refuse(invalidMint))
	}
	return t
}

func text(n uint64) string { return strconv.FormatUint(n, 10) }

// own admits the pools that the service routes over.
func own(p *market.Pool) bool { return p.Venue.Slug == market.AMMVenue }

// quoteLife is how long a quote is of use. It is undocumented.
const quoteLife = 10 * time.Minute

// echoed finds the returned quote. A correct client returns it unchanged, to the route
// of the same kind and for the same format.
func (a *Service) echoed(c *kit.Call, in transactionRequest, exactOut bool) *quote {
	q, fresh, known := a.quotes.Find(in.Quote)
	kit.BadIf(known && !fresh, "the quote is too old")
	isEnvelope := false
	if known {
		var envelope struct {
			Success *bool `json:"success"`
		}
		isEnvelope = json.Unmarshal(in.Quote, &envelope) == nil && envelope.Success != nil
	}
	problem := ""
	switch {
	case !known:
		problem = "swapResponse is not, " + a.quotes.Same() + ", what was served"
	case isEnvelope != a.wholeEnvelope:
		problem = "swapResponse is the envelope where its data is wanted, or the other way round"
	case q.ExactOut != exactOut:
		problem = "swapResponse is a quote of the other kind"
	case q.format != in.Format:
		problem = fmt.Sprintf("swapResponse is a quote for %s", q.format)
	default:
		return q
	}
	c.Violate(problem)
	panic(kit.Bad("%s", problem))
}
