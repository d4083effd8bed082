package lending

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BoostedCooldown is the time from a boosted withdrawal until its funds can be
// taken.
const BoostedCooldown = 48 * time.Hour

// WithdrawRequest is the request of [Client.BuildWithdraw].
type WithdrawRequest struct {
	Owner        string          `json:"owner"`        // wallet that withdraws and signs; required
	Mint         string          `json:"mintAddress"`  // token to withdraw; required
	WithdrawType DepositType     `json:"withdrawType"` // the type of the deposit; required
	Amount       walletfi.Amount `json:"amount"`       // more than 0

	// ComputeUnitPriceMicroLamports is in microlamports per compute unit. Nil means the service's
	// default, which is documented for deposits only; 0 means no priority fee.
	ComputeUnitPriceMicroLamports *uint64 `json:"-" asked:"-"`
}

// MarshalJSON writes the request's body, in which amounts are numbers.
func (r WithdrawRequest) MarshalJSON() ([]byte, error) {
	type fields WithdrawRequest
	return json.Marshal(struct {
		fields
		Amount uint64 `json:"amount"`
	}{fields(r), uint64(r.Amount)})
}

// WithdrawTransaction is an unsigned withdrawal. Unlike for a deposit, the
// service does not state the blockhash.
type WithdrawTransaction struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"strict,said,min=1"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Unsigned returns the transaction and the intent of its request. Intent.Receive is the
// whole amount; of a boosted withdrawal, Intent.ReceiveAfter is BoostedCooldown.
func (t *WithdrawTransaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{t.Transaction},
		Intent:               t.intent,
		LastValidBlockHeight: t.LastValidBlockHeight,
	}
}

// BuildWithdraw builds the unsigned transaction that withdraws req.Amount of
// req.Mint. A boosted withdrawal starts a cooldown of [BoostedCooldown]; another
// withdrawal fails with [CodeCooldownActive] until the cooldown has ended.
//
// POST /v1/generate.transactions.withdraw. It moves nothing: safe to retry.
func (c *Client) BuildWithdraw(
	ctx context.Context, req WithdrawRequest, opts ...walletfi.CallOption,
) (*WithdrawTransaction, error) {
	built, err := transport.Do[WithdrawTransaction](ctx, c.made().t, transport.Call{
		Op: "BuildWithdraw", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("transaction"),
		Path:   transport.Path("/v1/generate.transactions.withdraw"),
		Query:  feeQuery{req.ComputeUnitPriceMicroLamports}, Body: req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r WithdrawRequest) problem() error {
	return check.All(
		check.Required("owner", r.Owner),
		check.Required("mintAddress", r.Mint),
		check.OneOf("withdrawType", r.WithdrawType, DepositProtected, DepositBoosted, DepositRegular),
		check.Positive("amount", r.Amount),
	)
}

func (r WithdrawRequest) intent() walletfi.Intent {
	i := walletfi.Intent{
		Service: "lending", Owner: r.Owner,
		Receive: []walletfi.Asset{{Mint: r.Mint, Amount: r.Amount}},
		Asked:   asking.Of(r),
	}
	if r.WithdrawType == DepositBoosted {
		// A boosted withdrawal only starts its cooldown: nothing arrives yet.
		i.ReceiveAfter = new(BoostedCooldown)
	}
	if r.ComputeUnitPriceMicroLamports != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*r.ComputeUnitPriceMicroLamports))
	}
	return i
}
