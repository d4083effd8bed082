package providerswap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// FeeTransferRequest describes a transfer of SOL as the caller's own fee.
type FeeTransferRequest struct {
	Owner    string          `url:"payer"`    // wallet that pays and signs, base58; required
	Receiver string          `url:"receiver"` // base58; required
	Lamports walletfi.Amount `url:"lamports"` // more than 0
}

// BuildFeeTransfer builds the unsigned transaction that transfers req.Lamports.
//
// GET /api/v1/fee/custom. It moves nothing: safe to retry.
func (c *Client) BuildFeeTransfer(
	ctx context.Context, req FeeTransferRequest, opts ...walletfi.CallOption,
) (*TransactionV1, error) {
	built, err := transport.Do[TransactionV1](ctx, c.made().t, transport.Call{
		Op: "BuildFeeTransfer", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("*transaction"),
		Path:   transport.Path("/api/v1/fee/custom"), Query: req,
		Invalid: check.All(
			check.Address("payer", req.Owner),
			check.Address("receiver", req.Receiver),
			check.Positive("lamports", req.Lamports),
		),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r FeeTransferRequest) intent() walletfi.Intent {
	return walletfi.Intent{
		Service: "providerswap", Owner: r.Owner,
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: r.Lamports}},
		PayTo: []string{r.Receiver},
		Asked: asking.Of(r),
	}
}
