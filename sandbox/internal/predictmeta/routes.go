// Package predictmeta is the prediction market service of the sandbox.
package predictmeta

import (
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Service is the prediction market: events with their markets. Prices, books
// and trades are functions of the seed and the second only. Nothing is stored,
// so later answers about a second agree with earlier answers and with the feed.
type Service struct {
	*build.Chain
	categories []name
	sports     []name
	series     []*series
	events     []*event
	rounds     int // how many there have been
	opened     int // markets, likewise
	Markets    []*Market
	byTicker   map[string]*Market
	ByMint     map[string]mint
	authority  solana.PublicKey // of the mints

	feed    *kit.Feed
	wanted  map[*kit.FeedConn][]topic
	Ticking bool // the next second's messages are planned
}

// New makes the service and its specification for the kit.
func New(c *build.Chain) (*Service, *kit.Spec) {
	p := &Service{
		Chain: c, byTicker: map[string]*Market{}, ByMint: map[string]mint{},
		wanted: map[*kit.FeedConn][]topic{},
	}
	p.openMarkets()
	p.feed = &kit.Feed{Host: "ws", Path: "/ws", Message: p.command, Gone: p.forget}
	return p, &kit.Spec{
		Name: play.PredictMeta, Hosts: []string{"ws"}, Auth: kit.OptionalHeaderKey, Budgets: p.budgets,
		Envelope: kit.PlainEnvelope, Routes: p.routes(), Feed: p.feed,
	}
}

func (p *Service) routes() []kit.Route {
	return []kit.Route{
		{Method: "GET", Path: "/api/v1/event/{ticker}", Endpoint: kit.Handle(p.event)},
		{Method: "GET", Path: "/api/v1/events", Endpoint: kit.Handle(p.listEvents)},
		{Method: "GET", Path: "/api/v1/event/{ticker}/forecast", Endpoint: kit.Handle(p.forecast)},
		{Method: "GET", Path: "/api/v1/event/{ticker}/candlesticks", Endpoint: kit.Handle(p.eventCandles)},
		{Method: "GET", Path: "/api/v1/market/{ticker}", Endpoint: kit.Handle(p.market)},
		{Method: "GET", Path: "/api/v1/market/by-mint/{mint_address}", Endpoint: kit.Handle(p.marketByMint)},
		{Method: "GET", Path: "/api/v1/markets", Endpoint: kit.Handle(p.listMarkets)},
		{Method: "POST", Path: "/api/v1/markets/batch", Endpoint: kit.Handle(p.batchMarkets)},
		{Method: "GET", Path: "/api/v1/outcome_mints", Endpoint: kit.Handle(p.outcomeMints)},
		{Method: "POST", Path: "/api/v1/filter_outcome_mints", Endpoint: kit.Handle(p.filterMints)},
		{Method: "GET", Path: "/api/v1/market/{ticker}/candlesticks", Endpoint: kit.Handle(p.marketCandles)},
		{Method: "GET", Path: "/api/v1/market/by-mint/{mint_address}/candlesticks", Endpoint: kit.Handle(p.mintCandles)},
		{Method: "GET", Path: "/api/v1/orderbook/{ticker}", Endpoint: kit.Handle(p.orderBook)},
		{Method: "GET", Path: "/api/v1/orderbook/by-mint/{mint_address}", Endpoint: kit.Handle(p.mintOrderBook)},
		{Method: "GET", Path: "/api/v1/trades", Endpoint: kit.Handle(p.trades)},
		{Method: "GET", Path: "/api/v1/trades/by-mint/{mint_address}", Endpoint: kit.Handle(p.mintTrades)},
		{Method: "GET", Path: "/api/v1/milestones/{ticker}", Endpoint: kit.Handle(p.milestones)},
		{Method: "GET", Path: "/api/v1/milestones/by-mint/{mint_address}", Endpoint: kit.Handle(p.mintMilestones)},
		{Method: "POST", Path: "/api/v1/milestones/batch", Endpoint: kit.Handle(p.batchMilestones)},
		{Method: "GET", Path: "/api/v1/series", Endpoint: kit.Handle(p.listSeries)},
		{Method: "GET", Path: "/api/v1/categories", Endpoint: kit.Handle(p.listCategories)},
		{Method: "GET", Path: "/api/v1/sports", Endpoint: kit.Handle(p.listSports)},
		{Method: "GET", Path: "/api/v1/search", Endpoint: kit.Handle(p.search)},
	}
}

// The requests per minute without a key, and with a key if the configuration
// says nothing: the latter is not documented.
const (
	OpenLimit  = 10
	keyedLimit = 300
)

func (p *Service) budgets(c *kit.Call) []kit.Budget {
	switch {
	case c.Credential == "":
		return []kit.Budget{{N: OpenLimit, Window: time.Minute}}
	case p.Config.PredictMetaLimit > 0:
		return []kit.Budget{{N: p.Config.PredictMetaLimit, Window: time.Minute}}
	}
	return []kit.Budget{{N: keyedLimit, Window: time.Minute}}
}

// second is the sandbox's time in the unit of everything here.
func (p *Service) second() int64 { return p.Now().Unix() }

// find returns the market with a ticker.
func (p *Service) find(ticker string) *Market {
	return kit.Found(p.byTicker[ticker], "market %s does not exist", ticker)
}

// findEvent returns the event with a ticker.
func (p *Service) findEvent(ticker string) *event {
	return kit.Found(p.eventOf(ticker), "event %s does not exist", ticker)
}

// eventOf is nil if there is no such event.
func (p *Service) eventOf(ticker string) *event {
	return kit.Find(p.events, func(e *event) bool { return e.Ticker == ticker })
}

// findMint returns the market that an outcome mint or a ledger mint is of.
func (p *Service) findMint(address string) mint {
	m, ok := p.ByMint[address]
	kit.RefuseIf(!ok, http.StatusNotFound, "", "mint %s belongs to no market", address)
	return m
}

// mint is the market and the outcome of a mint.
type mint struct {
	market  *Market
	outcome string // "yes", "no", or empty for the ledger mint
	Key     solana.PublicKey
}
