package burnclose

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BurnRequest describes an asset to burn.
type BurnRequest struct {
	Owner   string `json:"userPublicKey"` // wallet that holds the asset and signs, base58; required
	AssetID string `json:"assetId"`       // asset to burn; required

	// BurnAmount is in the asset's atomic units, more than 0. Nil burns the whole
	// balance.
	BurnAmount *walletfi.Amount `json:"burnAmount,omitempty,string"`
	// AutoCloseTokenAccounts closes accounts that the burn leaves empty. Nil lets
	// the service decide.
	AutoCloseTokenAccounts *bool `json:"autoCloseTokenAccounts,omitempty"`

	Terms
}

// BuildBurn builds the unsigned transaction that burns an asset.
//
// POST /burn. It moves nothing: safe to retry.
func (c *Client) BuildBurn(ctx context.Context, req BurnRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return build(ctx, c, "BuildBurn", transport.Path("/burn"), req, opts)
}

// PreviewBurn returns what a burn would cost and reclaim.
//
// POST /burn/preview. It moves nothing: safe to retry.
func (c *Client) PreviewBurn(ctx context.Context, req BurnRequest, opts ...walletfi.CallOption) (*Preview, error) {
	held := transport.Echo(func(p *Preview) error { return p.mismatch(req.AssetID, req.BurnAmount) })
	return preview[Preview](ctx, c, "PreviewBurn", transport.Path("/burn/preview"), req, held, opts)
}

// BuildBurnInstructions builds the instructions of a burn, for a transaction
// that the caller assembles.
//
// POST /burn-instructions. It moves nothing: safe to retry.
func (c *Client) BuildBurnInstructions(
	ctx context.Context, req BurnRequest, opts ...walletfi.CallOption,
) (*Instructions, error) {
	return buildInstructions(ctx, c, "BuildBurnInstructions", transport.Path("/burn-instructions"), req, opts)
}

func (r BurnRequest) problem() error {
	return check.All(
		check.Address("userPublicKey", r.Owner),
		check.Required("assetId", r.AssetID),
		check.That(r.BurnAmount == nil || *r.BurnAmount > 0, "burnAmount",
			"must be more than 0; without one the whole balance is burned"),
		r.Terms.problem(),
	)
}

func (r BurnRequest) intent(reclaimed Reclaimed) walletfi.Intent {
	i := r.Terms.intent(r.Owner, 1, reclaimed)
	i.Asked = asking.Of(r)
	if r.BurnAmount != nil {
		i.Burn = []walletfi.Asset{{Mint: r.AssetID, Amount: *r.BurnAmount}}
	} else {
		i.BurnAll = []string{r.AssetID}
	}
	if r.AutoCloseTokenAccounts == nil || *r.AutoCloseTokenAccounts {
		i.CloseAccounts = []string{r.AssetID}
	}
	return i
}
