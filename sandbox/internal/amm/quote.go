package amm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

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

type step struct {
	PoolID     string  `json:"poolId"`
	InputMint  string  `json:"inputMint"`
	OutputMint string  `json:"outputMint"`
	FeeMint    string  `json:"feeMint"`
	FeeRate    float64 `json:"feeRate"` // basis points
	FeeAmount  string  `json:"feeAmount"`
}

type quoteAnswer struct {
	InputMint            string `json:"inputMint"`
	OutputMint           string `json:"outputMint"`
	InAmount             string `json:"inAmount"`
	OutAmount            string `json:"outAmount"`
	OtherAmountThreshold string `json:"otherAmountThreshold"`
	PriceImpactPct       any    `json:"priceImpactPct"`
	RoutePlan            []step `json:"routePlan"`
	QuoteID              string `json:"quoteId"` // not documented
}

func (a *Service) computeIn(c *kit.Call, in computeRequest) any {
	return a.compute(c, in, false)
}

func (a *Service) computeOut(c *kit.Call, in computeRequest) any {
	return a.compute(c, in, true)
}

// compute answers a quote whose bytes must come back as they are. Its impact is
// a string; with Config.Drift, in turn, a number.
func (a *Service) compute(c *kit.Call, in computeRequest, exactOut bool) any {
	q := a.price(in, exactOut)
	form := c.Shape(market.Disguises)
	answer := quoteAnswer{
		InputMint: in.InputMint, OutputMint: in.OutputMint, InAmount: strconv.FormatUint(q.In, 10),
		OutAmount:            strconv.FormatUint(q.Out, 10),
		OtherAmountThreshold: strconv.FormatUint(q.limit, 10), PriceImpactPct: q.Percent(), QuoteID: c.RequestID,
	}
	if form == 1 && c.Config.Drift {
		answer.PriceImpactPct = json.Number(q.Percent())
	}
	for _, l := range q.Legs() {
		answer.RoutePlan = append(answer.RoutePlan, step{
			l.Pool.Address.String(), l.From().Mint, l.To().Mint, l.From().Mint,
			float64(l.Pool.FeeRate()) / 100, strconv.FormatUint(l.Fee, 10),
		})
	}
	data := market.Disguise(answer, form)
	whole := slices.Concat([]byte(`{"id":"`+c.RequestID+`","success":true,"version":"V1","data": `), data, []byte("}\n"))
	a.quotes.Keep(data, q)
	a.quotes.Keep(whole, q)
	return kit.Reply{Raw: whole}
}

func (a *Service) price(in computeRequest, exactOut bool) *quote {
	from, ok := a.book.Traded(in.InputMint)
	if !ok {
		panic(a.refuse(invalidMint))
	}
	to, ok := a.book.Traded(in.OutputMint)
	if !ok {
		panic(a.refuse(invalidMint))
	}
	q, ok := a.book.Quote(market.Request{
		From:     from,
		To:       to,
		Amount:   in.Amount,
		ExactOut: exactOut,
		Hops:     hops,
		Admit:    own,
	})
	if !ok || from.Key == to.Key {
		panic(a.refuse(noRoute))
	}
	return &quote{q, q.Limit(uint64(in.SlippageBps)), in.Format}
}

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
