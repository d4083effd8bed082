package providerswap

import (
	"context"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// QuoteRequest describes a swap for version 2 to quote. The two mints may be
// the same.
type QuoteRequest struct {
	InputMint  string            `url:"src_mint" asked:"SrcMint"`   // token to give, base58; required
	OutputMint string            `url:"dst_mint" asked:"DstMint"`   // token to get, base58; required
	Amount     walletfi.Amount   `url:"amount_in" asked:"AmountIn"` // of InputMint; more than 0
	Slippage   walletfi.Slippage `url:"slippage_bps"`               // 0 to 10,000 bps; required; see MajorSlippageMax
}

// Quote is the expected result of a swap over the best route.
type Quote struct {
	InAmount       walletfi.Amount  `json:"srcAmountIn" wire:"present"`
	OutAmount      walletfi.Amount  `json:"destAmountOut" wire:"present"`                    // estimated
	MinOutAmount   walletfi.Amount  `json:"destAmountOutMin" wire:"present"`                 // after slippage
	PriceImpactPct walletfi.Decimal `json:"priceImpactPct" wire:"strict,said,min=0,max=100"` // percent
	RoutePlan      []RouteStep      `json:"routePlan" wire:"strict"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// RouteStep is a provider's part in a route. Its field names are not
// documented: the typed fields are looked up under usual names, and everything
// is in Raw.
type RouteStep struct {
	Provider Provider
	Percent  walletfi.Decimal `wire:"free"` // of the amount that this step swaps
	Raw      walletfi.Document
}

// UnmarshalJSON keeps the step as it arrived in Raw. What is no object, or an empty one, is no step.
func (s *RouteStep) UnmarshalJSON(b []byte) error {
	if object, _ := wire.Members(b); len(object) == 0 {
		return errNoStep
	}
	found := search(b)
	*s = RouteStep{
		Provider: Provider(found.text("swapprovider", "provider", "providername", "dex", "venue", "name")),
		Percent:  found.percent("percent", "percentage", "pct", "share"),
		Raw:      clone(b),
	}
	return nil
}

var errNoStep = errors.New("a step of a route must be an object")

// MarshalJSON returns the step as it arrived.
func (s RouteStep) MarshalJSON() ([]byte, error) { return s.Raw.MarshalJSON() }

// GetQuote quotes a swap of exactly req.Amount over all providers.
//
// GET /api/v2/quote.
func (c *Client) GetQuote(ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption) (*Quote, error) {
	return transport.Do[Quote](ctx, c.made().t, transport.Call{
		Op: "GetQuote", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("srcAmountIn:number", "destAmountOut:number", "destAmountOutMin:number"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/api/v2/quote"), Query: req, Invalid: req.problem(),
	}, opts)
}

// mismatch holds a quote, and its floor, against the request.
func (r QuoteRequest) mismatch(q *Quote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, step := range q.RoutePlan {
		found := search(step.Raw)
		steps[i] = echo.Step{In: found.text(fromNames...), Out: found.text(toNames...)}
	}
	return echo.All(
		echo.Amount("srcAmountIn", r.Amount, q.InAmount),
		echo.Route("routePlan", r.InputMint, r.OutputMint, steps),
		slippage.Floors(slippage.Stated{Field: "destAmountOut", Amount: q.OutAmount},
			slippage.Least(q.OutAmount, r.Slippage),
			slippage.Stated{Field: "destAmountOutMin", Amount: q.MinOutAmount}),
	)
}

func (r QuoteRequest) problem() error {
	return check.All(
		check.Address("src_mint", r.InputMint),
		check.Address("dst_mint", r.OutputMint),
		check.Positive("amount_in", r.Amount),
		check.Slippage("slippage_bps", r.Slippage),
	)
}
