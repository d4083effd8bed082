package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type addRequest struct {
	positionRequest
	Collateral amount `body:"collateralAmount,required"`
	Tip        uint64 `body:"relayTipLamports"`
}

// added is the book after adding collateral, which goes into the holdings.
func (o *offer) added(b book, amount uint64) book {
	b.collateral += amount
	b.invested += int64(amount)
	b.holdings += build.Worth(o.quoteToken(), amount, o.held())
	return b
}

// addCollateral builds the transaction that adds collateral to a position.
func (l *Service) addCollateral(c *kit.Call, in addRequest) any {
	p := l.mine(c, in.Position, in.User)
	paid := sum{p.offer.quoteToken(), uint64(in.Collateral)}
	l.affords(p.owner, paid)
	return l.answer(order{owner: p.owner, pays: []sum{paid}, tip: in.Tip, change: adding{l, p, paid.amount}})
}

// adding adds collateral to a position.
type adding struct {
	l      *Service
	p      *position
	amount uint64
}

func (x adding) check() { x.p.live() }

func (x adding) apply(*ledger.Receipt) { x.p.book = x.p.offer.added(x.l.current(x.p), x.amount) }

func (l *Service) addCollateralQuote(c *kit.Call, in previewRequest) any {
	p, fields := l.previewed(c, in)
	before := l.current(p)
	return p.offer.compared(before, p.offer.added(before, uint64(fields.Collateral)), c.Shape(2))
}
