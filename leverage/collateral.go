package leverage

import (
	"context"
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// AddCollateralRequest describes collateral to add to a position.
type AddCollateralRequest struct {
	Position         string          `json:"positionAddress"`            // required
	Owner            string          `json:"userPublicKey"`              // wallet that adds it; required
	CollateralAmount walletfi.Amount `json:"collateralAmount,string"`    // smallest units; more than 0
	TipLamports      walletfi.Amount `json:"relayTipLamports" asked:"-"` // 0 means no tip; see GetBundleTip

	// CollateralMint works as in OpenRequest.
	CollateralMint string `json:"-"`
}

// MarshalJSON writes the request's body, in which the tip is a number.
func (r AddCollateralRequest) MarshalJSON() ([]byte, error) {
	type fields AddCollateralRequest
	return json.Marshal(struct {
		fields
		Tip uint64 `json:"relayTipLamports"`
	}{fields(r), uint64(r.TipLamports)})
}

// BuildAddCollateral builds the unsigned transaction that adds collateral to a
// position.
//
// POST /api/v1/positions/add-collateral. It moves nothing: safe to retry.
func (c *Client) BuildAddCollateral(
	ctx context.Context, req AddCollateralRequest, opts ...walletfi.CallOption,
) (*Transaction, error) {
	return c.build(ctx, "BuildAddCollateral", transport.Path("/api/v1/positions/add-collateral"), req, opts)
}

func (r AddCollateralRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Positive("collateralAmount", r.CollateralAmount),
	)
}

func (r AddCollateralRequest) intent() walletfi.Intent {
	return intent(r.Owner, r.TipLamports, asset(r.CollateralMint, r.CollateralAmount)...)
}

// QuoteAddCollateral previews adding collateral. Neither the request nor the
// answer is documented: what BuildAddCollateral sends is the likely body.
//
// POST /api/v1/positions/add-collateral-quote. It moves nothing: safe to retry.
func (c *Client) QuoteAddCollateral(
	ctx context.Context, req AddCollateralRequest, opts ...walletfi.CallOption,
) (walletfi.Document, error) {
	path := transport.Path("/api/v1/positions/add-collateral-quote")
	return c.preview(ctx, "QuoteAddCollateral", path, req.Position, req, opts)
}
