package swap

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

type orderRequest struct {
	InputMint          string    `query:"inputMint,required" form:"key"`
	OutputMint         string    `query:"outputMint,required" form:"key"`
	Amount             uint64    `query:"amount,required"`
	User               *string   `query:"userPublicKey" form:"key"`
	Slippage           *slippage `query:"slippageBps"`
	PredictionSlippage *uint64   `query:"predictionMarketSlippageBps" max:"10000"`
	PlatformFeeBps     *uint64   `query:"platformFeeBps" max:"10000"`
	PlatformFeeScale   *uint64   `query:"platformFeeScale"` // thousandths of p(1-p)
	Priority           *priority `query:"prioritizationFeeLamports,brackets" open:"how an object is written"`
}

// offer is a priced order, of pools or of a market's book.
type offer struct {
	out, least uint64
	impact     string
	mode       string
	hops       int
	steps      []any
	// instructions make the transaction, for its owner and who pays.
	instructions func(owner solana.PublicKey) []solana.Instruction
	tables       []solana.PublicKey
}

// order prices a trade, and builds its transaction if the request names a user.
// Otherwise the transaction is absent or null.
func (w *Service) order(c *kit.Call, in orderRequest) any {
	offer := w.offer(in)
	fees := w.fees(in.Priority, units(offer.hops, true))
	_, last := w.Chain.Latest()
	answer := map[string]any{
		"outAmount": text(offer.out), "minOutAmount": text(offer.least), "priceImpactPct": offer.impact,
		"executionMode": offer.mode, "computeUnitLimit": fees.unitLimit, "lastValidBlockHeight": last,
		"prioritizationFeeLamports": fees.lamports, "routePlan": offer.steps,
	}
	if in.User == nil {
		if c.Shape(2) == 1 {
			answer["transaction"] = nil
		}
		return answer
	}
	owner := c.Key(*in.User, "userPublicKey")
	tx := w.Build(play.Swap, build.Unsigned{
		Owner: owner, UnitLimit: fees.unitLimit, UnitPrice: fees.unitPrice, Tables: offer.tables,
		Instructions: append(offer.instructions(owner), w.tipping(fees, owner)...),
	})
	answer["transaction"], answer["lastValidBlockHeight"] = tx.Base64(), tx.LastValidBlockHeight
	return answer
}

// offer prices over the pools, or at the book of the market whose token it is.
func (w *Service) offer(in orderRequest) *offer {
	if o, ok := w.Outcome(in.OutputMint); ok {
		return w.offerOutcome(in, o, true)
	}
	if o, ok := w.Outcome(in.InputMint); ok {
		return w.offerOutcome(in, o, false)
	}
	from, to := w.pair(in.InputMint, in.OutputMint)
	q := w.book.Best(market.Request{From: from, To: to, Amount: in.Amount, Hops: hops})
	fee := market.Fee{Bps: kit.Or(in.PlatformFeeBps, 0)}
	out := w.book.Promised(q, fee)
	offer := &offer{
		out: out, least: market.Share(out, 10_000-slippageOf(in.Slippage, q), 10_000),
		impact: q.Percent(), mode: "sync", hops: len(q.Legs()), steps: steps(q, false),
		tables: []solana.PublicKey{w.book.Table(play.Swap)},
	}
	offer.instructions = func(owner solana.PublicKey) []solana.Instruction {
		t := &market.Trade{Service: play.Swap, Owner: owner, Quote: q, Limit: offer.least, Fee: fee, Watcher: w}
		return w.book.Around(t, market.Wrap{Wrap: true, Unwrap: true})
	}
	return offer
}
