package swap

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
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
	InputMint  string          `json:"inputMint" wire:"said"`
	OutputMint string          `json:"outputMint" wire:"said"`
	InAmount   walletfi.Amount `json:"inAmount" wire:"said,min=1"`
	// the service fills it for no less
	GuaranteedOutAmount walletfi.Amount            `json:"guaranteedOutAmount" wire:"said"`
	EstimatedOutAmount  walletfi.Amount            `json:"estimatedOutAmount" wire:"said"`
	Slippage            walletfi.Slippage          `json:"slippageBps" wire:"strict,said"`
	Transaction         walletfi.Base64Transaction `json:"transaction" wire:"required"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"said,min=1"`

	// Raw is the intent as it arrived.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
	from   stored.Origin
}

// decode reads the fields and keeps the service's bytes in Raw. Unsigned then returns
// what the intent itself says, without an owner.
func (i *BuiltIntent) decode(said, raw []byte) error {
	i.Raw = wire.Keep(raw)
	if err := wire.DecodeFields(said, i, nil); err != nil {
		return err
	}
	i.intent = IntentRequest{InputMint: i.InputMint, OutputMint: i.OutputMint, Amount: i.InAmount}.intent(i)
	return nil
}

// changed returns why an intent that another process stored is not that of its bytes.
func (c *Client) changed(i *BuiltIntent) error {
	if i == nil || !i.from.Live {
		return nil
	}
	neutral, again, err := c.made().t.Again(http.MethodGet, transport.Path("/intent"), i.Raw, i.from)
	if err != nil || !again {
		return err
	}
	type fields BuiltIntent
	var read BuiltIntent
	if err := wire.DecodeFields(neutral, &read, nil); err != nil {
		return fmt.Errorf("swap.BuiltIntent: %w: %w", walletfi.ErrDecode, err)
	}
	return stored.Same("intentResponse", i.from, fields(*i), fields(read))
}

// Unsigned returns the transaction with the intent of the request. Intent.Receive holds the
// guaranteed output, and Intent.ReceiveAfter says that it comes with the fill.
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
func (c *Client) BuildIntent(
	ctx context.Context, req IntentRequest, opts ...walletfi.CallOption,
) (*BuiltIntent, error) {
	call := intentCall(req)
	var whole []byte
	opts = c.made().t.GoesBack(&call, &whole, opts)
	return transport.Do(ctx, c.made().t, call, opts, func(i *BuiltIntent, _, raw walletfi.Document) {
		i.Raw, i.intent, i.from = bytes.TrimSpace(raw), req.asked(i), c.made().t.Origin(whole)
	})
}

// asked is the intent of a request, with what it asks for.
func (r IntentRequest) asked(i *BuiltIntent) walletfi.Intent {
	intent := r.intent(i)
	intent.Asked = asking.Of(r)
	return intent
}

func intentCall(req IntentRequest) transport.Call {
	return transport.Call{
		Op: "BuildIntent", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("transaction", "guaranteedOutAmount:number", "estimatedOutAmount:number"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/intent"), Query: req, Invalid: req.problem(),
	}
}

func (r IntentRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		check.OptionalSlippage("slippageBps", r.Slippage),
		check.Address("userPublicKey", r.Owner),
	)
}

func (r IntentRequest) intent(i *BuiltIntent) walletfi.Intent {
	t := r.trade(i)
	t.min = max(t.min, i.GuaranteedOutAmount)
	return walletfi.Intent{
		Service: "swap", Owner: r.Owner,
		Spend:        []walletfi.Asset{t.in},
		Receive:      t.least(nil),
		ReceiveAfter: new(atTheFill),
	}
}
