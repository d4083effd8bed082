package swap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// PredictionMarketInitRequest identifies the token to initialise.
type PredictionMarketInitRequest struct {
	MarketMint string `url:"marketMint"`    // base58; required
	Owner      string `url:"userPublicKey"` // wallet that pays and signs, base58; required
}

// PredictionMarketInit is an initialisation to check and sign.
type PredictionMarketInit struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	MarketInfo  MarketInfo                 `json:"marketInfo" wire:"said"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// MarketInfo describes a prediction-market token.
type MarketInfo struct {
	Mint    string `json:"mint" wire:"said"` // base58
	Series  string `json:"series"`
	Event   string `json:"event"`
	Outcome string `json:"outcome"`
}

// Unsigned returns the transaction with the intent of the request. The answer
// holds neither a blockhash nor a last block height.
func (i *PredictionMarketInit) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{i.Transaction},
		Intent:       i.intent,
	}
}

// BuildPredictionMarketInit builds the unsigned transaction that initialises a
// prediction-market token, so that it can be traded. It spends only rent and
// fees.
//
// GET /prediction-market-init. It moves nothing: safe to retry.
func (c *Client) BuildPredictionMarketInit(
	ctx context.Context, req PredictionMarketInitRequest, opts ...walletfi.CallOption,
) (*PredictionMarketInit, error) {
	built, err := transport.Do[PredictionMarketInit](ctx, c.made().t, transport.Call{
		Op: "BuildPredictionMarketInit", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("transaction"),
		Echo: transport.Echo(func(i *PredictionMarketInit) error {
			return echo.Mint("marketInfo.mint", req.MarketMint, i.MarketInfo.Mint)
		}),
		Path: transport.Path("/prediction-market-init"), Query: req,
		Invalid: check.All(
			check.Address("marketMint", req.MarketMint),
			check.Address("userPublicKey", req.Owner),
		),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r PredictionMarketInitRequest) intent() walletfi.Intent {
	return walletfi.Intent{Service: "swap", Owner: r.Owner, Asked: asking.Of(r)}
}
