package swap

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// IntentRequest describes a trade that the service fills after it was signed.
type IntentRequest struct {
	InputMint   string          `url:"inputMint"`             // base58; required
	OutputMint  string          `url:"outputMint"`            // base58, another than InputMint; required
	Amount      walletfi.Amount `url:"amount"`                // of InputMint, smallest units; more than 0
	SlippageBps *int            `url:"slippageBps,omitempty"` // 0 to 10,000; nil leaves it to the service
	User        string          `url:"userPublicKey"`         // wallet that trades and signs, base58; required
}

// Intent is a trade ready to be checked, signed and submitted. SubmitIntent
// sends Raw back as it is; the other fields are for reading.
type BuiltIntent struct {
	InputMint            string                     `json:"inputMint"`
	OutputMint           string                     `json:"outputMint"`
	InAmount             walletfi.Amount            `json:"inAmount"`
	GuaranteedOutAmount  walletfi.Amount            `json:"guaranteedOutAmount"` // the least that the service fills it for
	EstimatedOutAmount   walletfi.Amount            `json:"estimatedOutAmount"`
	SlippageBps          int                        `json:"slippageBps"`
	Transaction          walletfi.Base64Transaction `json:"transaction" wire:"required"`
	LastValidBlockHeight uint64                     `json:"lastValidBlockHeight"` // it cannot land after this block height

	// Raw is the intent as it came.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// UnmarshalJSON reads an intent that was stored, and keeps its bytes in Raw.
// Its Unsigned then has what the intent itself says, but no owner. See
// Quote.UnmarshalJSON for one in the words of a Vocabulary.
func (i *BuiltIntent) UnmarshalJSON(b []byte) error {
	type fields BuiltIntent
	if err := transport.Keep(b, (*fields)(i), &i.Raw); err != nil {
		return err
	}
	i.intent = IntentRequest{InputMint: i.InputMint, Amount: i.InAmount}.intent()
	return nil
}

// MarshalJSON returns Raw. Note that json.Marshal compacts what it returns: to
// store an intent byte for byte, store Raw.
func (i BuiltIntent) MarshalJSON() ([]byte, error) {
	if i.Raw.IsZero() {
		return nil, errors.New("swap: an intent that did not come from the service is not marshalled")
	}
	return i.Raw, nil
}

// Unsigned returns the transaction with what the request asked for. It
// promises no arrival: the proceeds come later, with the fill.
func (i *BuiltIntent) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{i.Transaction},
		Intent:               i.intent,
		LastValidBlockHeight: i.LastValidBlockHeight,
	}
}

// BuildIntent builds the unsigned transaction of a trade that the service
// fills. Sign it and hand it to SubmitIntent.
//
// GET /intent. It moves nothing: safe to retry.
func (c *Client) BuildIntent(ctx context.Context, req IntentRequest, opts ...walletfi.CallOption) (*BuiltIntent, error) {
	return transport.DoRaw(ctx, c.t, transport.Call{
		Op: "BuildIntent", Effect: transport.Build, Method: http.MethodGet,
		Path: transport.Path("/intent"), Query: req, Invalid: req.problem(),
	}, opts, func(i *BuiltIntent, raw walletfi.Document) {
		i.Raw, i.intent = bytes.TrimSpace(raw), req.intent()
	})
}

func (r IntentRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		check.RangeOf("slippageBps", r.SlippageBps, 0, maxBps),
		check.Address("userPublicKey", r.User),
	)
}

func (r IntentRequest) intent() walletfi.Intent {
	return walletfi.Intent{
		Service: "swap", Owner: r.User,
		Spend: []walletfi.Asset{{Mint: r.InputMint, Amount: r.Amount}},
	}
}
