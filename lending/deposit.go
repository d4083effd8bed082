package lending

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// DepositType is how a deposit is held.
type DepositType string

// The deposit types.
const (
	DepositProtected DepositType = "protected" // covered by the service's reserve
	DepositBoosted   DepositType = "boosted"   // higher yield, withdrawn after a cooldown of 48 hours
	DepositRegular   DepositType = "regular"   // "custom" in the names of response fields
)

func init() { wire.Words(DepositProtected, DepositBoosted, DepositRegular) }

// DefaultComputeUnitPriceMicroLamports is the service's priority fee for a deposit if the request
// has none, in microlamports per compute unit.
const DefaultComputeUnitPriceMicroLamports = 50_000

// DepositRequest is the request of [Client.BuildDeposit].
type DepositRequest struct {
	Owner       string          `json:"owner"`       // wallet that deposits and signs; required
	Mint        string          `json:"mintAddress"` // token to deposit; required
	DepositType DepositType     `json:"depositType"` // required
	Amount      walletfi.Amount `json:"amount"`      // the total; more than 0

	// ProtectedAmount and RegularAmount are the parts of Amount that go to these
	// two types, together at most Amount. The rest goes to DepositType. (The service
	// documents no rule for the parts.)
	ProtectedAmount *walletfi.Amount `json:"protectedAmount,omitempty"`
	RegularAmount   *walletfi.Amount `json:"regularAmount,omitempty"`

	// ComputeUnitPriceMicroLamports is in microlamports per compute unit. Nil means
	// DefaultComputeUnitPriceMicroLamports, 0 means no priority fee.
	ComputeUnitPriceMicroLamports *uint64 `json:"-" asked:"-"`
}

// MarshalJSON writes the request's body, in which amounts are numbers.
func (r DepositRequest) MarshalJSON() ([]byte, error) {
	type fields DepositRequest
	return json.Marshal(struct {
		fields
		Amount    uint64  `json:"amount"`
		Protected *uint64 `json:"protectedAmount,omitempty"`
		Regular   *uint64 `json:"regularAmount,omitempty"`
	}{fields(r), uint64(r.Amount), (*uint64)(r.ProtectedAmount), (*uint64)(r.RegularAmount)})
}

// DepositTransaction is an unsigned deposit.
type DepositTransaction struct {
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"strict,said,min=1"`
	Blockhash            string `json:"blockhash" wire:"strict,said,key"` // base58

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// Unsigned returns the transaction and the intent of its request.
func (t *DepositTransaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{t.Transaction},
		Intent:               t.intent,
		LastValidBlockHeight: t.LastValidBlockHeight,
		Blockhash:            t.Blockhash,
	}
}

// BuildDeposit builds the unsigned transaction that deposits req.Amount of
// req.Mint. It fails with [CodeCapacityExceeded] if the pool is full and with
// [CodeInsufficientBalance] if the owner has less.
//
// POST /v1/generate.transactions.deposit. It moves nothing: safe to retry.
func (c *Client) BuildDeposit(
	ctx context.Context, req DepositRequest, opts ...walletfi.CallOption,
) (*DepositTransaction, error) {
	built, err := transport.Do[DepositTransaction](ctx, c.made().t, transport.Call{
		Op: "BuildDeposit", Effect: transport.Build, Method: http.MethodPost,
		Answer: transport.Says("transaction"),
		Path:   transport.Path("/v1/generate.transactions.deposit"),
		Query:  feeQuery{req.ComputeUnitPriceMicroLamports}, Body: req, Invalid: req.problem(),
	}, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

func (r DepositRequest) problem() error {
	left, fits := r.Amount, true
	for _, part := range []*walletfi.Amount{r.ProtectedAmount, r.RegularAmount} {
		if part != nil {
			fits = fits && *part <= left
			left -= *part
		}
	}
	return check.All(
		check.Required("owner", r.Owner),
		check.Required("mintAddress", r.Mint),
		check.OneOf("depositType", r.DepositType, DepositProtected, DepositBoosted, DepositRegular),
		check.Positive("amount", r.Amount),
		check.That(fits, "protectedAmount",
			"and regularAmount together are more than amount"),
	)
}

func (r DepositRequest) intent() walletfi.Intent {
	fee := uint64(DefaultComputeUnitPriceMicroLamports)
	if r.ComputeUnitPriceMicroLamports != nil {
		fee = *r.ComputeUnitPriceMicroLamports
	}
	return walletfi.Intent{
		Service: "lending", Owner: r.Owner,
		Spend:                 []walletfi.Asset{{Mint: r.Mint, Amount: r.Amount}},
		MaxNetworkFeeLamports: new(networkfee.Cap(fee)),
		Asked:                 asking.Of(r),
	}
}

// feeQuery is the query of the two POST routes that take a priority fee. Their
// other parameters are in the body.
type feeQuery struct {
	Fee *uint64 `url:"priorityFee,omitempty"`
}
