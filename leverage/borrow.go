package leverage

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BorrowMode says where the additional loan goes.
type BorrowMode string

// The borrow modes.
const (
	BorrowWithdraw BorrowMode = "withdraw" // paid out to the wallet
	BorrowCompound BorrowMode = "compound" // added to the position
)

// IncreaseBorrowRequest describes an increase of what a position borrows.
type IncreaseBorrowRequest struct {
	Position               string            `json:"positionAddress"`               // required
	Owner                  string            `json:"userPublicKey"`                 // wallet that owns it; required
	AdditionalBorrowAmount walletfi.Amount   `json:"additionalBorrowAmount,string"` // smallest units; more than 0
	Mode                   BorrowMode        `json:"mode"`                          // required
	Slippage               walletfi.Slippage `json:"slippageBps"`                   // 0 to 10,000 basis points; required
	TipLamports            walletfi.Amount   `json:"relayTipLamports" asked:"-"`    // 0 means no tip; see GetBundleTip

	// BorrowMint is the mint of AdditionalBorrowAmount. It is not sent. With it, the
	// intent of BorrowWithdraw expects that amount less Slippage; without it, nothing,
	// because neither the request nor the answer names the mint.
	BorrowMint string `json:"-" asked:"-"`
}

// MarshalJSON writes the request's body, in which the tip is a number.
func (r IncreaseBorrowRequest) MarshalJSON() ([]byte, error) {
	type fields IncreaseBorrowRequest
	return json.Marshal(struct {
		fields
		Tip uint64 `json:"relayTipLamports"`
	}{fields(r), uint64(r.TipLamports)})
}

// BuildIncreaseBorrow builds the unsigned transaction that borrows more on a
// position.
//
// POST /api/v1/positions/increase-borrow. It moves nothing: safe to retry.
func (c *Client) BuildIncreaseBorrow(
	ctx context.Context, req IncreaseBorrowRequest, opts ...walletfi.CallOption,
) (*Transaction, error) {
	return c.build(ctx, "BuildIncreaseBorrow", transport.Path("/api/v1/positions/increase-borrow"), req, opts)
}

func (r IncreaseBorrowRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Positive("additionalBorrowAmount", r.AdditionalBorrowAmount),
		check.OneOf("mode", r.Mode, BorrowWithdraw, BorrowCompound),
		check.Slippage("slippageBps", r.Slippage),
	)
}

func (r IncreaseBorrowRequest) intent() walletfi.Intent {
	i := intent(r.Owner, r.TipLamports)
	if r.Mode == BorrowWithdraw {
		i.Receive = asset(r.BorrowMint, slippage.Least(r.AdditionalBorrowAmount, r.Slippage))
	}
	return i
}

// QuoteIncreaseBorrow previews borrowing more. Neither the request nor the
// answer is documented: what BuildIncreaseBorrow sends is the likely body.
//
// POST /api/v1/positions/increase-borrow-quote. It moves nothing: safe to
// retry.
func (c *Client) QuoteIncreaseBorrow(
	ctx context.Context, req IncreaseBorrowRequest, opts ...walletfi.CallOption,
) (walletfi.Document, error) {
	path := transport.Path("/api/v1/positions/increase-borrow-quote")
	return c.preview(ctx, "QuoteIncreaseBorrow", path, req.Position, req, opts)
}

func (c *Client) preview(
	ctx context.Context, op string, path transport.Target, position string, body any, opts []walletfi.CallOption,
) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Build, Method: http.MethodPost, Path: path,
		Answer: transport.Open(transport.NoShape),
		Body:   body, Invalid: check.All(c.keyed(), check.Required("positionAddress", position)),
	}, opts)
}
