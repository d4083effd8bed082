package sandbox

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

type swapQuoteRequest struct {
	InputMint       string        `query:"inputMint,required"`
	OutputMint      string        `query:"outputMint,required"`
	Amount          uint64        `query:"amount,required"`
	Slippage        *swapSlippage `query:"slippageBps"`
	Dexes           string        `query:"dexes"`
	ExcludeDexes    string        `query:"excludeDexes"`
	PlatformFeeBps  *uint64       `query:"platformFeeBps" max:"10000"`
	PlatformFeeMode string        `query:"platformFeeMode" oneof:"inputMint outputMint"`
	Sponsored       bool          `query:"sponsoredSwap"` // what a token withholds is taken off
	Destination     bool          `query:"destinationSwap"`
	Direct          bool          `query:"onlyDirectRoutes"`
	MaxRouteLength  *int          `query:"maxRouteLength" min:"1"`
	OnlyJIT         bool          `query:"onlyJitRoutes"`
	ForBundle       bool          `query:"forBundle"`
}

// swapQuote is a quote that was served.
type swapQuote struct {
	quote     *poolQuote
	fee       poolFee
	feeToken  Token
	least     uint64
	forBundle bool
	at        time.Time
}

// swapQuoteLife is how long a quote can be used.
const swapQuoteLife = 5 * time.Minute

// swapHops is how many pools a route passes at most where the caller says
// nothing.
const swapHops = 3

type swapStepAnswer struct {
	Venue              string `json:"venue"`
	MarketKey          string `json:"marketKey"`
	InputMint          string `json:"inputMint"`
	OutputMint         string `json:"outputMint"`
	InAmount           string `json:"inAmount"`
	OutAmount          string `json:"outAmount"`
	Data               string `json:"data,omitempty"`
	InputMintDecimals  *uint8 `json:"inputMintDecimals,omitempty"`
	OutputMintDecimals *uint8 `json:"outputMintDecimals,omitempty"`
}

type swapQuoteAnswer struct {
	InputMint            string           `json:"inputMint"`
	OutputMint           string           `json:"outputMint"`
	InAmount             string           `json:"inAmount"`
	OutAmount            string           `json:"outAmount"`
	MinOutAmount         string           `json:"minOutAmount"`
	OtherAmountThreshold string           `json:"otherAmountThreshold"`
	PriceImpactPct       string           `json:"priceImpactPct"`
	SlippageBps          uint64           `json:"slippageBps"`
	ContextSlot          uint64           `json:"contextSlot"`
	ForBundle            bool             `json:"forBundle"`
	RequestID            string           `json:"requestId"`
	SimulatedUnits       int              `json:"simulatedComputeUnits"`
	RoutePlan            []swapStepAnswer `json:"routePlan"`
	PlatformFee          *swapFeeAnswer   `json:"platformFee"`
}

type swapFeeAnswer struct {
	Amount string `json:"amount"`
	FeeBps uint64 `json:"feeBps"`
}

// quote answers bytes that must come back as they are: of two quotes one is
// full of white space.
func (w *swap) quote(c *call, in swapQuoteRequest) (any, error) {
	q, slippage, err := w.priceQuote(in)
	if err != nil {
		return nil, err
	}
	amounts := q.fee.of(q.quote, q.quote)
	out := w.book.promised(q.quote, q.fee)
	answer := swapQuoteAnswer{
		InputMint: in.InputMint, OutputMint: in.OutputMint, InAmount: swapText(in.Amount), OutAmount: swapText(out),
		MinOutAmount: swapText(q.least), OtherAmountThreshold: swapText(q.least), PriceImpactPct: q.quote.percent(),
		SlippageBps: slippage, ContextSlot: c.slot(), ForBundle: in.ForBundle, RequestID: c.requestID,
		SimulatedUnits: swapSimulatedUnits(len(q.quote.legs())), RoutePlan: swapSteps(q.quote, true),
	}
	if in.PlatformFeeBps != nil {
		answer.PlatformFee = &swapFeeAnswer{swapText(amounts.fee), *in.PlatformFeeBps}
	}
	raw := poolDisguise(answer, c.shape(poolDisguises))
	w.quotes.keep(raw, q)
	return reply{raw: raw}, nil
}

// priceQuote finds the route and what it must bring at least.
func (w *swap) priceQuote(in swapQuoteRequest) (*swapQuote, uint64, error) {
	from, to, err := w.pair(in.InputMint, in.OutputMint)
	if err != nil {
		return nil, 0, err
	}
	admit, err := w.admits(in)
	if err != nil {
		return nil, 0, err
	}
	q := &swapQuote{forBundle: in.ForBundle, at: w.now(), feeToken: to}
	amount := in.Amount
	if in.PlatformFeeBps != nil {
		q.fee.bps = *in.PlatformFeeBps
		if in.PlatformFeeMode == "inputMint" {
			q.fee = poolFee{input: poolShare(amount, q.fee.bps, 10_000)}
			q.feeToken = from
			amount -= q.fee.input
		}
	}
	hops := swapHops
	if in.MaxRouteLength != nil {
		hops = min(hops, *in.MaxRouteLength)
	}
	if in.Direct {
		hops = 1
	}
	var ok bool
	q.quote, ok = w.book.quote(poolRequest{from: from, to: to, amount: amount, hops: hops, gross: !in.Sponsored, admit: admit})
	if !ok {
		return nil, 0, refuse(http.StatusBadRequest, "", "no route for the pair and amount")
	}
	slippage := swapSlippageOf(in.Slippage, q.quote)
	q.least = poolShare(w.book.promised(q.quote, q.fee), 10_000-slippage, 10_000)
	return q, slippage, nil
}

// pair reads the two mints of a trade over pools.
func (w *swap) pair(input, output string) (from, to Token, err error) {
	from, ok := w.book.traded(input)
	if !ok {
		return from, to, refuse(http.StatusBadRequest, "", "inputMint is not a token that can be traded")
	}
	to, ok = w.book.traded(output)
	if !ok {
		return from, to, refuse(http.StatusBadRequest, "", "outputMint is not a token that can be traded")
	}
	if from.key == to.key {
		return from, to, refuse(http.StatusBadRequest, "", "inputMint and outputMint are the same")
	}
	return from, to, nil
}

// admits says which pools the caller lets the route pass.
func (w *swap) admits(in swapQuoteRequest) (func(*pool) bool, error) {
	include, err := w.named(in.Dexes)
	if err != nil {
		return nil, err
	}
	exclude, err := w.named(in.ExcludeDexes)
	if err != nil {
		return nil, err
	}
	return func(p *pool) bool {
		return (len(include) == 0 || slices.Contains(include, p.venue)) && !slices.Contains(exclude, p.venue) &&
			(!in.OnlyJIT || p.venue.slug == poolJITVenue)
	}, nil
}

// named reads a list of venues, by id or by name.
func (w *swap) named(list string) (venues []*poolVenue, err error) {
	if list == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(w.book.venues, func(v *poolVenue) bool { return v.slug == name || v.name == name })
		if at < 0 {
			return nil, refuse(http.StatusBadRequest, "", "there is no venue %q", name)
		}
		venues = append(venues, w.book.venues[at])
	}
	return venues, nil
}

// swapSlippageOf is the caller's, or else what suits the pair and the trade's own
// impact.
func swapSlippageOf(s *swapSlippage, q *poolQuote) uint64 {
	if s != nil && s.bps != nil {
		return *s.bps
	}
	suits := uint64(50)
	if q.from.Symbol+q.to.Symbol == "USDCUSDT" || q.from.Symbol+q.to.Symbol == "USDTUSDC" {
		suits = 10
	}
	return min(suits+uint64(q.impact*10_000), 10_000)
}

// swapSteps writes the route, with more detail for a quote than for an order.
func swapSteps(q *poolQuote, detailed bool) []swapStepAnswer {
	steps := []swapStepAnswer{}
	for _, l := range q.legs() {
		step := swapStepAnswer{
			Venue: l.pool.venue.name, MarketKey: l.pool.address.String(), InputMint: l.from().Mint, OutputMint: l.to().Mint,
			InAmount: swapText(l.in), OutAmount: swapText(l.out),
		}
		if detailed {
			step.Data = base64.StdEncoding.EncodeToString(l.pool.address[:8])
			step.InputMintDecimals, step.OutputMintDecimals = new(l.from().Decimals), new(l.to().Decimals)
		}
		steps = append(steps, step)
	}
	return steps
}

func swapText(n uint64) string { return strconv.FormatUint(n, 10) }
