package swap

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

type quoteRequest struct {
	InputMint       string    `query:"inputMint,required" form:"key"`
	OutputMint      string    `query:"outputMint,required" form:"key"`
	Amount          uint64    `query:"amount,required"`
	Slippage        *slippage `query:"slippageBps"`
	Dexes           string    `query:"dexes" form:"words"`
	ExcludeDexes    string    `query:"excludeDexes" form:"words"`
	PlatformFeeBps  *uint64   `query:"platformFeeBps" max:"10000"`
	PlatformFeeMode string    `query:"platformFeeMode" oneof:"inputMint outputMint"`
	Sponsored       bool      `query:"sponsoredSwap"` // what a token withholds is taken off
	Destination     bool      `query:"destinationSwap"`
	Direct          bool      `query:"onlyDirectRoutes"`
	MaxRouteLength  *int      `query:"maxRouteLength"`
	OnlyJIT         bool      `query:"onlyJitRoutes"`
	ForBundle       bool      `query:"forBundle"`
}

// quote is a quote that was served.
type quote struct {
	quote     *market.Quote
	fee       market.Fee
	feeToken  build.Token
	least     uint64
	forBundle bool
}

// QuoteLife is how long a quote can be used.
const QuoteLife = 5 * time.Minute

// hops is the default for the most pools in a route.
const hops = 3

// quote answers bytes that must come back as they are: of two quotes one is
// full of white space.
func (w *Service) quote(c *kit.Call, in quoteRequest) any {
	q, slippage := w.priceQuote(in)
	amounts := q.fee.Of(q.quote, q.quote)
	out := w.book.Promised(q.quote, q.fee)
	answer := map[string]any{
		"inputMint": in.InputMint, "outputMint": in.OutputMint, "inAmount": text(in.Amount), "outAmount": text(out),
		"minOutAmount": text(q.least), "otherAmountThreshold": text(q.least), "priceImpactPct": q.quote.Percent(),
		"slippageBps": slippage, "contextSlot": c.CurrentSlot(), "forBundle": in.ForBundle, "requestId": c.RequestID,
		"simulatedComputeUnits": simulatedUnits(len(q.quote.Legs())), "routePlan": steps(q.quote, true), "platformFee": nil,
	}
	if in.PlatformFeeBps != nil {
		answer["platformFee"] = map[string]any{"amount": text(amounts.Fee), "feeBps": *in.PlatformFeeBps}
	}
	raw := market.Disguise(answer, c.Shape(market.Disguises))
	w.quotes.Keep(raw, q)
	return kit.Reply{Raw: raw}
}

// priceQuote finds the route and the least that it must pay.
func (w *Service) priceQuote(in quoteRequest) (*quote, uint64) {
	from, to := w.pair(in.InputMint, in.OutputMint)
	admit := w.admits(in)
	q := &quote{forBundle: in.ForBundle, feeToken: to}
	amount := in.Amount
	if in.PlatformFeeBps != nil {
		q.fee.Bps = *in.PlatformFeeBps
		if in.PlatformFeeMode == "inputMint" {
			q.fee = market.Fee{Input: market.Share(amount, q.fee.Bps, 10_000)}
			q.feeToken = from
			amount -= q.fee.Input
		}
	}
	hops := min(hops, kit.Or(in.MaxRouteLength, hops))
	if in.Direct {
		hops = 1
	}
	q.quote = w.book.Best(market.Request{
		From: from, To: to, Amount: amount, Hops: hops, Gross: !in.Sponsored, Admit: admit,
	})
	slippage := slippageOf(in.Slippage, q.quote)
	q.least = market.Share(w.book.Promised(q.quote, q.fee), 10_000-slippage, 10_000)
	return q, slippage
}

// pair reads the two mints of a trade over pools.
func (w *Service) pair(input, output string) (from, to build.Token) {
	from, ok := w.book.Traded(input)
	kit.BadIf(!ok, "inputMint is not a token that can be traded")
	to, ok = w.book.Traded(output)
	kit.BadIf(!ok, "outputMint is not a token that can be traded")
	kit.BadIf(from.Key == to.Key, "inputMint and outputMint are the same")
	return from, to
}

// admits says which pools the caller lets the route pass.
func (w *Service) admits(in quoteRequest) func(*market.Pool) bool {
	include := w.named(in.Dexes)
	exclude := w.named(in.ExcludeDexes)
	return func(p *market.Pool) bool {
		return (len(include) == 0 || slices.Contains(include, p.Venue)) && !slices.Contains(exclude, p.Venue) &&
			(!in.OnlyJIT || p.Venue.Slug == market.JITVenue)
	}
}

// named reads a list of venues, by id or by name.
func (w *Service) named(list string) (venues []*market.Venue) {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(w.book.Venues, func(v *market.Venue) bool { return v.Slug == name || v.Name == name })
		kit.BadIf(at < 0, "there is no venue %q", name)
		venues = append(venues, w.book.Venues[at])
	}
	return venues
}

// slippageOf returns the caller's slippage, or a default for the pair and the
// trade's price impact.
func slippageOf(s *slippage, q *market.Quote) uint64 {
	if s != nil && s.bps != nil {
		return *s.bps
	}
	suits := uint64(50)
	if q.From.Symbol+q.To.Symbol == "USDCUSDT" || q.From.Symbol+q.To.Symbol == "USDTUSDC" {
		suits = 10
	}
	return min(suits+uint64(q.Impact*10_000), 10_000)
}

// steps writes the route, with more detail for a quote than for an order.
func steps(q *market.Quote, detailed bool) []any {
	return kit.List(q.Legs(), func(l market.Leg) any {
		step := map[string]any{
			"venue": l.Pool.Venue.Name, "marketKey": l.Pool.Address, "inputMint": l.From().Mint,
			"outputMint": l.To().Mint, "inAmount": text(l.In), "outAmount": text(l.Out),
		}
		if detailed {
			step["data"] = base64.StdEncoding.EncodeToString(l.Pool.Address[:8])
			step["inputMintDecimals"], step["outputMintDecimals"] = l.From().Decimals, l.To().Decimals
		}
		return step
	})
}

func text(n uint64) string { return strconv.FormatUint(n, 10) }
