package leverage

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// CloseQuoteRequest describes a position to close.
type CloseQuoteRequest struct {
	Position string            `json:"positionAddress"` // required
	Owner    string            `json:"userPublicKey"`   // wallet that closes; required
	Slippage walletfi.Slippage `json:"slippageBps"`     // 0 to 10,000 basis points; required
}

// QuoteClose previews closing a position: proceeds, profit or loss. The field
// names of the answer are not documented.
//
// POST /api/v1/positions/close-quote. It moves nothing: safe to retry.
func (c *Client) QuoteClose(
	ctx context.Context, req CloseQuoteRequest, opts ...walletfi.CallOption,
) (walletfi.Document, error) {
	return transport.DoDocument(ctx, c.made().t, transport.Call{
		Op: "QuoteClose", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Open(transport.NoNames),
		Path:   transport.Path("/api/v1/positions/close-quote"), Body: req, Invalid: req.problem(),
	}, opts)
}

func (r CloseQuoteRequest) problem() error {
	return check.All(
		onPosition(r.Position, r.Owner),
		check.Slippage("slippageBps", r.Slippage),
	)
}

// onPosition checks the fields of every request about one position.
func onPosition(position, user string) error {
	return check.All(
		check.Required("positionAddress", position),
		check.Required("userPublicKey", user),
	)
}

// CloseRequest describes the closing of a position.
type CloseRequest struct {
	CloseQuoteRequest
	TipLamports walletfi.Amount `json:"relayTipLamports" asked:"-"` // 0 means no tip; see GetBundleTip

	// MinReceive is the least that the wallet should get. It is not sent. It becomes the
	// intent's Receive, because the answer names neither a mint nor an amount; see
	// QuoteClose. An amount of 0 expects nothing.
	MinReceive walletfi.Asset `json:"-" asked:"-"`
}

// MarshalJSON writes the request's body, in which the tip is a number.
func (r CloseRequest) MarshalJSON() ([]byte, error) {
	type fields CloseRequest
	return json.Marshal(struct {
		fields
		Tip uint64 `json:"relayTipLamports"`
	}{fields(r), uint64(r.TipLamports)})
}

// BuildClose builds the unsigned transaction that closes a position. With
// [walletfi.Urgent] it does not wait for reads in the queue of the rate limit.
//
// POST /api/v1/positions/close. It moves nothing: safe to retry.
func (c *Client) BuildClose(ctx context.Context, req CloseRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	return c.build(ctx, "BuildClose", transport.Path("/api/v1/positions/close"), req, opts)
}

func (r CloseRequest) intent() walletfi.Intent {
	i := intent(r.Owner, r.TipLamports)
	i.Receive = asset(r.MinReceive.Mint, r.MinReceive.Amount)
	return i
}

func (r CloseRequest) problem() error {
	return check.All(r.CloseQuoteRequest.problem(), namesMint(r.MinReceive))
}

// namesMint checks what should come back.
func namesMint(least walletfi.Asset) error {
	return check.That(least.Amount == 0 || least.Mint != "", "minReceive", "must name its mint")
}
