package sandbox

import (
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"
)

// predictMeta is the prediction markets' side: events with their markets, whose
// prices, books and trades are functions of the seed and the second alone.
// Nothing is kept, so that what a route answers now, answers later of now, and
// what the feed pushed are one and the same.
type predictMeta struct {
	*Sandbox
	categories []predictMetaName
	sports     []predictMetaName
	series     []*predictMetaSeries
	events     []*predictMetaEvent
	markets    []*predictMetaMarket
	byTicker   map[string]*predictMetaMarket
	byMint     map[string]predictMetaMint
	authority  solana.PublicKey // of the mints

	feed    *feed
	wanted  map[*feedConn][]predictMetaTopic
	ticking bool // the next second's messages are planned
}

func newPredictMeta(s *Sandbox) *service {
	p := &predictMeta{
		Sandbox: s, byTicker: map[string]*predictMetaMarket{}, byMint: map[string]predictMetaMint{},
		wanted: map[*feedConn][]predictMetaTopic{},
	}
	s.predictMeta = p
	p.openMarkets()
	p.feed = &feed{host: "ws", path: "/ws", message: p.command, gone: p.forget}
	return &service{
		name: PredictMeta, hosts: []string{"ws"}, auth: optionalAPIKey, budgets: p.budgets,
		envelope: plainEnvelope, routes: p.routes(), feed: p.feed,
	}
}

func (p *predictMeta) routes() []route {
	return []route{
		{method: "GET", path: "/api/v1/event/{ticker}", endpoint: handle(p.event)},
		{method: "GET", path: "/api/v1/events", endpoint: handle(p.listEvents)},
		{method: "GET", path: "/api/v1/event/{ticker}/forecast", endpoint: handle(p.forecast)},
		{method: "GET", path: "/api/v1/event/{ticker}/candlesticks", endpoint: handle(p.eventCandles)},
		{method: "GET", path: "/api/v1/market/{ticker}", endpoint: handle(p.market)},
		{method: "GET", path: "/api/v1/market/by-mint/{mint_address}", endpoint: handle(p.marketByMint)},
		{method: "GET", path: "/api/v1/markets", endpoint: handle(p.listMarkets)},
		{method: "POST", path: "/api/v1/markets/batch", endpoint: handle(p.batchMarkets)},
		{method: "GET", path: "/api/v1/outcome_mints", endpoint: handle(p.outcomeMints)},
		{method: "POST", path: "/api/v1/filter_outcome_mints", endpoint: handle(p.filterMints)},
		{method: "GET", path: "/api/v1/market/{ticker}/candlesticks", endpoint: handle(p.marketCandles)},
		{method: "GET", path: "/api/v1/market/by-mint/{mint_address}/candlesticks", endpoint: handle(p.mintCandles)},
		{method: "GET", path: "/api/v1/orderbook/{ticker}", endpoint: handle(p.orderBook)},
		{method: "GET", path: "/api/v1/orderbook/by-mint/{mint_address}", endpoint: handle(p.mintOrderBook)},
		{method: "GET", path: "/api/v1/trades", endpoint: handle(p.trades)},
		{method: "GET", path: "/api/v1/trades/by-mint/{mint_address}", endpoint: handle(p.mintTrades)},
		{method: "GET", path: "/api/v1/milestones/{ticker}", endpoint: handle(p.milestones)},
		{method: "GET", path: "/api/v1/milestones/by-mint/{mint_address}", endpoint: handle(p.mintMilestones)},
		{method: "POST", path: "/api/v1/milestones/batch", endpoint: handle(p.batchMilestones)},
		{method: "GET", path: "/api/v1/series", endpoint: handle(p.listSeries)},
		{method: "GET", path: "/api/v1/categories", endpoint: handle(p.listCategories)},
		{method: "GET", path: "/api/v1/sports", endpoint: handle(p.listSports)},
		{method: "GET", path: "/api/v1/search", endpoint: handle(p.search)},
	}
}

// The requests a minute without a key, and with one where the configuration
// says nothing: the latter is not documented.
const (
	predictMetaOpenLimit  = 10
	predictMetaKeyedLimit = 300
)

func (p *predictMeta) budgets(c *call) []budget {
	switch {
	case c.credential == "":
		return []budget{{predictMetaOpenLimit, time.Minute}}
	case p.config.PredictMetaLimit > 0:
		return []budget{{p.config.PredictMetaLimit, time.Minute}}
	}
	return []budget{{predictMetaKeyedLimit, time.Minute}}
}

// second is the sandbox's time in the unit of everything here.
func (p *predictMeta) second() int64 { return p.now().Unix() }

// find returns the market with a ticker.
func (p *predictMeta) find(ticker string) (*predictMetaMarket, error) {
	if m, ok := p.byTicker[ticker]; ok {
		return m, nil
	}
	return nil, refuse(http.StatusNotFound, "", "market %s does not exist", ticker)
}

// findEvent returns the event with a ticker.
func (p *predictMeta) findEvent(ticker string) (*predictMetaEvent, error) {
	for _, e := range p.events {
		if e.ticker == ticker {
			return e, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "", "event %s does not exist", ticker)
}

// findMint returns the market that an outcome mint or a ledger mint is of.
func (p *predictMeta) findMint(c *call, address string) (predictMetaMint, error) {
	if _, err := c.key(address, "mint_address"); err != nil {
		return predictMetaMint{}, err
	}
	if m, ok := p.byMint[address]; ok {
		return m, nil
	}
	return predictMetaMint{}, refuse(http.StatusNotFound, "", "mint %s belongs to no market", address)
}

// predictMetaMint is what a mint of a market's stands for.
type predictMetaMint struct {
	market  *predictMetaMarket
	outcome string // "yes", "no", or empty for the ledger mint
	key     solana.PublicKey
}
