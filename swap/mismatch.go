package swap

import "github.com/walletfi/walletfi-go/internal/echo"

// mismatch holds a quote against its request. A slippage that is auto, or not
// set, is the service's choice.
func (r QuoteRequest) mismatch(q *Quote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, s := range q.RoutePlan {
		steps[i] = echo.Step{In: s.InputMint, Out: s.OutputMint}
	}
	var feeBps int
	if q.PlatformFee != nil {
		feeBps = q.PlatformFee.FeeBps
	}
	return echo.All(
		echo.Mint("inputMint", r.InputMint, q.InputMint),
		echo.Mint("outputMint", r.OutputMint, q.OutputMint),
		echo.Amount("inAmount", r.Amount, q.InAmount),
		r.Slippage.mismatch(q.SlippageBps),
		echo.That(r.ForBundle == nil || *r.ForBundle || !q.ForBundle, "forBundle", false, true),
		echo.StatedOf("platformFee.feeBps", r.PlatformFeeBps, feeBps),
		echo.Route("routePlan", r.InputMint, r.OutputMint, steps),
	)
}

func (s Slippage) mismatch(answered int) error {
	bps, fixed := s.Bps()
	if !fixed {
		return nil
	}
	return echo.Stated("slippageBps", bps, answered)
}

// mismatch holds the ends of an order's route against its request: the answer
// names the mints nowhere else.
func (r OrderRequest) mismatch(q *OrderQuote) error {
	steps := make([]echo.Step, len(q.RoutePlan))
	for i, s := range q.RoutePlan {
		steps[i] = echo.Step{In: s.InputMint, Out: s.OutputMint}
	}
	return echo.Route("routePlan", r.InputMint, r.OutputMint, steps)
}

// mismatch holds an intent against its request.
func (r IntentRequest) mismatch(i *BuiltIntent) error {
	return echo.All(
		echo.Mint("inputMint", r.InputMint, i.InputMint),
		echo.Mint("outputMint", r.OutputMint, i.OutputMint),
		echo.Stated("inAmount", r.Amount, i.InAmount),
		echo.StatedOf("slippageBps", r.SlippageBps, i.SlippageBps),
	)
}
