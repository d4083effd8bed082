package burnclose

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// CloseRequest describes a token account to close, which reclaims its deposit.
type CloseRequest struct {
	Owner   string `json:"userPublicKey"` // wallet that owns the account and signs, base58; required
	AssetID string `json:"assetId"`       // asset of the account; required

	Terms
}

// BuildClose builds the unsigned transaction that closes an account.
//
// POST /close. It moves nothing: safe to retry.
func (c *Client) BuildClose(ctx context.Context, req CloseRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return build(ctx, c, "BuildClose", transport.Path("/close"), req, opts)
}

// PreviewClose returns what closing an account would cost and reclaim.
//
// POST /close/preview. It moves nothing: safe to retry.
func (c *Client) PreviewClose(ctx context.Context, req CloseRequest, opts ...walletfi.CallOption) (*Preview, error) {
	held := transport.Echo(func(p *Preview) error { return p.mismatch(req.AssetID, nil) })
	return preview[Preview](ctx, c, "PreviewClose", transport.Path("/close/preview"), req, held, opts)
}

// BuildCloseInstructions builds the instructions that close an account, for a
// transaction that the caller assembles.
//
// POST /close-instructions. It moves nothing: safe to retry.
func (c *Client) BuildCloseInstructions(
	ctx context.Context, req CloseRequest, opts ...walletfi.CallOption,
) (*Instructions, error) {
	return buildInstructions(ctx, c, "BuildCloseInstructions", transport.Path("/close-instructions"), req, opts)
}

func (r CloseRequest) problem() error {
	return check.All(
		check.Address("userPublicKey", r.Owner),
		check.Required("assetId", r.AssetID),
		r.Terms.problem(),
	)
}

func (r CloseRequest) intent(reclaimed Reclaimed) walletfi.Intent {
	i := r.Terms.intent(r.Owner, 1, reclaimed)
	i.Asked = asking.Of(r)
	i.CloseAccounts = []string{r.AssetID}
	return i
}
