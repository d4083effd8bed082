package leverage

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// QuoteRequest describes a position to open.
type QuoteRequest struct {
	Offer            string            `json:"offerPublicKey"`          // address of the offer; required
	Owner            string            `json:"userPublicKey"`           // wallet that opens; required
	CollateralAmount walletfi.Amount   `json:"collateralAmount,string"` // smallest units; more than 0
	Leverage         walletfi.Decimal  `json:"leverage"`                // more than 0, at most the offer's MaxLeverage
	Slippage         walletfi.Slippage `json:"slippageBps"`             // 0 to 10,000 basis points; required
}

// QuoteOpen previews opening a position: expected output, fees and risk. The
// field names of the answer are not documented.
//
// POST /api/v1/positions/quote. It moves nothing: safe to retry.
func (c *Client) QuoteOpen(
	ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption,
) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "QuoteOpen", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Open(transport.NoNames),
		Path:   transport.Path("/api/v1/positions/quote"), Body: req, Invalid: req.problem(),
	}, opts)
}

func (r QuoteRequest) problem() error {
	return check.All(
		check.Required("offerPublicKey", r.Offer),
		check.Required("userPublicKey", r.Owner),
		check.Positive("collateralAmount", r.CollateralAmount),
		check.That(r.Leverage.Sign() > 0, "leverage", "must be more than 0"),
		check.That(r.Leverage.IsZero() || r.Leverage.Plain() != "", "leverage", "must not take more than 1,000 digits"),
		check.Slippage("slippageBps", r.Slippage),
	)
}

// OpenRequest describes the opening of a position.
type OpenRequest struct {
	QuoteRequest
	TipLamports walletfi.Amount `json:"relayTipLamports" asked:"-"` // 0 means no tip; see GetBundleTip

	// CollateralMint is the mint of CollateralAmount. It is not sent. Empty declares no
	// spend, which the signing guard refuses if a simulation shows one, or the bytes do.
	CollateralMint string `json:"-"`
}

// MarshalJSON writes the request's body, in which the tip is a number.
func (r OpenRequest) MarshalJSON() ([]byte, error) {
	type fields OpenRequest
	return json.Marshal(struct {
		fields
		Tip uint64 `json:"relayTipLamports"`
	}{fields(r), uint64(r.TipLamports)})
}

// BuildOpen builds the unsigned transaction that opens a position.
//
// POST /api/v1/positions/open. It moves nothing: safe to retry.
func (c *Client) BuildOpen(ctx context.Context, req OpenRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return c.build(ctx, "BuildOpen", transport.Path("/api/v1/positions/open"), req, opts)
}

func (r OpenRequest) intent() walletfi.Intent {
	return intent(r.Owner, r.TipLamports, asset(r.CollateralMint, r.CollateralAmount)...)
}
