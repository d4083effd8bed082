package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type closeQuoteRequest struct {
	positionRequest
	Slippage *uint64 `body:"slippageBps" max:"10000"`
}

type closeRequest struct {
	closeQuoteRequest
	Tip uint64 `body:"relayTipLamports"`
}

// closeQuote previews the proceeds and what was won, in one of two shapes.
func (l *Service) closeQuote(c *kit.Call, in closeQuoteRequest) any {
	p := l.mine(c, in.Position, in.User)
	b := l.current(p)
	proceeds, fee := p.offer.closed(b)
	minimum := least(proceeds, in.Slippage)
	gain := float64(proceeds) - float64(b.invested)
	roi := gain / float64(b.collateral) * 100
	shape := c.Shape(2)
	if shape == 0 {
		return map[string]any{
			"proceeds": proceeds, "minimumProceeds": minimum, "debtRepaid": b.debt(), "interestPaid": b.interest, "fee": fee,
			"pnlUsd": p.offer.usd(gain), "roiPercent": roi, "exitPrice": p.offer.price(),
		}
	}
	return map[string]any{
		"output": map[string]any{
			"amount": units(proceeds, shape), "minimum": units(minimum, shape), "mint": p.offer.quoteToken().Mint,
		},
		"fees": map[string]any{"closeFee": units(fee, shape), "interest": units(b.interest, shape)},
		"pnl":  map[string]any{"usd": figure(p.offer.usd(gain), shape), "percent": figure(roi, shape)},
	}
}

// close builds the transaction that sells the holdings, pays the debt and pays
// out the rest.
func (l *Service) close(c *kit.Call, in closeRequest) any {
	p := l.mine(c, in.Position, in.User)
	return l.answer(l.closing(p, l.current(p), in.Slippage, in.Tip))
}

// closing is the order that closes a position, whose book is b when it is
// built. The proceeds are those at execution, unless that is too little.
func (l *Service) closing(p *position, b book, slippage *uint64, tip uint64) order {
	expected, _ := p.offer.closed(b)
	return order{
		owner: p.owner, receives: []sum{{p.offer.quoteToken(), expected}}, tip: tip,
		change: closing{l, p, least(expected, slippage)},
	}
}

// closing closes a position.
type closing struct {
	l       *Service
	p       *position
	minimum uint64
}

// payout returns the proceeds.
func (x closing) payout() uint64 {
	n, _ := x.p.offer.closed(x.l.current(x.p))
	return n
}

func (x closing) check() {
	x.p.live()
	ledger.FailIf(x.payout() < x.minimum, ledger.Custom(6004))
}

func (x closing) apply(r *ledger.Receipt) {
	p, paid, b := x.p, x.payout(), x.l.current(x.p)
	p.offer.liquidity += b.debt()
	x.l.record("CLOSE", p, paid, p.offer.usd(float64(paid)-float64(b.invested)), r)
	p.end(closed, r.Time)
}
