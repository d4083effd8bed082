package leverage

import (
	"context"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// SplitRequest describes the split of a position into two.
type SplitRequest struct {
	Position      string `json:"positionAddress"` // required
	Owner         string `json:"userPublicKey"`   // wallet that owns it; required
	SplitRatioBps int    `json:"splitRatioBps"`   // 1 to 9,999; 5,000 is half
}

// BuildSplit builds the unsigned transaction that splits a position.
//
// POST /api/v1/positions/split. It moves nothing: safe to retry.
func (c *Client) BuildSplit(ctx context.Context, req SplitRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return c.build(ctx, "BuildSplit", transport.Path("/api/v1/positions/split"), req, opts)
}

func (r SplitRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Range("splitRatioBps", r.SplitRatioBps, 1, maxBps-1),
	)
}

func (r SplitRequest) intent() walletfi.Intent { return intent(r.Owner, 0) }

// MergeRequest describes the merging of two positions. Both must have the same
// token pair and side, which only the service can check.
type MergeRequest struct {
	First  string `json:"firstPositionAddress"`  // required
	Second string `json:"secondPositionAddress"` // required; must differ from First
	Owner  string `json:"userPublicKey"`         // wallet that owns both; required
}

// BuildMerge builds the unsigned transaction that merges two positions.
//
// POST /api/v1/positions/merge. It moves nothing: safe to retry.
func (c *Client) BuildMerge(ctx context.Context, req MergeRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return c.build(ctx, "BuildMerge", transport.Path("/api/v1/positions/merge"), req, opts)
}

func (r MergeRequest) problem() error {
	return check.All(
		check.Required("firstPositionAddress", r.First),
		check.Required("secondPositionAddress", r.Second),
		check.That(r.First == "" || r.First != r.Second, "secondPositionAddress", "must differ from firstPositionAddress"),
		check.Required("userPublicKey", r.Owner),
	)
}

func (r MergeRequest) intent() walletfi.Intent { return intent(r.Owner, 0) }
