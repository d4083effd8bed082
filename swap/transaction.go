package swap

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/networkfee"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// BuildRequest describes the transaction to build from a quote. A nil or zero
// field lets the service decide.
type BuildRequest struct {
	Owner string `json:"userPublicKey"` // wallet that trades and signs, base58; required
	Quote *Quote `json:"-"`             // as GetQuote returned it; required

	// ComputeUnitPriceMicroLamports is the priority fee in microlamports per
	// compute unit. Set it or PrioritizationFee, not both.
	ComputeUnitPriceMicroLamports *uint64 `json:"computeUnitPriceMicroLamports,omitempty" asked:"-"`
	// PrioritizationFee is an alternative to ComputeUnitPriceMicroLamports.
	PrioritizationFee PrioritizationFee `json:"prioritizationFeeLamports,omitzero" asked:"-"`
	// DynamicComputeUnitLimit sets the compute unit limit by simulation.
	DynamicComputeUnitLimit *bool `json:"dynamicComputeUnitLimit,omitempty" asked:"-"`

	WrapAndUnwrapSOL        *bool                    `json:"wrapAndUnwrapSol,omitempty"`
	FeeAccount              string                   `json:"feeAccount,omitempty"`              // gets the platform fee
	DestinationTokenAccount *DestinationTokenAccount `json:"destinationTokenAccount,omitempty"` // nil means the user's own
	// Sponsor is the wallet that pays the network fee, base58.
	Sponsor string `json:"sponsor,omitempty" asked:"-"`

	IncludeSandwichMitigationAccount *bool             `json:"includeSandwichMitigationAccount,omitempty" asked:"-"`
	PositiveSlippage                 *PositiveSlippage `json:"positiveSlippage,omitempty"`

	// Freshness replaces Config.Freshness for this request.
	Freshness *Freshness `json:"-" asked:"-"`
}

// DestinationTokenAccount receives the output.
type DestinationTokenAccount struct {
	Address        string `json:"address"` // base58; required
	CreateIfNeeded bool   `json:"createIfNeeded" asked:"-"`
}

// PositiveSlippageMode decides who receives positive slippage: the amount by
// which a trade exceeds its quote. It is an open set.
type PositiveSlippageMode string

// PositiveSlippageSplit shares it.
const PositiveSlippageSplit PositiveSlippageMode = "split"

// PositiveSlippage decides who receives the amount by which a trade exceeds its
// quote.
type PositiveSlippage struct {
	Mode PositiveSlippageMode `json:"mode"` // required
	Bps  int                  `json:"bps"`  // share that the user gives away, 0 to 10,000
}

// Transaction is a swap to check, sign and send.
type Transaction struct {
	Transaction      walletfi.Base64Transaction `json:"swapTransaction" wire:"required"`
	ComputeUnitLimit uint64                     `json:"computeUnitLimit" wire:"said,max=1400000"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"said,min=1"`
	// PrioritizationFeeLamports is the priority fee that the service chose.
	PrioritizationFeeLamports walletfi.Amount    `json:"prioritizationFeeLamports" wire:"said"`
	PrioritizationType        PrioritizationType `json:"prioritizationType"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`

	intent walletfi.Intent
}

// PrioritizationType is how a transaction pays its priority fee. It is an open
// set.
type PrioritizationType string

// PrioritizationComputeBudget pays a price per compute unit.
const PrioritizationComputeBudget PrioritizationType = "compute-budget"

// Unsigned returns the transaction with the intent of the request.
func (t *Transaction) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{t.Transaction},
		Intent:               t.intent,
		LastValidBlockHeight: t.LastValidBlockHeight,
	}
}

// BuildSwap builds the unsigned transaction of a quote. If the Freshness
// refuses the quote, the error is ErrQuoteTooOld or ErrPriceImpact.
//
// POST /swap. It moves nothing: safe to retry.
func (c *Client) BuildSwap(ctx context.Context, req BuildRequest, opts ...walletfi.CallOption) (*Transaction, error) {
	built, err := buildSwap[Transaction](ctx, c, transport.Call{
		Op: "BuildSwap", Effect: transport.Build, Method: http.MethodPost, Path: transport.Path("/swap"),
		Answer: transport.Says("swapTransaction"),
		Echo:   transport.Echo(func(t *Transaction) error { return req.feeMismatch(t.PrioritizationFeeLamports) }),
	}, &req, opts)
	if err != nil {
		return nil, err
	}
	built.intent = req.intent()
	return built, nil
}

// buildSwap calls one of the two routes that take a quote. It puts the quote into req
// as its bytes have it.
func buildSwap[T any](
	ctx context.Context, c *Client, call transport.Call, req *BuildRequest, opts []walletfi.CallOption,
) (*T, error) {
	quote, err := c.readAgain(req.Quote)
	if err != nil {
		return nil, err
	}
	req.Quote = quote
	fresh := c.made().freshness
	if req.Freshness != nil {
		fresh = *req.Freshness
	}
	call.Invalid = req.problem(fresh, c.made().t.Now())
	if req.Quote != nil {
		call.Body = transport.Spliced{Rest: *req, Key: "quoteResponse", Raw: req.Quote.Raw}
	}
	bounded, cancel := fresh.until(ctx, c.made().t.Clock(), req.Quote)
	defer cancel()
	built, err := transport.Do[T](bounded, c.made().t, call, opts)
	return built, aged(bounded, err)
}

func (r BuildRequest) problem(fresh Freshness, now time.Time) error {
	return check.All(
		check.Address("userPublicKey", r.Owner),
		r.quoteProblem(fresh, now),
		check.That(r.ComputeUnitPriceMicroLamports == nil || r.PrioritizationFee.IsZero(),
			"computeUnitPriceMicroLamports", "excludes prioritizationFeeLamports"),
		r.PrioritizationFee.problem(),
		check.OptionalAddress("feeAccount", r.FeeAccount),
		r.DestinationTokenAccount.problem(),
		check.OptionalAddress("sponsor", r.Sponsor),
		r.PositiveSlippage.problem(),
	)
}

func (r BuildRequest) quoteProblem(fresh Freshness, now time.Time) error {
	if r.Quote == nil || !bytes.HasPrefix(bytes.TrimSpace(r.Quote.Raw), []byte("{")) ||
		!bytes.ContainsRune(r.Quote.Raw, '"') {
		return check.That(false, "quoteResponse", "is required, as the service sent it")
	}
	t, _, _ := r.Quote.trade()
	return check.All(fresh.problem(), fresh.quoteProblem(r.Quote, now),
		check.That(t.min > 0 || r.Quote.asked != nil, "quoteResponse", "states no least output"))
}

func (d *DestinationTokenAccount) problem() error {
	if d == nil {
		return nil
	}
	return check.Address("destinationTokenAccount.address", d.Address)
}

func (p *PositiveSlippage) problem() error {
	if p == nil {
		return nil
	}
	return check.All(
		check.Required("positiveSlippage.mode", p.Mode),
		check.Range("positiveSlippage.bps", p.Bps, 0, maxBps),
	)
}

// feeMismatch holds the priority fee that the service chose against the request.
func (r BuildRequest) feeMismatch(chosen walletfi.Amount) error {
	if price := r.ComputeUnitPriceMicroLamports; price != nil {
		return slippage.Ceiling(slippage.Stated{Field: "prioritizationFeeLamports", Amount: chosen},
			networkfee.Priority(*price))
	}
	return r.PrioritizationFee.mismatch(chosen)
}

// intent returns what the swap may do. The amounts are those of the quote's
// request; at least the quote's minimum must arrive.
func (r BuildRequest) intent() walletfi.Intent {
	t, feeBps, mode := r.Quote.trade()
	i := walletfi.Intent{
		Service: "swap", Owner: r.Owner,
		Spend:       []walletfi.Asset{t.in},
		ServiceFee:  t.platformFee(feeBps, mode),
		TipLamports: r.PrioritizationFee.tip(),
		Sponsor:     r.Sponsor,

		MaxNetworkFeeLamports: r.PrioritizationFee.networkFeeCap(),

		Asked: asking.Of(r),
	}
	if price := r.ComputeUnitPriceMicroLamports; price != nil {
		i.MaxNetworkFeeLamports = new(networkfee.Cap(*price))
	}
	least := t.least(i.ServiceFee)
	if r.PositiveSlippage != nil {
		i.ServiceFee = add(i.ServiceFee, t.surplusShare(r.PositiveSlippage.Bps))
	}
	if r.FeeAccount != "" {
		i.FeeTo = append(i.FeeTo, r.FeeAccount)
	}
	if d := r.DestinationTokenAccount; d != nil {
		// The owner does not receive what goes there.
		i.OutputTo = append(i.OutputTo, d.Address)
		if d.CreateIfNeeded {
			i.MaxForeignRentLamports = tokenAccountRent
		}
	} else {
		i.Receive = least
	}
	return i
}

// tokenAccountRent is the rent of a token account, in lamports, with what a
// Token-2022 mint's extensions add to it at most.
const tokenAccountRent = 2_248_080
