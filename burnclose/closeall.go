package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// CloseAllRequest asks for a wallet's closable accounts, or for a stretch of
// them.
type CloseAllRequest struct {
	Owner  string `json:"userPublicKey"`   // wallet that owns the accounts and signs, base58; required
	Offset int    `json:"offset,omitzero"` // accounts to pass over
	Limit  int    `json:"limit,omitzero"`  // accounts at most; 0 leaves it to the service

	Terms
}

// BuildCloseAll builds the unsigned transactions that close a wallet's
// accounts. What they close is gone from the list afterwards, which shifts the
// offsets of the rest: CloseAll takes care of that.
//
// POST /batch/close-all. It moves nothing: safe to retry.
func (c *Client) BuildCloseAll(ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption) (*CloseAllTransactions, error) {
	built, err := transport.Do[CloseAllTransactions](ctx, c.t, transport.Call{
		Op: "BuildCloseAll", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/batch/close-all"), Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent(len(built.Transactions)*maxAccountsPerTransaction, built.Reclaimed)
	return built, nil
}

// PreviewCloseAll says which accounts can be closed and what that would cost
// and reclaim.
//
// POST /batch/close-all/preview. It moves nothing: safe to retry.
func (c *Client) PreviewCloseAll(ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption) (*CloseAllPreview, error) {
	return transport.Do[CloseAllPreview](ctx, c.t, transport.Call{
		Op: "PreviewCloseAll", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/batch/close-all/preview"), Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
}

// SummarizeCloseAll counts a wallet's closable accounts and adds up what they
// would bring back.
//
// POST /batch/close-all/summary. It moves nothing: safe to retry.
func (c *Client) SummarizeCloseAll(ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption) (*CloseAllSummary, error) {
	return transport.Do[CloseAllSummary](ctx, c.t, transport.Call{
		Op: "SummarizeCloseAll", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/batch/close-all/summary"), Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
}

// BuildCloseAllInstructions builds the instructions that close a wallet's
// accounts, grouped by account.
//
// POST /batch/close-all-instructions. It moves nothing: safe to retry.
func (c *Client) BuildCloseAllInstructions(ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption) (*CloseAllInstructions, error) {
	built, err := transport.Do[CloseAllInstructions](ctx, c.t, transport.Call{
		Op: "BuildCloseAllInstructions", Effect: transport.Build, Method: http.MethodPost,
		Path: transport.Path("/batch/close-all-instructions"), Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.Intent = req.intent(len(built.Groups), built.Reclaimed)
	return built, nil
}

func (r CloseAllRequest) problem() error {
	return check.All(
		check.Address("userPublicKey", r.Owner),
		check.NotNegative("offset", r.Offset),
		check.NotNegative("limit", r.Limit),
		r.Terms.problem(),
	)
}

// intent allows for so many accounts, or for the request's own limit where that
// is less. The service's count has no say in it.
func (r CloseAllRequest) intent(accounts int, reclaimed Reclaimed) walletfi.Intent {
	if r.Limit > 0 {
		accounts = min(accounts, r.Limit)
	}
	return r.Terms.intent(r.Owner, uint64(accounts), reclaimed)
}
