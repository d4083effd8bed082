package leverage

import (
	"context"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Transaction is the answer of every builder except [Client.BuildPartialSell]:
// a transaction to check and sign.
type Transaction struct {
	Transaction walletfi.Base58Transaction `json:"transaction" wire:"required"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"strict,said,min=1"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Unsigned returns the transaction with the intent of the request.
func (t *Transaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{t.Transaction},
		Intent:               t.intent,
		LastValidBlockHeight: t.LastValidBlockHeight,
	}
}

// build runs a builder.
func (c *Client) build(
	ctx context.Context, op string, path transport.Target, req request, opts []walletfi.CallOption,
) (*Transaction, error) {
	built, err := transport.Do[Transaction](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("transaction"),
		Path:   path, Body: req, Invalid: check.All(c.keyed(), req.problem()),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = asked(req)
	return built, nil
}

// asked is the intent of a request, with what it asks for.
func asked(req request) walletfi.Intent {
	i := req.intent()
	i.Asked = asking.Of(req)
	return i
}

// request is implemented by the requests of all builders.
type request interface {
	problem() error
	intent() walletfi.Intent
}

// intent returns an intent that spends the named assets and tips at most tip.
func intent(owner string, tip walletfi.Amount, spend ...walletfi.Asset) walletfi.Intent {
	return walletfi.Intent{Service: "leverage", Owner: owner, Spend: slices.Clone(spend), TipLamports: tip}
}

// asset returns what a request spends or gets of a mint, if the caller named the mint.
// The wire has no field for it, so only the caller can tell the guard.
func asset(mint string, amount walletfi.Amount) []walletfi.Asset {
	if mint == "" || amount == 0 {
		return nil
	}
	return []walletfi.Asset{{Mint: mint, Amount: amount}}
}

// maxBps is 100 % in basis points.
const maxBps = 10_000
