package swap

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-querystring/query"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// ExecutionMode is how an order is executed. It is an open set.
type ExecutionMode string

// ExecutionSync is an order that is complete once its own transaction has
// landed.
const ExecutionSync ExecutionMode = "sync"

// Polled reports whether an order continues after its transaction has landed,
// so that [Client.WaitOrder] is needed to learn its outcome. That is every mode
// except ExecutionSync, in any case of its letters.
func (m ExecutionMode) Polled() bool { return !strings.EqualFold(string(m), string(ExecutionSync)) }

// OrderRequest describes a trade: Amount of InputMint for OutputMint.
type OrderRequest struct {
	// Owner is the wallet that trades and signs, base58. [Client.BuildOrder]
	// requires it.
	Owner string `url:"-"`

	InputMint  string            `url:"inputMint"`             // base58; required
	OutputMint string            `url:"outputMint"`            // base58; required; must differ from InputMint
	Amount     walletfi.Amount   `url:"amount"`                // of InputMint, smallest units; more than 0
	Slippage   walletfi.Slippage `url:"slippageBps,omitempty"` // zero lets the service decide

	// PredictionMarketSlippage is the tolerance on a prediction market's legs, 0 to
	// 10,000 basis points. Zero lets the service decide.
	PredictionMarketSlippage walletfi.Slippage `url:"predictionMarketSlippageBps,omitempty"`
	// PlatformFeeBps is the caller's own fee, 0 to 10,000.
	PlatformFeeBps *int `url:"platformFeeBps,omitempty"`
	// PlatformFeeScale scales the platform fee, in a way that is not documented.
	PlatformFeeScale *int `url:"platformFeeScale,omitempty"`

	PrioritizationFee PrioritizationFee `url:"-" asked:"-"` // zero lets the service decide
}

// OrderQuote is the expected result of an order. It holds no transaction: see
// [Client.BuildOrder].
type OrderQuote struct {
	OutAmount      walletfi.Amount  `json:"outAmount" wire:"present"`
	MinOutAmount   walletfi.Amount  `json:"minOutAmount" wire:"present"`              // after slippage
	PriceImpactPct walletfi.Decimal `json:"priceImpactPct" wire:"said,min=0,max=100"` // in the unit of the service
	ExecutionMode  ExecutionMode    `json:"executionMode" wire:"decides"`
	RoutePlan      []RouteStep      `json:"routePlan"`
	// PrioritizationFeeLamports is nil if the answer does not say it, and in an Order, which
	// has it itself.
	PrioritizationFeeLamports *walletfi.Amount `json:"prioritizationFeeLamports" wire:"decides,optional"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Order is an order to check, sign and send.
type Order struct {
	OrderQuote
	Transaction walletfi.Base64Transaction `json:"transaction" wire:"required"`

	ComputeUnitLimit uint64 `json:"computeUnitLimit" wire:"said,max=1400000"`
	// The transaction cannot land after this block height.
	LastValidBlockHeight uint64 `json:"lastValidBlockHeight" wire:"said,min=1"`
	// PrioritizationFeeLamports is the priority fee that the service chose.
	PrioritizationFeeLamports walletfi.Amount `json:"prioritizationFeeLamports" wire:"said"`

	intent walletfi.Intent
}

// Unsigned returns the transaction with the intent of the request. Whatever the execution
// mode, Intent.Receive is the stricter of MinOutAmount and OutAmount under the slippage of
// the request, less what a platform fee may take. If the mode is Polled, Intent.ReceiveAfter
// says that it comes with the fill.
func (o *Order) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{o.Transaction},
		Intent:               o.intent,
		LastValidBlockHeight: o.LastValidBlockHeight,
	}
}

// QuoteOrder returns the expected result of an order. It does not send req.Owner.
//
// GET /order without userPublicKey.
func (c *Client) QuoteOrder(ctx context.Context, req OrderRequest, opts ...walletfi.CallOption) (*OrderQuote, error) {
	values, err := c.orderQuery(req, "")
	return transport.Do[OrderQuote](ctx, c.made().t, transport.Call{
		Op: "QuoteOrder", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("outAmount:number", "minOutAmount:number"),
		Echo:   transport.Echo(req.mismatch),
		Path:   transport.Path("/order"), Query: values, Parameters: orderParameters, Invalid: check.All(req.problem(), err),
	}, opts)
}

// BuildOrder builds the unsigned transaction of an order by req.Owner. If the price
// impact of the answer exceeds Config.Freshness, the error is ErrPriceImpact.
// The service has no route that submits the transaction: a [walletfi.Submitter]
// sends it. If ExecutionMode is Polled, [Client.WaitOrder] follows the order.
//
// GET /order with userPublicKey. It moves nothing: safe to retry.
func (c *Client) BuildOrder(ctx context.Context, req OrderRequest, opts ...walletfi.CallOption) (*Order, error) {
	values, err := c.orderQuery(req, req.Owner)
	order, err := transport.Do[Order](ctx, c.made().t, transport.Call{
		Op: "BuildOrder", Effect: transport.Build, Method: http.MethodGet,
		Answer: transport.Says("transaction", "outAmount:number", "minOutAmount:number"),
		Echo:   transport.Echo(req.built),
		Path:   transport.Path("/order"), Query: values, Parameters: orderParameters,
		Invalid: check.All(check.Address("userPublicKey", req.Owner), req.problem(), err),
	}, opts)
	if err != nil {
		return nil, err
	}
	if err := c.made().freshness.impactProblem(order.PriceImpactPct); err != nil {
		return nil, err
	}
	order.intent = req.intent(order.OrderQuote)
	return order, nil
}

// orderParameters are the parameters of both.
var orderParameters = []string{
	"inputMint", "outputMint", "amount", "userPublicKey", "slippageBps", "predictionMarketSlippageBps",
	"platformFeeBps", "platformFeeScale", "prioritizationFeeLamports",
}

func (c *Client) orderQuery(req OrderRequest, owner string) (url.Values, error) {
	values, err := query.Values(req)
	if err != nil {
		return nil, err
	}
	if owner != "" {
		values.Set("userPublicKey", owner)
	}
	if req.PrioritizationFee.IsZero() || req.PrioritizationFee.problem() != nil {
		return values, nil
	}
	fee, err := c.feeQuery(req.PrioritizationFee)
	maps.Copy(values, fee)
	return values, err
}

func (r OrderRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		check.SlippageOrAuto("slippageBps", r.Slippage),
		check.OptionalSlippage("predictionMarketSlippageBps", r.PredictionMarketSlippage),
		check.RangeOf("platformFeeBps", r.PlatformFeeBps, 0, maxBps),
		check.That(r.PlatformFeeScale == nil || *r.PlatformFeeScale >= 0, "platformFeeScale", "must not be negative"),
		r.PrioritizationFee.problem(),
	)
}

// pair checks the mints of every request that trades one for another.
func pair(input, output string) error {
	return check.All(
		check.Address("inputMint", input),
		check.Address("outputMint", output),
		check.That(input == "" || input != output, "outputMint", "must differ from inputMint"),
	)
}

// least returns the smallest output that the slippage of the request allows, or
// 0 if the service chooses it. A route may pass a prediction market, which has a
// slippage of its own.
func (r OrderRequest) least(quoted walletfi.Amount) walletfi.Amount {
	if !r.PredictionMarketSlippage.IsZero() {
		quoted = slippage.Least(quoted, r.PredictionMarketSlippage)
	}
	return slippage.Least(quoted, r.Slippage)
}

func (r OrderRequest) intent(quote OrderQuote) walletfi.Intent {
	t, fees := r.trade(&quote)
	t.min = max(t.min, quote.MinOutAmount)
	i := walletfi.Intent{
		Service: "swap", Owner: r.Owner,
		Spend:                 []walletfi.Asset{t.in},
		Receive:               t.least(fees),
		TipLamports:           r.PrioritizationFee.tip(),
		ServiceFee:            fees,
		MaxNetworkFeeLamports: r.PrioritizationFee.networkFeeCap(),
		Asked:                 asking.Of(r),
	}
	if quote.ExecutionMode.Polled() {
		i.ReceiveAfter = new(atTheFill) // in a transaction of the service
	}
	return i
}

// atTheFill is when what an order buys arrives: the service states no time.
const atTheFill = time.Duration(0)
