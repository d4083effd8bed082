package leverage

import (
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// tick is how often interest alone may liquidate a position.
const tick = time.Hour

// settle liquidates every position whose debt has come too close to what it
// holds. The lender gets the holdings, whatever they are worth; the owner gets
// nothing.
func (l *Service) settle() {
	for _, p := range l.positions {
		if p.status != executed {
			continue
		}
		b := l.current(p)
		risk := p.offer.risk(b)
		if risk.ltv < liquidationLTV && (b.debt() == 0 || p.offer.value(b) > 0) {
			continue
		}
		recovered := min(b.debt(), build.Worth(p.offer.held(), b.holdings, p.offer.borrowed()))
		p.offer.liquidity += recovered
		l.record("LIQUIDATION", p, recovered, p.offer.usd(-float64(b.invested)), nil)
		p.end(liquidated, l.Now())
	}
}

// tick settles by the hour while there is anything to be settled.
func (l *Service) tick() {
	if l.ticking {
		return
	}
	l.ticking = true
	l.After(tick, func() {
		l.ticking = false
		l.settle()
		for _, p := range l.positions {
			if p.status == executed {
				l.tick()
				return
			}
		}
	})
}
