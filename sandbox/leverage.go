package sandbox

import "net/http"

// leverage is the market's side: offers to borrow from, positions, and the
// relay. Nothing of a position is on the ledger but the money that comes in
// and goes out; the rest is in these books, which change when a transaction is
// executed.
type leverage struct {
	*Sandbox
	offers    []*leverageOffer
	positions []*leveragePosition // in the order in which they were opened
	events    []leverageEvent     // oldest first
	orders    map[uint64]*leverageOrder
	planned   []*leveragePosition // every position that a transaction was built for
	ticking   bool
}

func newLeverage(s *Sandbox) *service {
	l := &leverage{Sandbox: s, orders: map[uint64]*leverageOrder{}}
	s.leverage = l
	l.openOffers()
	return &service{
		name: Leverage, prefix: "/api/v1", auth: optionalAPIKey, envelope: plainEnvelope, routes: l.routes(),
	}
}

// routes: whether those that do not ask for a key take one is not documented.
func (l *leverage) routes() []route {
	return []route{
		{method: "GET", path: "/offers", endpoint: handle(l.listOffers)},
		{method: "GET", path: "/tokens", endpoint: handle(l.listTokens)},
		{method: "POST", path: "/positions/quote", endpoint: handle(l.quote)},
		{method: "POST", path: "/positions/close-quote", endpoint: handle(l.closeQuote)},
		{method: "POST", path: "/positions/open", auth: apiKey, endpoint: handle(l.open)},
		{method: "POST", path: "/positions/close", auth: apiKey, endpoint: handle(l.close)},
		{method: "POST", path: "/positions/split", auth: apiKey, endpoint: handle(l.split)},
		{method: "POST", path: "/positions/merge", auth: apiKey, endpoint: handle(l.merge)},
		{method: "POST", path: "/positions/partial-sell", auth: apiKey, endpoint: handle(l.partialSell)},
		{method: "POST", path: "/positions/repay", auth: apiKey, endpoint: handle(l.repay)},
		{method: "POST", path: "/positions/partial-repay", auth: apiKey, endpoint: handle(l.partialRepay)},
		{method: "POST", path: "/positions/increase-borrow", auth: apiKey, endpoint: handle(l.increaseBorrow)},
		{method: "POST", path: "/positions/increase-borrow-quote", auth: apiKey, endpoint: handle(l.increaseBorrowQuote)},
		{method: "POST", path: "/positions/add-collateral", auth: apiKey, endpoint: handle(l.addCollateral)},
		{method: "POST", path: "/positions/add-collateral-quote", auth: apiKey, endpoint: handle(l.addCollateralQuote)},
		{method: "GET", path: "/positions", auth: apiKey, endpoint: handle(l.listPositions)},
		{method: "GET", path: "/positions/trade-history", auth: apiKey, endpoint: handle(l.tradeHistory)},
		{method: "GET", path: "/bundle/tip", endpoint: handle(l.tip)},
		{method: "POST", path: "/bundle/submit", endpoint: handle(l.submitOne)},
		{method: "POST", path: "/bundle", endpoint: handle(l.submitBundle)},
	}
}

// leverageBad is the refusal of what the state of the market does not allow.
func leverageBad(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "", format, args...)
}
