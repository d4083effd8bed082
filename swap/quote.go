package swap

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// QuoteRequest describes a trade: exactly Amount of InputMint for OutputMint. A
// nil or zero field lets the service decide.
type QuoteRequest struct {
	InputMint  string            `url:"inputMint"`             // base58; required
	OutputMint string            `url:"outputMint"`            // base58; required; must differ from InputMint
	Amount     walletfi.Amount   `url:"amount"`                // of InputMint, smallest units; more than 0
	Slippage   walletfi.Slippage `url:"slippageBps,omitempty"` // basis points or auto

	DEXes        []string `url:"dexes,comma,omitempty"`        // venues to route over; see ListVenues
	ExcludeDEXes []string `url:"excludeDexes,comma,omitempty"` // venues to exclude

	PlatformFeeBps  *int            `url:"platformFeeBps,omitempty"`  // the caller's own fee, 0 to 10,000
	PlatformFeeMode PlatformFeeMode `url:"platformFeeMode,omitempty"` // the token in which it is taken

	SponsoredSwap    *bool `url:"sponsoredSwap,omitempty"`    // include the fees of extended tokens
	DestinationSwap  *bool `url:"destinationSwap,omitempty"`  // the output goes to a destination account
	OnlyDirectRoutes *bool `url:"onlyDirectRoutes,omitempty"` // routes of one step
	MaxRouteLength   *int  `url:"maxRouteLength,omitempty"`   // steps, 1 or more
	OnlyJITRoutes    *bool `url:"onlyJitRoutes,omitempty"`    // only venues that create liquidity on demand
	ForBundle        *bool `url:"forBundle,omitempty"`        // the transaction will be sent in a bundle
}

// Quote is the expected result of a trade. [Client.BuildSwap] and
// [Client.BuildSwapInstructions] send Raw back unchanged; the other fields are
// for reading.
type Quote struct {
	InputMint             string            `json:"inputMint" wire:"said"`
	OutputMint            string            `json:"outputMint" wire:"said"`
	InAmount              walletfi.Amount   `json:"inAmount" wire:"required"`
	OutAmount             walletfi.Amount   `json:"outAmount" wire:"required"`
	MinOutAmount          walletfi.Amount   `json:"minOutAmount" wire:"said,min=1"` // after slippage
	OtherAmountThreshold  walletfi.Amount   `json:"otherAmountThreshold" wire:"said,min=1"`
	PriceImpactPct        walletfi.Decimal  `json:"priceImpactPct" wire:"said,min=0,max=100"` // in the unit of the service
	Slippage              walletfi.Slippage `json:"slippageBps" wire:"strict,said"`
	ContextSlot           uint64            `json:"contextSlot" wire:"said"` // slot of the prices
	ForBundle             bool              `json:"forBundle" wire:"said"`
	RequestID             string            `json:"requestId"`
	SimulatedComputeUnits *uint64           `json:"simulatedComputeUnits" wire:"free"` // nil if not simulated
	RoutePlan             []QuoteRouteStep  `json:"routePlan"`
	PlatformFee           *PlatformFee      `json:"platformFee"` // nil if there is no platform fee

	// Raw is the quote as it arrived.
	Raw walletfi.Document `json:"-"`
	// ReceivedAt is when the quote arrived. A Freshness with a MaxAge refuses a quote
	// without it: set it for a quote that was unmarshalled from the service's JSON.
	ReceivedAt time.Time `json:"-"`

	from  stored.Origin
	clock walletfi.Clock // of the client that requested it, nil is real time
	asked *askedFor      // nil if it was unmarshalled from the service's JSON
}

// Age returns the time since the quote arrived, and false if that is unknown.
func (q *Quote) Age() (time.Duration, bool) {
	if q.ReceivedAt.IsZero() {
		return 0, false
	}
	return clock.Since(q.clock, q.ReceivedAt), true
}

// GetQuote returns the expected result of a trade. Build it with
// [Client.BuildSwap] while it is fresh.
//
// GET /quote.
func (c *Client) GetQuote(ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption) (*Quote, error) {
	call := quoteCall(req)
	var whole []byte
	opts = c.made().t.GoesBack(&call, &whole, opts)
	return transport.Do(ctx, c.made().t, call, opts, func(q *Quote, _, raw walletfi.Document) {
		q.Raw, q.ReceivedAt, q.asked = bytes.TrimSpace(raw), c.made().t.Now(), req.asked()
		q.clock, q.from = c.made().t.Clock(), c.made().t.Origin(whole)
	})
}

func quoteCall(req QuoteRequest) transport.Call {
	return transport.Call{
		Op: "GetQuote", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("inAmount:number", "outAmount:number", "minOutAmount:number|otherAmountThreshold:number"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/quote"), Query: req, Invalid: req.problem(),
	}
}

func (r QuoteRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		check.SlippageOrAuto("slippageBps", r.Slippage),
		check.Each("dexes", r.DEXes, listed),
		check.Each("excludeDexes", r.ExcludeDEXes, listed),
		check.RangeOf("platformFeeBps", r.PlatformFeeBps, 0, maxBps),
		check.OptionalOneOf("platformFeeMode", r.PlatformFeeMode, FeeInInputMint, FeeInOutputMint),
		check.That(r.MaxRouteLength == nil || *r.MaxRouteLength > 0, "maxRouteLength", "must be 1 or more"),
	)
}

// listed checks an item of a list that is joined by commas.
func listed(field, item string) error {
	return check.That(item != "" && !strings.Contains(item, ","), field, "must not be empty or hold a comma")
}

// trade returns the trade of the quote's request, or that of the quote itself
// if the request is not known, and the platform fee. Its minimum is the
// strictest of what the quote states and of the quoted output under the
// slippage that was asked for, or that the service chose.
func (q *Quote) trade() (t trade, feeBps int, mode PlatformFeeMode) {
	t = trade{
		in:  walletfi.Asset{Mint: q.InputMint, Amount: q.InAmount},
		out: walletfi.Asset{Mint: q.OutputMint, Amount: q.OutAmount},
		min: max(q.MinOutAmount, q.OtherAmountThreshold),
	}
	if bps, _ := q.Slippage.Bps(); bps > 0 { // 0 may stand for the service's own choice
		t.min = max(t.min, slippage.Least(q.OutAmount, q.Slippage))
	}
	if q.PlatformFee != nil {
		feeBps = q.PlatformFee.FeeBps
	}
	if r := q.asked; r != nil {
		t.in, t.out.Mint = walletfi.Asset{Mint: r.InputMint, Amount: r.Amount}, r.OutputMint
		t.min = max(t.min, slippage.Least(q.OutAmount, r.Slippage))
		feeBps, mode = 0, r.PlatformFeeMode
		if r.PlatformFeeBps != nil {
			feeBps = *r.PlatformFeeBps
		}
	}
	return t, feeBps, mode
}
