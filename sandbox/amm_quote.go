package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

type ammComputeRequest struct {
	InputMint   string    `query:"inputMint,required"`
	OutputMint  string    `query:"outputMint,required"`
	Amount      uint64    `query:"amount,required"`
	SlippageBps float64   `query:"slippageBps,required" min:"0" max:"10000"`
	Format      ammFormat `query:"txVersion,required"`
}

// ammQuote is a quote that was served, by which kind of route and for which
// format.
type ammQuote struct {
	*poolQuote
	limit  uint64
	format ammFormat
}

// ammHops is how many pools a route passes at most.
const ammHops = 3

type ammStep struct {
	PoolID     string  `json:"poolId"`
	InputMint  string  `json:"inputMint"`
	OutputMint string  `json:"outputMint"`
	FeeMint    string  `json:"feeMint"`
	FeeRate    float64 `json:"feeRate"` // basis points
	FeeAmount  string  `json:"feeAmount"`
}

type ammQuoteAnswer struct {
	InputMint            string    `json:"inputMint"`
	OutputMint           string    `json:"outputMint"`
	InAmount             string    `json:"inAmount"`
	OutAmount            string    `json:"outAmount"`
	OtherAmountThreshold string    `json:"otherAmountThreshold"`
	PriceImpactPct       any       `json:"priceImpactPct"`
	RoutePlan            []ammStep `json:"routePlan"`
	QuoteID              string    `json:"quoteId"` // not documented
}

func (a *amm) computeIn(c *call, in ammComputeRequest) (any, error)  { return a.compute(c, in, false) }
func (a *amm) computeOut(c *call, in ammComputeRequest) (any, error) { return a.compute(c, in, true) }

// compute answers a quote whose bytes must come back as they are. Its impact is
// a string or, in turn, a number.
func (a *amm) compute(c *call, in ammComputeRequest, exactOut bool) (any, error) {
	q, err := a.price(in, exactOut)
	if err != nil {
		return nil, err
	}
	form := c.shape(poolDisguises)
	answer := ammQuoteAnswer{
		InputMint: in.InputMint, OutputMint: in.OutputMint, InAmount: strconv.FormatUint(q.in, 10), OutAmount: strconv.FormatUint(q.out, 10),
		OtherAmountThreshold: strconv.FormatUint(q.limit, 10), PriceImpactPct: q.percent(), QuoteID: c.requestID,
	}
	if form == 1 {
		answer.PriceImpactPct = json.Number(q.percent())
	}
	for _, l := range q.legs() {
		answer.RoutePlan = append(answer.RoutePlan, ammStep{
			l.pool.address.String(), l.from().Mint, l.to().Mint, l.from().Mint, float64(l.pool.feeRate()) / 100, strconv.FormatUint(l.fee, 10),
		})
	}
	data := poolDisguise(answer, form)
	whole := slices.Concat([]byte(`{"id":"`+c.requestID+`","success":true,"version":"V1","data": `), data, []byte("}\n"))
	a.quotes.keep(data, q)
	a.quotes.keep(whole, q)
	return reply{raw: whole}, nil
}

func (a *amm) price(in ammComputeRequest, exactOut bool) (*ammQuote, error) {
	from, ok := a.book.traded(in.InputMint)
	if !ok {
		return nil, a.refuse(ammMint)
	}
	to, ok := a.book.traded(in.OutputMint)
	if !ok {
		return nil, a.refuse(ammMint)
	}
	q, ok := a.book.quote(poolRequest{from: from, to: to, amount: in.Amount, exactOut: exactOut, hops: ammHops, admit: ammOwn})
	if !ok || from.key == to.key {
		return nil, a.refuse(ammNoRoute)
	}
	return &ammQuote{q, q.limit(uint64(in.SlippageBps)), in.Format}, nil
}

// ammOwn admits the pools that the service routes over.
func ammOwn(p *pool) bool { return p.venue.slug == poolAMMVenue }

// echoed finds the quote that came back. Changed by a byte, of the other kind,
// for another format: a correct client sends none of these.
func (a *amm) echoed(c *call, in ammTransactionRequest, exactOut bool) (*ammQuote, error) {
	q, ok := a.quotes.find(in.Quote)
	isEnvelope := false
	if ok {
		var envelope struct {
			Success *bool `json:"success"`
		}
		isEnvelope = json.Unmarshal(in.Quote, &envelope) == nil && envelope.Success != nil
	}
	problem := ""
	switch {
	case !ok:
		problem = "swapResponse is not, to the byte, what was served"
	case isEnvelope != a.wholeEnvelope:
		problem = "swapResponse is the envelope where its data is wanted, or the other way round"
	case q.exactOut != exactOut:
		problem = "swapResponse is a quote of the other kind"
	case q.format != in.Format:
		problem = fmt.Sprintf("swapResponse is a quote for %s", q.format)
	default:
		return q, nil
	}
	c.violate(problem)
	return nil, refuse(400, "", "%s", problem)
}
