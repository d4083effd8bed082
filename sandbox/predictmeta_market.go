package sandbox

import (
	"net/http"
	"slices"
)

// predictMetaMarket is a market on one outcome of an event. Times are Unix
// seconds.
type predictMetaMarket struct {
	event          *predictMetaEvent
	ticker, title  string
	yes, no        string // mints
	ledger         string
	created, opens int64
	seed           uint64
	base           int64 // what the price moves around, in thousandths of a cent
	pace           int64 // seconds to a slot of the tape
}

// live reports whether the market trades in a second.
func (m *predictMetaMarket) live(second int64) bool {
	return second >= m.opens && second < m.event.closes
}

// status is the event's, or that of a market that does not trade yet. The
// words are not documented.
func (m *predictMetaMarket) status(second int64) string {
	if second < m.opens {
		return "initialized"
	}
	return m.event.status(second)
}

type predictMetaMarketAnswer struct {
	Ticker       string           `json:"ticker"`
	EventTicker  string           `json:"event_ticker"`
	Title        string           `json:"title"`
	YesMint      string           `json:"yes_mint"`
	NoMint       string           `json:"no_mint"`
	LedgerMint   string           `json:"ledger_mint"`
	Status       string           `json:"status"`
	LastPrice    predictMetaPrice `json:"last_price"`
	YesPrice     predictMetaPrice `json:"yes_price"`
	NoPrice      predictMetaPrice `json:"no_price"`
	Volume24h    int64            `json:"volume_24h"`
	OpenInterest int64            `json:"open_interest"`
	CreatedAt    string           `json:"created_at"`
}

func (m *predictMetaMarket) answer(second int64) predictMetaMarketAnswer {
	yes := m.yesPrice(second)
	return predictMetaMarketAnswer{
		m.ticker, m.event.ticker, m.title, m.yes, m.no, m.ledger, m.status(second),
		m.lastPrice(second), yes, 100 - yes, m.volume(second), m.openInterest(second), predictMetaStamp(m.created),
	}
}

// summary is a market inside another answer. The volume is of an event's only.
func (m *predictMetaMarket) summary(second int64, withVolume bool) map[string]any {
	s := map[string]any{"ticker": m.ticker, "yes_mint": m.yes, "no_mint": m.no, "last_price": m.lastPrice(second)}
	if withVolume {
		s["volume_24h"] = m.volume(second)
	}
	return s
}

type predictMetaTickerRequest struct {
	Ticker string `path:"ticker"`
}

type predictMetaMintRequest struct {
	Mint string `path:"mint_address"`
}

func (p *predictMeta) market(_ *call, in predictMetaTickerRequest) (any, error) {
	m, err := p.find(in.Ticker)
	if err != nil {
		return nil, err
	}
	return m.answer(p.second()), nil
}

func (p *predictMeta) marketByMint(c *call, in predictMetaMintRequest) (any, error) {
	mint, err := p.findMint(c, in.Mint)
	if err != nil {
		return nil, err
	}
	return mint.market.answer(p.second()), nil
}

type predictMetaMarketsRequest struct {
	Limit       *int   `query:"limit" min:"1"`
	Offset      int    `query:"offset" min:"0"`
	Status      string `query:"status"`
	EventTicker string `query:"event_ticker"`
}

func (p *predictMeta) listMarkets(_ *call, in predictMetaMarketsRequest) (any, error) {
	now := p.second()
	found := slices.DeleteFunc(slices.Clone(p.markets), func(m *predictMetaMarket) bool {
		return in.Status != "" && m.status(now) != in.Status || in.EventTicker != "" && m.event.ticker != in.EventTicker
	})
	page, limit := predictMetaPage(found, in.Limit, 50, in.Offset)
	answers := []predictMetaMarketAnswer{}
	for _, m := range page {
		answers = append(answers, m.answer(now))
	}
	return map[string]any{"markets": answers, "total": len(found), "limit": limit, "offset": in.Offset}, nil
}

// predictMetaLargestPage is what a larger limit comes down to. That there is
// such a thing is not documented; the answer's limit tells.
const predictMetaLargestPage = 500

// predictMetaPage cuts a page out of a list and returns the limit in force.
func predictMetaPage[T any](all []T, limit *int, fallback, offset int) ([]T, int) {
	n := min(predictMetaOr(limit, fallback), predictMetaLargestPage)
	from := min(offset, len(all))
	return all[from:min(from+n, len(all))], n
}

// predictMetaBatch is how many markets one batch may ask for.
const predictMetaBatch = 100

type predictMetaBatchRequest struct {
	Tickers []string `body:"tickers"`
	Mints   []string `body:"mints"`
}

// batchMarkets answers each market once, in the order asked.
func (p *predictMeta) batchMarkets(c *call, in predictMetaBatchRequest) (any, error) {
	n := len(in.Tickers) + len(in.Mints)
	if n == 0 || n > predictMetaBatch {
		c.violate("a batch of none or of more than 100 markets")
		return nil, refuse(http.StatusBadRequest, "", "a batch is of 1 to %d markets", predictMetaBatch)
	}
	markets, unknown := []map[string]any{}, []string{}
	seen := map[*predictMetaMarket]bool{}
	add := func(m *predictMetaMarket, asked string) {
		switch {
		case m == nil:
			unknown = append(unknown, asked)
		case !seen[m]:
			seen[m] = true
			markets = append(markets, m.summary(p.second(), false))
		}
	}
	for _, ticker := range in.Tickers {
		add(p.byTicker[ticker], ticker)
	}
	for _, mint := range in.Mints {
		add(p.byMint[mint].market, mint)
	}
	return map[string]any{"markets": markets, "not_found": unknown}, nil
}
