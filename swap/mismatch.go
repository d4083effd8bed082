package swap

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// mismatch holds a quote against its request. A slippage that is auto, or not
// set, is the service's choice.
func (r QuoteRequest) mismatch(q *Quote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, s := range q.RoutePlan {
		steps[i] = echo.Step{In: s.InputMint, Out: s.OutputMint}
	}
	var feeBps *int
	if q.PlatformFee != nil {
		feeBps = &q.PlatformFee.FeeBps
	}
	return echo.All(
		echo.Mint("inputMint", r.InputMint, q.InputMint),
		echo.Mint("outputMint", r.OutputMint, q.OutputMint),
		echo.Amount("inAmount", r.Amount, q.InAmount),
		slippageMismatch(r.Slippage, q.Slippage),
		echo.That(r.ForBundle == nil || *r.ForBundle || !q.ForBundle, "forBundle", false, true),
		echo.StatedOf("platformFee.feeBps", r.PlatformFeeBps, feeBps),
		echo.Route("routePlan", r.InputMint, r.OutputMint, steps),
		r.asked().floors(q),
	)
}

// slippageMismatch holds the tolerance of an answer, if it states one, against that which
// was asked for.
func slippageMismatch(asked, answered walletfi.Slippage) error {
	_, fixed := asked.Bps()
	return echo.That(!fixed || answered.IsZero() || answered == asked, "slippageBps", asked, answered)
}

// mismatch holds the ends of an order's route against its request, the answer names
// the mints nowhere else, its floor, and its priority fee if it says one.
func (r OrderRequest) mismatch(q *OrderQuote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, s := range q.RoutePlan {
		steps[i] = echo.Step{In: s.InputMint, Out: s.OutputMint}
	}
	var fee error
	if q.PrioritizationFeeLamports != nil {
		fee = r.PrioritizationFee.mismatch(*q.PrioritizationFeeLamports)
	}
	return echo.All(echo.Route("routePlan", r.InputMint, r.OutputMint, steps), r.floor(q), fee)
}

// built is mismatch of an order with its transaction, and of its priority fee.
func (r OrderRequest) built(o *Order) error {
	return echo.All(r.mismatch(&o.OrderQuote), r.PrioritizationFee.mismatch(o.PrioritizationFeeLamports))
}

// mismatch holds an intent against its request.
func (r IntentRequest) mismatch(i *BuiltIntent) error {
	return echo.All(
		echo.Mint("inputMint", r.InputMint, i.InputMint),
		echo.Mint("outputMint", r.OutputMint, i.OutputMint),
		echo.Stated("inAmount", r.Amount, i.InAmount),
		slippageMismatch(r.Slippage, i.Slippage),
		r.floor(i),
	)
}
