package sandbox

import (
	"math"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// leverageSlippage is what a request tolerates that does not say, basis points.
const leverageSlippage = 50

// leverageLeast is what is left of an amount after the slippage that a request
// tolerates.
func leverageLeast(amount uint64, slippageBps *uint64) uint64 {
	tolerated := uint64(leverageSlippage)
	if slippageBps != nil {
		tolerated = *slippageBps
	}
	return leverageBps(amount, 10_000-tolerated)
}

type leverageQuoteRequest struct {
	Offer      string         `body:"offerPublicKey,required"`
	User       string         `body:"userPublicKey,required"`
	Collateral leverageAmount `body:"collateralAmount,required"`
	Leverage   float64        `body:"leverage,required"`
	Slippage   *uint64        `body:"slippageBps" min:"0" max:"10000"`
}

type leverageOpenRequest struct {
	Offer      string         `body:"offerPublicKey,required"`
	User       string         `body:"userPublicKey,required"`
	Collateral leverageAmount `body:"collateralAmount,required"`
	Leverage   float64        `body:"leverage,required"`
	Slippage   *uint64        `body:"slippageBps" min:"0" max:"10000"`
	Tip        uint64         `body:"relayTipLamports"`
}

// leverageDeal is a position that could be opened now.
type leverageDeal struct {
	offer      *leverageOffer
	book       leverageBook
	millionths uint64 // leverage
	fee        uint64 // quote units
	minimum    uint64 // holdings that the slippage leaves
}

// deal reckons what a request would get.
func (l *leverage) deal(in leverageQuoteRequest) (d leverageDeal, err error) {
	l.settle()
	if d.offer, err = l.offer(in.Offer); err != nil {
		return d, err
	}
	if !(in.Leverage > 1) || in.Leverage > d.offer.maxLeverage {
		return d, leverageBad("leverage must be above 1 and at most %v", d.offer.maxLeverage)
	}
	d.millionths = uint64(math.Round(in.Leverage * 1e6))
	d.book, d.fee = d.offer.opened(uint64(in.Collateral), d.millionths, l.now())
	if d.book.principal > d.offer.liquidity {
		return d, leverageBad("the offer has %d left to lend, %d are needed", d.offer.liquidity, d.book.principal)
	}
	if d.book.principal == 0 || d.book.holdings == 0 {
		return d, leverageBad("collateralAmount is too little")
	}
	d.minimum = leverageLeast(d.book.holdings, in.Slippage)
	return d, nil
}

// quote previews a trade, in one of two shapes.
func (l *leverage) quote(c *call, in leverageQuoteRequest) (any, error) {
	if _, err := c.key(in.User, "userPublicKey"); err != nil {
		return nil, err
	}
	d, err := l.deal(in)
	if err != nil {
		return nil, err
	}
	shape, r := c.shape(2), d.offer.risk(d.book)
	figures := map[string]any{
		"expectedOutput": leverageUnits(d.book.holdings, shape), "minimumOutput": leverageUnits(d.minimum, shape),
		"borrowAmount": leverageUnits(d.book.principal, shape), "entryPrice": leverageFigure(d.book.entry, shape),
	}
	fees := map[string]any{"openFee": leverageUnits(d.fee, shape), "feeBps": leverageFeeBps}
	risk := map[string]any{
		"liquidationPrice": leverageFigure(r.liquidation, shape), "ltv": leverageFigure(r.ltv, shape),
		"effectiveLeverage": leverageFigure(r.leverage, shape), "dailyInterestCost": leverageUnits(r.daily, shape),
	}
	if shape == 0 {
		figures["fees"], figures["risk"] = fees, risk
		return figures, nil
	}
	return map[string]any{"quote": figures, "feeBreakdown": fees, "riskMetrics": risk}, nil
}

// open builds what takes the collateral and opens the position.
func (l *leverage) open(c *call, in leverageOpenRequest) (*leverageBuilt, error) {
	owner, err := c.key(in.User, "userPublicKey")
	if err != nil {
		return nil, err
	}
	d, err := l.deal(leverageQuoteRequest{in.Offer, in.User, in.Collateral, in.Leverage, in.Slippage})
	if err != nil {
		return nil, err
	}
	pays := leverageSum{d.offer.quoteToken(), d.book.collateral}
	if err := l.affords(owner, pays); err != nil {
		return nil, err
	}
	p := l.plan(owner, d.offer)
	now := func() leverageBook {
		b, _ := d.offer.opened(d.book.collateral, d.millionths, l.now())
		return b
	}
	return l.answer(leverageOrder{
		owner: owner, pays: []leverageSum{pays}, tip: in.Tip,
		check: func() *ledger.InstructionError {
			switch b := now(); {
			case b.principal > d.offer.liquidity:
				return ledger.Custom(6001)
			case b.holdings < d.minimum:
				return ledger.Custom(6004)
			}
			return nil
		},
		apply: func(r *ledger.Receipt) {
			b := now()
			d.offer.liquidity -= b.principal
			l.enter(p, b, r.Time)
			l.record("OPEN", p, b.collateral, 0, r)
		},
	})
}
