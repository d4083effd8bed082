package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type partialRepayRequest struct {
	positionRequest
	Ratio uint64 `body:"repaymentBps,required" min:"1" max:"10000"`
}

// repay builds the transaction that pays the whole debt and releases the
// holdings, which ends the position. The amount is fixed when the transaction
// is built and includes interest until it expires.
func (l *Service) repay(c *kit.Call, in positionRequest) any {
	p := l.mine(c, in.Position, in.User)
	expires := l.Now().Add((ledger.HashLifetime + 2) * l.Config.SlotTime)
	due := sum{p.offer.borrowed(), p.accrued(p.offer, expires).debt()}
	l.affords(p.owner, due)
	return l.answer(order{
		owner: p.owner, pays: []sum{due}, receives: []sum{{p.offer.held(), p.holdings}}, change: repaying{l, p, due},
	})
}

// repaying pays the whole debt.
type repaying struct {
	l   *Service
	p   *position
	due sum
}

func (x repaying) payout() uint64 { return x.p.holdings }

func (x repaying) check() {
	ledger.FailIf(x.l.current(x.p).debt() > x.due.amount, ledger.Custom(6005))
	x.p.live()
}

func (x repaying) apply(r *ledger.Receipt) {
	p, b := x.p, x.l.current(x.p)
	gain := float64(p.offer.value(b)) - float64(p.offer.cost(b)) - float64(b.invested)
	p.offer.liquidity += x.due.amount
	x.l.record("REPAY", p, x.due.amount, p.offer.usd(gain), r)
	p.end(closed, r.Time)
}

// partialRepay builds the transaction that pays a share of the debt. The
// position stays open, even if the share is the whole debt.
func (l *Service) partialRepay(c *kit.Call, in partialRepayRequest) any {
	p := l.mine(c, in.Position, in.User)
	due := sum{p.offer.borrowed(), shareOf(l.current(p).debt(), in.Ratio)}
	kit.BadIf(due.amount == 0, "there is nothing to repay")
	l.affords(p.owner, due)
	return l.answer(order{owner: p.owner, pays: []sum{due}, change: partRepaying{repaying{l, p, due}}})
}

// partRepaying pays a part of the debt.
type partRepaying struct{ of repaying }

func (x partRepaying) check() {
	ledger.FailIf(x.of.l.current(x.of.p).debt() < x.of.due.amount, ledger.Custom(6005))
	x.of.p.live()
}

func (x partRepaying) apply(r *ledger.Receipt) {
	p, due := x.of.p, x.of.due
	p.book = x.of.l.current(p)
	principal, interest := p.pay(due.amount)
	p.offer.liquidity += principal + interest
	p.invested += int64(build.Worth(due.token, due.amount, p.offer.quoteToken()))
	x.of.l.record("REPAY", p, due.amount, 0, r)
}
