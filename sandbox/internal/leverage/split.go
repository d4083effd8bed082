package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type splitRequest struct {
	positionRequest
	Ratio uint64 `body:"splitRatioBps,required" min:"1" max:"9999"`
}

type mergeRequest struct {
	First  string `body:"firstPositionAddress,required" form:"key"`
	Second string `body:"secondPositionAddress,required" form:"key"`
	User   string `body:"userPublicKey,required" form:"key"`
}

func (l *Service) split(c *kit.Call, in splitRequest) any {
	p := l.mine(c, in.Position, in.User)
	order, _, _ := l.splitting(p, in.Ratio)
	return l.answer(order)
}

// splitting is the order that replaces a position by two: the share first, then
// the rest.
func (l *Service) splitting(p *position, bps uint64) (o order, share, rest *position) {
	a, b := p.portion(bps)
	kit.BadIf(a.holdings == 0 || b.holdings == 0, "the position is too small to be split like that")
	share, rest = l.plan(p.owner, p.offer), l.plan(p.owner, p.offer)
	return order{owner: p.owner, change: splitting{l, p, share, rest, bps}}, share, rest
}

// splitting replaces a position by two.
type splitting struct {
	l              *Service
	p, share, rest *position
	bps            uint64
}

func (x splitting) check() { x.p.live() }

func (x splitting) apply(r *ledger.Receipt) {
	a, b := x.l.current(x.p).portion(x.bps)
	x.l.record("SPLIT", x.p, a.collateral, 0, r)
	x.p.end(closed, r.Time)
	x.l.enter(x.share, a, r.Time)
	x.l.enter(x.rest, b, r.Time)
}

// merge builds the transaction that replaces two positions by one. The new
// position belongs to the first position's offer, which takes over the loan of
// the second's.
func (l *Service) merge(c *kit.Call, in mergeRequest) any {
	first := l.mine(c, in.First, in.User)
	second := l.mine(c, in.Second, in.User)
	a, b := first.offer, second.offer
	kit.BadIf(first == second, "a position cannot be merged with itself")
	kit.BadIf(a.base != b.base || a.quote != b.quote || a.side != b.side, "the positions are not of one pair and side")
	kit.BadIf(a != b && second.principal > a.liquidity, "the first position's offer has %d left to lend", a.liquidity)
	p := l.plan(first.owner, a)
	return l.answer(order{owner: first.owner, change: merging{l, first, second, p}})
}

// merging replaces two positions by one.
type merging struct {
	l                *Service
	first, second, p *position
}

func (x merging) check() {
	a, b := x.first.offer, x.second.offer
	x.first.live()
	ledger.FailIf(a != b && x.second.principal > a.liquidity, ledger.Custom(6001))
	x.second.live()
}

func (x merging) apply(r *ledger.Receipt) {
	a, b := x.first.offer, x.second.offer
	book := x.l.current(x.first).merged(x.l.current(x.second))
	if a != b {
		a.liquidity -= x.second.principal
		b.liquidity += x.second.principal
	}
	x.l.record("MERGE", x.p, book.collateral, 0, r)
	x.first.end(closed, r.Time)
	x.second.end(closed, r.Time)
	x.l.enter(x.p, book, r.Time)
}
