package sandbox

import (
	"errors"
	"fmt"
	"time"
)

// leverageTick is how often interest alone may liquidate a position.
const leverageTick = time.Hour

// SetPrice moves the market price of a token: what a whole one is worth, in
// millionths of a dollar, above 0. Every service that prices by the market
// goes by it from then on. Leveraged positions that it carries past their
// liquidation price are liquidated before SetPrice returns.
func (s *Sandbox) SetPrice(mint string, microUSD uint64) error {
	if microUSD == 0 {
		return errors.New("sandbox: a price must be above 0")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.chain.tokens {
		if s.chain.tokens[i].Mint == mint {
			s.chain.tokens[i].price = microUSD
			s.leverage.settle()
			return nil
		}
	}
	return fmt.Errorf("sandbox: %s is no mint", mint)
}

// settle liquidates every position whose debt has come too close to what it
// holds. The holdings go to the lender, who is made whole as far as they
// reach; the owner gets nothing.
func (l *leverage) settle() {
	for _, p := range l.positions {
		if p.status != leverageExecuted {
			continue
		}
		b := l.current(p)
		risk := p.offer.risk(b)
		if risk.ltv < leverageLiquidationLTV && (b.debt() == 0 || p.offer.value(b) > 0) {
			continue
		}
		recovered := min(b.debt(), worth(p.offer.held(), b.holdings, p.offer.borrowed()))
		p.offer.liquidity += recovered
		l.record("LIQUIDATION", p, recovered, p.offer.usd(-float64(b.invested)), nil)
		p.end(leverageLiquidated, l.now())
	}
}

// tick settles by the hour while there is anything to be settled.
func (l *leverage) tick() {
	if l.ticking {
		return
	}
	l.ticking = true
	l.after(leverageTick, func() {
		l.ticking = false
		l.settle()
		for _, p := range l.positions {
			if p.status == leverageExecuted {
				l.tick()
				return
			}
		}
	})
}
