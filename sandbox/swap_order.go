package sandbox

import (
	"net/http"

	"github.com/gagliardetto/solana-go"
)

type swapOrderRequest struct {
	InputMint          string        `query:"inputMint,required"`
	OutputMint         string        `query:"outputMint,required"`
	Amount             uint64        `query:"amount,required"`
	User               *string       `query:"userPublicKey"`
	Slippage           *swapSlippage `query:"slippageBps"`
	PredictionSlippage *uint64       `query:"predictionMarketSlippageBps" max:"10000"`
	PlatformFeeBps     *uint64       `query:"platformFeeBps" max:"10000"`
	PlatformFeeScale   *uint64       `query:"platformFeeScale"` // thousandths of p(1-p)
	Priority           *swapPriority `query:"prioritizationFeeLamports"`
}

// swapOffer is a priced order, of pools or of a market's book.
type swapOffer struct {
	out, least uint64
	impact     string
	mode       string
	hops       int
	steps      []swapStepAnswer
	// instructions make the transaction, for its owner and who pays.
	instructions func(owner solana.PublicKey) []solana.Instruction
	tables       []solana.PublicKey
}

// order prices, and for a user builds. Without one there is no transaction: the
// field is absent or null.
func (w *swap) order(c *call, in swapOrderRequest) (any, error) {
	offer, err := w.offer(in)
	if err != nil {
		return nil, err
	}
	fees, err := w.fees(in.Priority, swapUnits(offer.hops, true))
	if err != nil {
		return nil, err
	}
	_, last := w.chain.Blockhash(0)
	answer := map[string]any{
		"outAmount": swapText(offer.out), "minOutAmount": swapText(offer.least), "priceImpactPct": offer.impact,
		"executionMode": offer.mode, "computeUnitLimit": fees.unitLimit, "lastValidBlockHeight": last,
		"prioritizationFeeLamports": fees.lamports, "routePlan": offer.steps,
	}
	if in.User == nil {
		if c.shape(2) == 1 {
			answer["transaction"] = nil
		}
		return answer, nil
	}
	owner, err := c.key(*in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	tx, err := w.build(Swap, unsigned{
		owner: owner, unitLimit: fees.unitLimit, unitPrice: fees.unitPrice, tables: offer.tables,
		instructions: append(offer.instructions(owner), w.tipping(fees, owner)...),
	})
	if err != nil {
		return nil, err
	}
	answer["transaction"], answer["lastValidBlockHeight"] = tx.base64(), tx.LastValidBlockHeight
	return answer, nil
}

// offer prices over the pools, or at the book of the market whose token it is.
func (w *swap) offer(in swapOrderRequest) (*swapOffer, error) {
	if o, ok := w.outcome(in.OutputMint); ok {
		return w.offerOutcome(in, o, true)
	}
	if o, ok := w.outcome(in.InputMint); ok {
		return w.offerOutcome(in, o, false)
	}
	from, to, err := w.pair(in.InputMint, in.OutputMint)
	if err != nil {
		return nil, err
	}
	q, ok := w.book.quote(poolRequest{from: from, to: to, amount: in.Amount, hops: swapHops})
	if !ok {
		return nil, refuse(http.StatusBadRequest, "", "no route for the pair and amount")
	}
	var fee poolFee
	if in.PlatformFeeBps != nil {
		fee.bps = *in.PlatformFeeBps
	}
	out := w.book.promised(q, fee)
	offer := &swapOffer{
		out: out, least: poolShare(out, 10_000-swapSlippageOf(in.Slippage, q), 10_000),
		impact: q.percent(), mode: "sync", hops: len(q.legs()), steps: swapSteps(q, false),
		tables: []solana.PublicKey{w.book.table(Swap)},
	}
	offer.instructions = func(owner solana.PublicKey) []solana.Instruction {
		t := &poolTrade{service: Swap, owner: owner, quote: q, limit: offer.least, fee: fee, done: w.executed}
		return w.book.around(t, poolWrap{wrap: true, unwrap: true})
	}
	return offer, nil
}
