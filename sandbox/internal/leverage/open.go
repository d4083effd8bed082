package leverage

import (
	"math"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// slippage is the default tolerance of a request, basis points.
const slippage = 50

// least returns an amount less the slippage that a request
// tolerates.
func least(amount uint64, slippageBps *uint64) uint64 {
	return shareOf(amount, 10_000-kit.Or(slippageBps, slippage))
}

type quoteRequest struct {
	Offer      string  `body:"offerPublicKey,required" form:"key"`
	User       string  `body:"userPublicKey,required" form:"key"`
	Collateral amount  `body:"collateralAmount,required"`
	Leverage   float64 `body:"leverage,required"`
	Slippage   *uint64 `body:"slippageBps" max:"10000"`
}

type openRequest struct {
	quoteRequest
	Tip uint64 `body:"relayTipLamports"`
}

// deal is a position that could be opened now.
type deal struct {
	offer      *offer
	book       book
	millionths uint64 // leverage
	fee        uint64 // quote units
	minimum    uint64 // holdings that the slippage leaves
}

// deal computes the position that a request would open.
func (l *Service) deal(in quoteRequest) (d deal) {
	l.settle()
	d.offer = l.offer(in.Offer)
	kit.BadIf(!(in.Leverage > 1) || in.Leverage > d.offer.maxLeverage,
		"leverage must be above 1 and at most %v", d.offer.maxLeverage)
	d.millionths = uint64(math.Round(in.Leverage * 1e6))
	d.book, d.fee = d.offer.opened(uint64(in.Collateral), d.millionths, l.Now())
	kit.BadIf(d.book.principal > d.offer.liquidity,
		"the offer has %d left to lend, %d are needed", d.offer.liquidity, d.book.principal)
	kit.BadIf(d.book.principal == 0 || d.book.holdings == 0, "collateralAmount is too little")
	d.minimum = least(d.book.holdings, in.Slippage)
	return d
}

// quote previews a trade, in one of two shapes.
func (l *Service) quote(c *kit.Call, in quoteRequest) any {
	c.Key(in.User, "userPublicKey")
	d := l.deal(in)
	shape, r := c.Shape(2), d.offer.risk(d.book)
	figures := map[string]any{
		"expectedOutput": units(d.book.holdings, shape), "minimumOutput": units(d.minimum, shape),
		"borrowAmount": units(d.book.principal, shape), "entryPrice": figure(d.book.entry, shape),
	}
	fees := map[string]any{"openFee": units(d.fee, shape), "feeBps": feeBps}
	risk := map[string]any{
		"liquidationPrice": figure(r.liquidation, shape), "ltv": figure(r.ltv, shape),
		"effectiveLeverage": figure(r.leverage, shape), "dailyInterestCost": units(r.daily, shape),
	}
	if shape == 0 {
		figures["fees"], figures["risk"] = fees, risk
		return figures
	}
	return map[string]any{"quote": figures, "feeBreakdown": fees, "riskMetrics": risk}
}

// open builds the transaction that takes the collateral and opens the position.
func (l *Service) open(c *kit.Call, in openRequest) any {
	owner := c.Key(in.User, "userPublicKey")
	d := l.deal(in.quoteRequest)
	pays := sum{d.offer.quoteToken(), d.book.collateral}
	l.affords(owner, pays)
	p := l.plan(owner, d.offer)
	return l.answer(order{owner: owner, pays: []sum{pays}, tip: in.Tip, change: opening{l, p, d}})
}

// opening opens a position.
type opening struct {
	l *Service
	p *position
	d deal
}

func (x opening) now() book {
	b, _ := x.d.offer.opened(x.d.book.collateral, x.d.millionths, x.l.Now())
	return b
}

func (x opening) check() {
	b := x.now()
	ledger.FailIf(b.principal > x.d.offer.liquidity, ledger.Custom(6001))
	ledger.FailIf(b.holdings < x.d.minimum, ledger.Custom(6004))
}

func (x opening) apply(r *ledger.Receipt) {
	b := x.now()
	x.d.offer.liquidity -= b.principal
	x.l.enter(x.p, b, r.Time)
	x.l.record("OPEN", x.p, b.collateral, 0, r)
}
