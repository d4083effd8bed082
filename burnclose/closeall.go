package burnclose

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// CloseAllRequest selects all accounts of a wallet that can be closed, or a
// range of them.
type CloseAllRequest struct {
	Owner  string `json:"userPublicKey"`    // wallet that owns the accounts and signs, base58; required
	Offset *int   `json:"offset,omitempty"` // accounts to skip
	Limit  *int   `json:"limit,omitempty"`  // most accounts; nil lets the service decide

	Terms
}

// BuildCloseAll builds the unsigned transactions that close a wallet's
// accounts. Closed accounts leave the list, which shifts the offsets of the
// rest: [Client.CloseAll] handles that.
//
// POST /batch/close-all. It moves nothing: safe to retry.
func (c *Client) BuildCloseAll(
	ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption,
) (*CloseAllTransactions, error) {
	built, err := transport.Do[CloseAllTransactions](ctx, c.made().t, transport.Call{
		Op: "BuildCloseAll", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Lists("transactions"),
		Path:   transport.Path("/batch/close-all"), Body: req, Invalid: c.keyed(req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.all(built)
	return built, nil
}

// all is the intent of all transactions together.
func (r CloseAllRequest) all(t *CloseAllTransactions) walletfi.Intent {
	return r.intent(len(t.Transactions)*maxAccountsPerTransaction, t.Reclaimed)
}

// PreviewCloseAll returns which accounts can be closed, and what that would
// cost and reclaim.
//
// POST /batch/close-all/preview. It moves nothing: safe to retry.
func (c *Client) PreviewCloseAll(
	ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption,
) (*CloseAllPreview, error) {
	return preview[CloseAllPreview](ctx, c, "PreviewCloseAll", transport.Path("/batch/close-all/preview"), req, nil, opts)
}

// SummarizeCloseAll counts the accounts that can be closed and adds up what
// they would return.
//
// POST /batch/close-all/summary. It moves nothing: safe to retry.
func (c *Client) SummarizeCloseAll(
	ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption,
) (*CloseAllSummary, error) {
	path := transport.Path("/batch/close-all/summary")
	return preview[CloseAllSummary](ctx, c, "SummarizeCloseAll", path, req, nil, opts)
}

// BuildCloseAllInstructions builds the instructions that close a wallet's
// accounts, grouped by account.
//
// POST /batch/close-all-instructions. It moves nothing: safe to retry.
func (c *Client) BuildCloseAllInstructions(
	ctx context.Context, req CloseAllRequest, opts ...walletfi.CallOption,
) (*CloseAllInstructions, error) {
	built, err := transport.Do[CloseAllInstructions](ctx, c.made().t, transport.Call{
		Op: "BuildCloseAllInstructions", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Lists("*instructions"),
		Path:   transport.Path("/batch/close-all-instructions"), Body: req, Invalid: c.keyed(req.problem()),
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
		check.NotNegativeOf("offset", r.Offset),
		check.NotNegativeOf("limit", r.Limit),
		r.Terms.problem(),
	)
}

// intent allows closing so many accounts, and no more than the request's limit or, without one,
// than may be signed. The count in the answer is ignored.
func (r CloseAllRequest) intent(accounts int, reclaimed Reclaimed) walletfi.Intent {
	most := defaultTransactions * maxAccountsPerTransaction
	if r.Limit != nil {
		most = *r.Limit
	}
	accounts = min(accounts, most)
	i := r.Terms.intent(r.Owner, uint64(accounts), reclaimed)
	i.Asked = asking.Of(r)
	i.MaxTransactions = defaultTransactions
	if r.Limit != nil { // each transaction closes at least one account
		i.MaxTransactions = min(max(1, *r.Limit), mostTransactions)
	}
	if fee := i.MaxNetworkFeeLamports; fee != nil {
		*fee = networkfee.Times(*fee, i.MaxTransactions)
	}
	return i
}

// How many transactions may close accounts if the request has no limit, and at most.
const (
	defaultTransactions = 16
	mostTransactions    = 256 // that package signing accepts
)
