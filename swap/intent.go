package swap

import (
	"bytes"
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// IntentRequest describes a trade that the service fills after the user has
// signed it.
type IntentRequest struct {
	InputMint  string            `url:"inputMint"`             // base58; required
	OutputMint string            `url:"outputMint"`            // base58; required; must differ from InputMint
	Amount     walletfi.Amount   `url:"amount"`                // of InputMint, smallest units; more than 0
	Slippage   walletfi.Slippage `url:"slippageBps,omitempty"` // 0 to 10,000 basis points; zero lets the service decide
	Owner      string            `url:"userPublicKey"`         // wallet that trades and signs, base58; required
}

// BuiltIntent is a trade to check, sign and submit. [Client.SubmitIntent] sends
// Raw back unchanged; the other fields are for reading.
type BuiltIntent struct {
	InputMint            string                     `json:"inputMint" wire:"strict"`
	OutputMint           string                     `json:"outputMint" wire:"strict"`
	InAmount             walletfi.Amount            `json:"inAmount"`
	GuaranteedOutAmount  walletfi.Amount            `json:"guaranteedOutAmount"` // the service fills it for no less
	EstimatedOutAmount   walletfi.Amount            `json:"estimatedOutAmount"`
	Slippage             walletfi.Slippage          `json:"slippageBps" wire:"strict"`
	Transaction          walletfi.Base64Transaction `json:"transaction" wire:"required"`
	LastValidBlockHeight uint64                     `json:"lastValidBlockHeight" wire:"strict"` // it cannot land after this block height

	// Raw is the intent as it arrived.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// decode reads the service's intent and keeps its bytes in Raw. Unsigned then
// returns what the intent itself says, without an owner. See
// Quote.UnmarshalJSON for an intent under a Deployment.
func (i *BuiltIntent) decode(b []byte) error {
	type fields BuiltIntent
	i.Raw = lenient.Keep(b)
	if err := lenient.Decode(b, (*fields)(i)); err != nil {
		return err
	}
	i.intent = IntentRequest{InputMint: i.InputMint, Amount: i.InAmount}.intent()
	return nil
}

// Unsigned returns the transaction with the intent of the request. The intent
// has no Receive, because the proceeds arrive later, with the fill.
func (i *BuiltIntent) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{i.Transaction},
		Intent:               i.intent,
		LastValidBlockHeight: i.LastValidBlockHeight,
	}
}

// BuildIntent builds the unsigned transaction of a trade that the service
// fills. Sign it and hand it to [Client.SubmitIntent].
//
// GET /intent. It moves nothing: safe to retry.
func (c *Client) BuildIntent(ctx context.Context, req IntentRequest, opts ...walletfi.CallOption) (*BuiltIntent, error) {
	return transport.DoRaw(ctx, c.t, transport.Call{
		Op: "BuildIntent", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("transaction", "guaranteedOutAmount:number"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/intent"), Query: req, Invalid: req.problem(),
	}, opts, func(i *BuiltIntent, raw walletfi.Document) {
		i.Raw, i.intent = bytes.TrimSpace(raw), req.intent()
	})
}

func (r IntentRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		check.OptionalSlippage("slippageBps", r.Slippage),
		check.Address("userPublicKey", r.Owner),
	)
}

func (r IntentRequest) intent() walletfi.Intent {
	return walletfi.Intent{
		Service: "swap", Owner: r.Owner,
		Spend: []walletfi.Asset{{Mint: r.InputMint, Amount: r.Amount}},
	}
}
