package providerswap

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BuildRequest describes a swap for version 2 to quote and build.
type BuildRequest struct {
	QuoteRequest
	Owner string `url:"user_account"` // wallet that swaps and signs, base58; required
}

// Transaction is a quote with its transaction, to check and sign.
type Transaction struct {
	Quote
	Transaction walletfi.Base64Transaction `json:"txn" wire:"required"`

	intent walletfi.Intent
}

// Unsigned returns the transaction with the intent of the request. Intent.Receive
// is the stricter of MinOutAmount and OutAmount under the slippage of
// the request. The service
// states neither blockhash nor last valid block height.
func (s *Transaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{s.Transaction},
		Intent:       s.intent.Clone(),
	}
}

// BuildSwap quotes like [Client.GetQuote] and builds the unsigned transaction
// of that quote.
//
// GET /api/v2/quote. It moves nothing: safe to retry.
func (c *Client) BuildSwap(ctx context.Context, req BuildRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	swap, err := transport.Do[Transaction](ctx, c.made().t, transport.Call{
		Op: "BuildSwap", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("srcAmountIn:number", "destAmountOut:number", "destAmountOutMin:number", "txn"),
		Echo:   transport.Echo(func(s *Transaction) error { return req.mismatch(&s.Quote) }),
		Path:   transport.Path("/api/v2/quote"), Query: req,
		Invalid: check.All(req.problem(), check.Address("user_account", req.Owner)),
	}, opts)
	if err != nil {
		return nil, err
	}
	swap.intent = req.intent(&swap.Quote)
	return swap, nil
}

func (r BuildRequest) intent(q *Quote) walletfi.Intent {
	return walletfi.Intent{
		Service: "providerswap", Owner: r.Owner,
		Spend: []walletfi.Asset{{Mint: r.InputMint, Amount: r.Amount}},
		Receive: []walletfi.Asset{{
			Mint:   r.OutputMint,
			Amount: max(q.MinOutAmount, slippage.Least(q.OutAmount, r.Slippage)),
		}},
		Asked: asking.Of(r),
	}
}
