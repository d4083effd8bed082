package leverage

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// RepayRequest describes the full repayment of a position.
type RepayRequest struct {
	Position string `json:"positionAddress"` // required
	Owner    string `json:"userPublicKey"`   // wallet that repays; required

	// MaxSpend is the most that the repayment may take from the wallet. It is not
	// sent. The signing guard needs it if the repayment is transferred outside the
	// service's own program.
	MaxSpend []walletfi.Asset `json:"-" asked:"-"`
}

// BuildRepay builds the unsigned transaction that repays a position in full.
//
// POST /api/v1/positions/repay. It moves nothing: safe to retry.
func (c *Client) BuildRepay(ctx context.Context, req RepayRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return c.build(ctx, "BuildRepay", transport.Path("/api/v1/positions/repay"), req, opts)
}

func (r RepayRequest) problem() error          { return onPosition(r.Position, r.Owner) }
func (r RepayRequest) intent() walletfi.Intent { return intent(r.Owner, 0, r.MaxSpend...) }

// PartialRepayRequest describes the repayment of part of a position.
type PartialRepayRequest struct {
	Position     string `json:"positionAddress"` // required
	Owner        string `json:"userPublicKey"`   // wallet that repays; required
	RepaymentBps int    `json:"repaymentBps"`    // part of the debt, 1 to 10,000

	// MaxSpend works as in RepayRequest.
	MaxSpend []walletfi.Asset `json:"-" asked:"-"`
}

// BuildPartialRepay builds the unsigned transaction that repays part of a
// position.
//
// POST /api/v1/positions/partial-repay. It moves nothing: safe to retry.
func (c *Client) BuildPartialRepay(
	ctx context.Context, req PartialRepayRequest, opts ...walletfi.CallOption,
) (*Transaction, error) {
	return c.build(ctx, "BuildPartialRepay", transport.Path("/api/v1/positions/partial-repay"), req, opts)
}

func (r PartialRepayRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Range("repaymentBps", r.RepaymentBps, 1, maxBps),
	)
}

func (r PartialRepayRequest) intent() walletfi.Intent { return intent(r.Owner, 0, r.MaxSpend...) }
