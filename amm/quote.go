package amm

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/asking"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/slippage"
	"github.com/walletfi/walletfi-go/internal/stored"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Kind says which amount of a swap is exact.
type Kind string

// The kinds of a quote.
const (
	BaseIn  Kind = "base-in"  // the input is exact, the output estimated
	BaseOut Kind = "base-out" // the output is exact, the input estimated
)

// TxVersion is the format of a swap's transactions.
type TxVersion string

// The transaction versions.
const (
	TxVersionV0     TxVersion = "V0"     // versioned, with address lookup tables: recommended
	TxVersionLegacy TxVersion = "LEGACY" // for wallets that do not support V0
)

// QuoteRequest describes a swap to quote.
type QuoteRequest struct {
	InputMint  string `url:"inputMint"`  // token to give, base58; required
	OutputMint string `url:"outputMint"` // token to get, base58; required
	// Amount is the input for QuoteBaseIn and the output for QuoteBaseOut, in the
	// token's smallest unit; more than 0.
	Amount walletfi.Amount `url:"amount"`
	// Slippage is how far the price may move, 0 to 10,000 basis points; required.
	Slippage walletfi.Slippage `url:"slippageBps"`
	// TxVersion is the version of the transactions that are built from the quote.
	// Empty means TxVersionV0.
	TxVersion TxVersion `url:"txVersion" asked:"-"`
}

// Quote is the expected result of a swap. Build it at once with
// [Client.BuildSwap]: it becomes stale within seconds.
type Quote struct {
	InputMint  string          `json:"inputMint" wire:"required"`
	OutputMint string          `json:"outputMint" wire:"required"`
	InAmount   walletfi.Amount `json:"inAmount" wire:"required"` // exact for BaseIn, otherwise estimated
	OutAmount  walletfi.Amount `json:"outAmount" wire:"said"`    // exact for BaseOut, otherwise estimated
	// OtherAmountThreshold bounds the estimated side: the smallest output of
	// BaseIn, the largest input of BaseOut.
	OtherAmountThreshold walletfi.Amount  `json:"otherAmountThreshold" wire:"said,min=1"`
	PriceImpactPct       walletfi.Decimal `json:"priceImpactPct" wire:"strict,said,min=0,max=100"` // percent
	RoutePlan            []RouteStep      `json:"routePlan"`

	kind    Kind
	request QuoteRequest
	echo    walletfi.Document // sent back byte for byte
	from    stored.Origin
	at      time.Time      // arrival
	clock   walletfi.Clock // of the client, nil is real time
}

// RouteStep is one pool of a route.
type RouteStep struct {
	PoolID     string           `json:"poolId" wire:"said"`
	InputMint  string           `json:"inputMint"`
	OutputMint string           `json:"outputMint"`
	FeeMint    string           `json:"feeMint"`                      // token of FeeAmount
	FeeRate    walletfi.Decimal `json:"feeRate" wire:"decides,min=0"` // as the pool states it
	FeeAmount  walletfi.Amount  `json:"feeAmount" wire:"said"`
}

// quoteAnswer lists the members that a quote must have.
var quoteAnswer = transport.Says("inAmount:number", "outAmount:number")

// QuoteBaseIn quotes giving exactly req.Amount of req.InputMint. If no pools
// connect the two mints, the error is ErrNoRoute.
//
// GET /compute/swap-base-in.
func (c *Client) QuoteBaseIn(ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption) (*Quote, error) {
	return c.quote(ctx, BaseIn, req, transport.Call{
		Op: "QuoteBaseIn", Effect: transport.Read, Method: http.MethodGet,
		Answer: quoteAnswer,
		Path:   transport.Path("/compute/swap-base-in"),
	}, opts)
}

// QuoteBaseOut quotes getting exactly req.Amount of req.OutputMint. If no pools
// connect the two mints, the error is ErrNoRoute.
//
// GET /compute/swap-base-out.
func (c *Client) QuoteBaseOut(ctx context.Context, req QuoteRequest, opts ...walletfi.CallOption) (*Quote, error) {
	return c.quote(ctx, BaseOut, req, transport.Call{
		Op: "QuoteBaseOut", Effect: transport.Read, Method: http.MethodGet,
		Answer: quoteAnswer,
		Path:   transport.Path("/compute/swap-base-out"),
	}, opts)
}

func (c *Client) quote(
	ctx context.Context, kind Kind, req QuoteRequest, call transport.Call, opts []walletfi.CallOption,
) (*Quote, error) {
	if req.TxVersion == "" {
		req.TxVersion = TxVersionV0
	}
	call.Query, call.Invalid = req, req.problem()
	call.Echo = transport.Echo(func(q *quoteFields) error { return req.mismatch(kind, (*Quote)(q)) })
	var envelope, whole []byte
	if c.made().echoEnvelope && c.made().trade.Dialect() == nil {
		opts = append(slices.Clip(opts), transport.Capture(&envelope))
	}
	opts = c.made().trade.GoesBack(&call, &whole, opts)
	answer, err := transport.Do(ctx, c.made().trade, call, opts, func(q *quoteFields, _, data walletfi.Document) {
		q.kind, q.request, q.echo, q.at = kind, req, slices.Clone(data), c.made().trade.Now()
		q.clock, q.from = c.made().trade.Clock(), c.made().trade.Origin(whole)
		if envelope != nil {
			q.echo = slices.Clone(envelope)
		}
	})
	return (*Quote)(answer), err
}

func (r QuoteRequest) problem() error {
	return check.All(
		check.Address("inputMint", r.InputMint),
		check.Address("outputMint", r.OutputMint),
		check.Positive("amount", r.Amount),
		check.Slippage("slippageBps", r.Slippage),
		check.OneOf("txVersion", r.TxVersion, TxVersionV0, TxVersionLegacy),
	)
}

// mismatch holds a quote against its request. Of the two amounts, one is
// estimated.
func (r QuoteRequest) mismatch(kind Kind, q *Quote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, s := range q.RoutePlan {
		steps[i] = echo.Step{In: s.InputMint, Out: s.OutputMint}
	}
	exact := echo.Amount("inAmount", r.Amount, q.InAmount)
	if kind == BaseOut {
		exact = echo.Amount("outAmount", r.Amount, q.OutAmount)
	}
	return echo.All(
		echo.Mint("inputMint", r.InputMint, q.InputMint),
		echo.Mint("outputMint", r.OutputMint, q.OutputMint),
		exact,
		echo.Route("routePlan", r.InputMint, r.OutputMint, steps),
		r.bound(kind, q),
	)
}

// bound holds the threshold of a quote against its estimated side and the slippage.
func (r QuoteRequest) bound(kind Kind, q *Quote) error {
	threshold := slippage.Stated{Field: "otherAmountThreshold", Amount: q.OtherAmountThreshold}
	if kind == BaseOut {
		return echo.All(
			slippage.Ceiling(threshold, slippage.Most(q.InAmount, r.Slippage)),
			slippage.Ordered(slippage.Stated{Field: "inAmount", Amount: q.InAmount}, threshold),
		)
	}
	least := slippage.Least(q.OutAmount, r.Slippage)
	return slippage.Floors(slippage.Stated{Field: "outAmount", Amount: q.OutAmount}, least, threshold)
}

// Kind returns which amount is exact.
func (q *Quote) Kind() Kind { return q.kind }

// TxVersion returns the transaction version of the request.
func (q *Quote) TxVersion() TxVersion { return q.request.TxVersion }

// Asked returns what of the quote's request a payment is known by: the mints, the amount
// and which of the two amounts it is. It implements [walletfi.Asker].
func (q *Quote) Asked() map[string]string {
	return asking.Of(struct {
		QuoteRequest
		Kind Kind
	}{q.request, q.kind})
}

// Request returns the request of the quote.
func (q *Quote) Request() QuoteRequest { return q.request }

// Age returns the time since the quote arrived.
func (q *Quote) Age() time.Duration { return clock.Since(q.clock, q.at) }

// SwapResponse returns what [Client.BuildSwap] sends back: the quote's data
// exactly as it arrived, or the whole answer under Config.EchoEnvelope.
func (q *Quote) SwapResponse() walletfi.Document { return slices.Clone(q.echo) }
