package swap

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// QuoteRequest describes a trade: exactly Amount of InputMint for OutputMint.
// A nil or zero field leaves the choice to the service.
type QuoteRequest struct {
	InputMint  string          `url:"inputMint"`             // base58; required
	OutputMint string          `url:"outputMint"`            // base58, another than InputMint; required
	Amount     walletfi.Amount `url:"amount"`                // of InputMint, smallest units; more than 0
	Slippage   Slippage        `url:"slippageBps,omitempty"` // basis points or auto

	Dexes        []string `url:"dexes,comma,omitempty"`        // venues to route over; see ListVenues
	ExcludeDexes []string `url:"excludeDexes,comma,omitempty"` // venues to pass over

	PlatformFeeBps  *int            `url:"platformFeeBps,omitempty"`  // the caller's own fee, 0 to 10,000
	PlatformFeeMode PlatformFeeMode `url:"platformFeeMode,omitempty"` // of which token it is taken

	SponsoredSwap    *bool `url:"sponsoredSwap,omitempty"`    // reckon with the fees of extended tokens
	DestinationSwap  *bool `url:"destinationSwap,omitempty"`  // the output goes to a destination account
	OnlyDirectRoutes *bool `url:"onlyDirectRoutes,omitempty"` // one step only
	MaxRouteLength   *int  `url:"maxRouteLength,omitempty"`   // steps, 1 or more
	OnlyJITRoutes    *bool `url:"onlyJitRoutes,omitempty"`    // venues with liquidity made on demand only
	ForBundle        *bool `url:"forBundle,omitempty"`        // the transaction will travel in a bundle
}

// Quote is what a trade would bring. BuildSwap and BuildSwapInstructions send
// Raw back as it is; the other fields are for reading.
type Quote struct {
	InputMint             string           `json:"inputMint"`
	OutputMint            string           `json:"outputMint"`
	InAmount              walletfi.Amount  `json:"inAmount" wire:"required"`
	OutAmount             walletfi.Amount  `json:"outAmount" wire:"required"`
	MinOutAmount          walletfi.Amount  `json:"minOutAmount"` // after slippage
	OtherAmountThreshold  walletfi.Amount  `json:"otherAmountThreshold"`
	PriceImpactPct        walletfi.Decimal `json:"priceImpactPct"`
	SlippageBps           int              `json:"slippageBps"`
	ContextSlot           uint64           `json:"contextSlot"` // that the prices are of
	ForBundle             bool             `json:"forBundle"`
	RequestID             string           `json:"requestId"`
	SimulatedComputeUnits uint64           `json:"simulatedComputeUnits"`
	RoutePlan             []QuoteRouteStep `json:"routePlan"`
	PlatformFee           *PlatformFee     `json:"platformFee"` // nil where there is none

	// Raw is the quote as it came.
	Raw walletfi.Document `json:"-"`
	// ReceivedAt is when it came, zero for a quote that was unmarshalled: set it
	// where that is known, since a Freshness with a MaxAge refuses a quote
	// without it.
	ReceivedAt time.Time `json:"-"`

	asked *QuoteRequest // nil for a quote that was unmarshalled
}

// UnmarshalJSON reads a quote that was stored, and keeps its bytes in Raw.
// It knows the documented words alone: of a quote in those of a Vocabulary, Raw
// still goes back as it must, but the fields, and with them what the guard
// knows of the trade, are empty.
func (q *Quote) UnmarshalJSON(b []byte) error {
	type fields Quote
	return transport.Keep(b, (*fields)(q), &q.Raw)
}

// MarshalJSON returns Raw. Note that json.Marshal compacts what it returns: to
// store a quote byte for byte, store Raw.
func (q Quote) MarshalJSON() ([]byte, error) {
	if q.Raw.IsZero() {
		return nil, errors.New("swap: a quote that did not come from the service is not marshalled")
	}
	return q.Raw, nil
}

// Age is how old the quote is, by the time that it came. It is false where
// that is not known.
func (q *Quote) Age() (time.Duration, bool) {
	if q.ReceivedAt.IsZero() {
		return 0, false
	}
	return time.Since(q.ReceivedAt), true
}

// GetQuote returns what a trade would bring, to be built with BuildSwap while
// it is fresh.
//
// GET /quote.
func (c *Client) GetQuote(ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption) (*Quote, error) {
	return transport.DoRaw(ctx, c.t, transport.Call{
		Op: "GetQuote", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/quote"), Query: req, Invalid: req.problem(),
	}, opts, func(q *Quote, raw walletfi.Document) {
		q.Raw, q.ReceivedAt, q.asked = bytes.TrimSpace(raw), time.Now(), &req
	})
}

func (r QuoteRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		r.Slippage.problem("slippageBps"),
		check.Each("dexes", r.Dexes, listed),
		check.Each("excludeDexes", r.ExcludeDexes, listed),
		check.RangeOf("platformFeeBps", r.PlatformFeeBps, 0, maxBps),
		check.OptionalOneOf("platformFeeMode", r.PlatformFeeMode, FeeInInputMint, FeeInOutputMint),
		check.That(r.MaxRouteLength == nil || *r.MaxRouteLength > 0, "maxRouteLength", "must be 1 or more"),
	)
}

// listed is the rule for an item of a list that is joined by commas.
func listed(field, item string) error {
	return check.That(item != "" && !strings.Contains(item, ","), field, "must not be empty or hold a comma")
}

// trade is what the quote's request asked for, or what the quote says where
// its request is not known, with the platform fee.
func (q *Quote) trade() (t trade, feeBps int, mode PlatformFeeMode) {
	t = trade{
		in:  walletfi.Asset{Mint: q.InputMint, Amount: q.InAmount},
		out: walletfi.Asset{Mint: q.OutputMint, Amount: q.OutAmount},
		min: q.MinOutAmount,
	}
	if t.min == 0 {
		t.min = q.OtherAmountThreshold
	}
	if q.PlatformFee != nil {
		feeBps = q.PlatformFee.FeeBps
	}
	if r := q.asked; r != nil {
		t.in, t.out.Mint = walletfi.Asset{Mint: r.InputMint, Amount: r.Amount}, r.OutputMint
		feeBps, mode = 0, r.PlatformFeeMode
		if r.PlatformFeeBps != nil {
			feeBps = *r.PlatformFeeBps
		}
	}
	return t, feeBps, mode
}
