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
		owner: p.owner, pays: []sum{due}, receives: []sum{{p.offer.held(), p.holdings}},
		check: func() {
			ledger.FailIf(l.current(p).debt() > due.amount, ledger.Custom(6005))
			p.live()
		},
		payout: func() uint64 { return p.holdings },
		apply: func(r *ledger.Receipt) {
			b := l.current(p)
			gain := float64(p.offer.value(b)) - float64(p.offer.cost(b)) - float64(b.invested)
			p.offer.liquidity += due.amount
			l.record("REPAY", p, due.amount, p.offer.usd(gain), r)
			p.end(closed, r.Time)
		},
	})
}

// partialRepay builds the transaction that pays a share of the debt. The
// position stays open, even if the share is the whole debt.
func (l *Service) partialRepay(c *kit.Call, in partialRepayRequest) any {
	p := l.mine(c, in.Position, in.User)
	due := sum{p.offer.borrowed(), shareOf(l.current(p).debt(), in.Ratio)}
	kit.BadIf(due.amount == 0, "there is nothing to repay")
	l.affords(p.owner, due)
	return l.answer(order{
		owner: p.owner, pays: []sum{due},
		check: func() {
			ledger.FailIf(l.current(p).debt() < due.amount, ledger.Custom(6005))
			p.live()
		},
		apply: func(r *ledger.Receipt) {
			p.book = l.current(p)
			principal, interest := p.pay(due.amount)
			p.offer.liquidity += principal + interest
			p.invested += int64(build.Worth(due.token, due.amount, p.offer.quoteToken()))
			l.record("REPAY", p, due.amount, 0, r)
		},
	})
}
