package swap

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"github.com/google/go-querystring/query"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// ExecutionMode is how an order is carried out. It is an open set.
type ExecutionMode string

// ExecutionSync is an order that is done with its own transaction.
const ExecutionSync ExecutionMode = "sync"

// Polled reports whether an order goes on after its transaction landed, so
// that WaitOrder tells what became of it. Every mode but ExecutionSync is
// taken for one that does.
func (m ExecutionMode) Polled() bool { return m != ExecutionSync }

// OrderRequest describes a trade: Amount of InputMint for OutputMint.
type OrderRequest struct {
	InputMint  string          `url:"inputMint"`             // base58; required
	OutputMint string          `url:"outputMint"`            // base58, another than InputMint; required
	Amount     walletfi.Amount `url:"amount"`                // of InputMint, smallest units; more than 0
	Slippage   Slippage        `url:"slippageBps,omitempty"` // zero leaves it to the service

	// PredictionMarketSlippageBps is the tolerance on a prediction market's legs,
	// 0 to 10,000. Nil leaves it to the service.
	PredictionMarketSlippageBps *int `url:"predictionMarketSlippageBps,omitempty"`
	// PlatformFeeBps is the caller's own fee, 0 to 10,000.
	PlatformFeeBps *int `url:"platformFeeBps,omitempty"`
	// PlatformFeeScale scales the platform fee, in a way that is not documented.
	PlatformFeeScale *int `url:"platformFeeScale,omitempty"`

	PriorityFee PriorityFee `url:"-"` // zero leaves it to the service
}

// OrderQuote is what an order would bring. It holds no transaction: BuildOrder
// answers with one.
type OrderQuote struct {
	OutAmount      walletfi.Amount  `json:"outAmount"`
	MinOutAmount   walletfi.Amount  `json:"minOutAmount"` // after slippage
	PriceImpactPct walletfi.Decimal `json:"priceImpactPct"`
	ExecutionMode  ExecutionMode    `json:"executionMode"`
	RoutePlan      []RouteStep      `json:"routePlan"`
}

// Order is an order ready to be checked, signed and sent.
type Order struct {
	OrderQuote
	Transaction          walletfi.Base64Transaction `json:"transaction" wire:"required"`
	ComputeUnitLimit     uint64                     `json:"computeUnitLimit"`
	LastValidBlockHeight uint64                     `json:"lastValidBlockHeight"` // it cannot land after this block height
	// PrioritizationFeeLamports is the fee that the service put in.
	PrioritizationFeeLamports walletfi.Amount `json:"prioritizationFeeLamports"`

	intent walletfi.Intent
}

// Unsigned returns the transaction with what the request asked for.
func (o *Order) Unsigned() walletfi.Unsigned {
	return walletfi.Unsigned{
		Transactions:         []walletfi.EncodedTransaction{o.Transaction},
		Intent:               o.intent,
		LastValidBlockHeight: o.LastValidBlockHeight,
	}
}

// QuoteOrder returns what an order would bring, for nobody in particular.
//
// GET /order without userPublicKey.
func (c *Client) QuoteOrder(ctx context.Context, req OrderRequest, opts ...walletfi.CallOption) (*OrderQuote, error) {
	values, err := c.orderQuery("", req)
	return transport.Do[OrderQuote](ctx, c.t, transport.Call{
		Op: "QuoteOrder", Effect: transport.Read, Method: http.MethodGet,
		Path: transport.Path("/order"), Query: values, Invalid: check.All(req.problem(), err),
	}, opts)
}

// BuildOrder builds the unsigned transaction of an order by user. An answer
// whose price impact is above Config.Freshness is ErrPriceImpact. The service
// has no route that submits it: a walletfi.Submitter sends it, and WaitOrder
// follows it where ExecutionMode says that there is something to follow.
//
// GET /order with userPublicKey. It moves nothing: safe to retry.
func (c *Client) BuildOrder(ctx context.Context, user string, req OrderRequest, opts ...walletfi.CallOption) (*Order, error) {
	values, err := c.orderQuery(user, req)
	order, err := transport.Do[Order](ctx, c.t, transport.Call{
		Op: "BuildOrder", Effect: transport.Build, Method: http.MethodGet,
		Path: transport.Path("/order"), Query: values,
		Invalid: check.All(check.Address("userPublicKey", user), req.problem(), err),
	}, opts)
	if err != nil {
		return nil, err
	}
	if err := c.freshness.impactProblem(order.PriceImpactPct); err != nil {
		return nil, err
	}
	order.intent = req.intent(user, order.OrderQuote)
	return order, nil
}

func (c *Client) orderQuery(user string, req OrderRequest) (url.Values, error) {
	values, err := query.Values(req)
	if err != nil {
		return nil, err
	}
	if user != "" {
		values.Set("userPublicKey", user)
	}
	if req.PriorityFee.IsZero() || req.PriorityFee.problem() != nil {
		return values, nil
	}
	fee, err := c.feeQuery(req.PriorityFee)
	maps.Copy(values, fee)
	return values, err
}

func (r OrderRequest) problem() error {
	return check.All(
		pair(r.InputMint, r.OutputMint),
		check.Positive("amount", r.Amount),
		r.Slippage.problem("slippageBps"),
		check.RangeOf("predictionMarketSlippageBps", r.PredictionMarketSlippageBps, 0, maxBps),
		check.RangeOf("platformFeeBps", r.PlatformFeeBps, 0, maxBps),
		check.That(r.PlatformFeeScale == nil || *r.PlatformFeeScale >= 0, "platformFeeScale", "must not be negative"),
		r.PriorityFee.problem(),
	)
}

// pair is the rule of every request that trades one mint for another.
func pair(input, output string) error {
	return check.All(
		check.Address("inputMint", input),
		check.Address("outputMint", output),
		check.That(input == "" || input != output, "outputMint", "must be another than inputMint"),
	)
}

func (r OrderRequest) intent(user string, quote OrderQuote) walletfi.Intent {
	t := trade{
		in:  walletfi.Asset{Mint: r.InputMint, Amount: r.Amount},
		out: walletfi.Asset{Mint: r.OutputMint, Amount: quote.OutAmount},
		min: quote.MinOutAmount,
	}
	i := walletfi.Intent{
		Service: "swap", Owner: user,
		Spend:                 []walletfi.Asset{t.in},
		TipLamports:           r.PriorityFee.tip(),
		MaxNetworkFeeLamports: r.PriorityFee.networkFeeCap(),
	}
	if r.PlatformFeeBps != nil {
		i.ServiceFee = t.platformFee(*r.PlatformFeeBps, "")
	}
	if !quote.ExecutionMode.Polled() {
		// Elsewhere the proceeds come later, with a transaction of the service's.
		i.Receive = t.least(i.ServiceFee)
	}
	return i
}
