package leverage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// PartialSellRequest describes the sale of part of a position.
type PartialSellRequest struct {
	Position      string            `json:"positionAddress"` // required
	Owner         string            `json:"userPublicKey"`   // wallet that owns it; required
	SplitRatioBps int               `json:"splitRatioBps"`   // 1 to 9,999; 5,000 is half, and all is a close
	Slippage      walletfi.Slippage `json:"slippageBps"`     // 0 to 10,000 basis points; required

	// MinReceive works as in CloseRequest.
	MinReceive walletfi.Asset `json:"-" asked:"-"`
}

// PartialSell is a partial sale: the first transaction splits the position, the
// second closes one half. The answer holds neither a blockhash nor a last block
// height.
type PartialSell struct {
	SplitTransaction     walletfi.Base58Transaction `json:"splitTransaction" wire:"required"`
	CloseTransaction     walletfi.Base58Transaction `json:"closeTransaction" wire:"required"`
	NewPositionAddresses PositionPair               `json:"newPositionAddresses" wire:"required"` // of the two halves

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// PositionPair is exactly two addresses, of two positions.
type PositionPair [2]string

// UnmarshalJSON refuses any number of addresses other than two, and the same one twice.
func (p *PositionPair) UnmarshalJSON(b []byte) error {
	var addresses []string
	if err := json.Unmarshal(b, &addresses); err != nil {
		return err
	}
	if len(addresses) != len(p) || addresses[0] == "" || addresses[1] == "" || addresses[0] == addresses[1] {
		return fmt.Errorf("leverage: %d new position addresses, must be two that differ and are not empty", len(addresses))
	}
	*p = PositionPair(addresses)
	return nil
}

// Unsigned returns both transactions, the split first. Send them in order, or
// together as one bundle.
func (s *PartialSell) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{s.SplitTransaction, s.CloseTransaction},
		Intent:       s.intent,
	}
}

// BuildPartialSell builds the two unsigned transactions that sell part of a
// position.
//
// POST /api/v1/positions/partial-sell. It moves nothing: safe to retry.
func (c *Client) BuildPartialSell(
	ctx context.Context, req PartialSellRequest, opts ...walletfi.CallOption,
) (*PartialSell, error) {
	built, err := transport.Do[PartialSell](ctx, c.made().t, transport.Call{
		Op: "BuildPartialSell", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("splitTransaction", "closeTransaction", "newPositionAddresses:list"),
		Path:   transport.Path("/api/v1/positions/partial-sell"),
		Body:   req, Invalid: check.All(c.keyed(), req.problem()),
		Echo: transport.Echo((*PartialSell).mismatch),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r PartialSellRequest) intent() walletfi.Intent {
	i := intent(r.Owner, 0)
	i.MaxTransactions = 2 // splits and closes
	i.Receive, i.Asked = asset(r.MinReceive.Mint, r.MinReceive.Amount), asking.Of(r)
	return i
}

// mismatch refuses one transaction twice, which would not close what it splits off.
func (s *PartialSell) mismatch() error {
	differ := s.CloseTransaction != s.SplitTransaction
	return echo.That(differ, "closeTransaction", "another than the splitTransaction", "the same")
}

func (r PartialSellRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Range("splitRatioBps", r.SplitRatioBps, 1, maxBps-1),
		check.Slippage("slippageBps", r.Slippage),
		namesMint(r.MinReceive),
	)
}
