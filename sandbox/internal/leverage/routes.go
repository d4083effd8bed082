// Package leverage is the leverage service of the sandbox.
package leverage

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the leverage market: offers to borrow from, positions, and the
// relay. Only the money that comes in and goes out is on the ledger; everything
// else about a position is in these books, which change when a transaction is
// executed.
type Service struct {
	*build.Chain
	offers    []*offer
	positions []*position // in the order in which they were opened
	events    []event     // oldest first
	orders    *kit.Shelf[uint64, *order]
	prune     int         // at so many the planned ones are looked through
	planned   []*position // every position that a transaction was built for
	ticking   bool
}

// New makes the service and its specification for the kit.
func New(b *market.Book) (*Service, *kit.Spec) {
	l := &Service{Chain: b.Chain, orders: kit.NewShelf[uint64, *order](b.Core, build.InstructionLife, 0)}
	b.OnPrice(func(string) { l.settle() })
	l.openOffers()
	return l, &kit.Spec{
		Name: play.Leverage, Prefix: "/api/v1", Auth: kit.OptionalHeaderKey, Envelope: kit.PlainEnvelope, Routes: l.routes(),
	}
}

// routes returns the table. It is undocumented whether the routes that require
// no key accept one.
func (l *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/offers", Endpoint: kit.Handle(l.listOffers)},
		{Method: "GET", Path: "/tokens", Endpoint: kit.Handle(l.listTokens)},
		{Method: "POST", Path: "/positions/quote", Endpoint: kit.Handle(l.quote)},
		{Method: "POST", Path: "/positions/close-quote", Endpoint: kit.Handle(l.closeQuote)},
		{Method: "POST", Path: "/positions/open", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.open)},
		{Method: "POST", Path: "/positions/close", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.close)},
		{Method: "POST", Path: "/positions/split", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.split)},
		{Method: "POST", Path: "/positions/merge", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.merge)},
		{Method: "POST", Path: "/positions/partial-sell", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.partialSell)},
		{Method: "POST", Path: "/positions/repay", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.repay)},
		{Method: "POST", Path: "/positions/partial-repay", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.partialRepay)},
		{Method: "POST", Path: "/positions/increase-borrow", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.increaseBorrow)},
		{Method: "POST", Path: "/positions/increase-borrow-quote", Auth: kit.HeaderKey,
			Endpoint: kit.Handle(l.increaseBorrowQuote)},
		{Method: "POST", Path: "/positions/add-collateral", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.addCollateral)},
		{Method: "POST", Path: "/positions/add-collateral-quote", Auth: kit.HeaderKey,
			Endpoint: kit.Handle(l.addCollateralQuote)},
		{Method: "GET", Path: "/positions", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.listPositions)},
		{Method: "GET", Path: "/positions/trade-history", Auth: kit.HeaderKey, Endpoint: kit.Handle(l.tradeHistory)},
		{Method: "GET", Path: "/bundle/tip", Endpoint: kit.Handle(l.tip)},
		{Method: "POST", Path: "/bundle/submit", Endpoint: kit.Handle(l.submitOne)},
		{Method: "POST", Path: "/bundle", Endpoint: kit.Handle(l.submitBundle)},
	}
}
