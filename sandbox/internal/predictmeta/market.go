package predictmeta

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Market is a market on one outcome of an event. Times are Unix
// seconds.
type Market struct {
	Event          *event
	ticker, title  string
	Yes, No        string // mints
	Ledger         string
	created, Opens int64
	seed           uint64
	base           int64 // what the price moves around, in thousandths of a cent
	pace           int64 // seconds to a slot of the tape
}

// Live reports whether the market trades in a second.
func (m *Market) Live(second int64) bool { return second >= m.Opens && second < m.Event.closes }

// status is the event's, or that of a market that does not trade yet. The
// words are not documented.
func (m *Market) status(second int64) string {
	if second < m.Opens {
		return "initialized"
	}
	return m.Event.status(second)
}

func (m *Market) answer(second int64) any {
	yes := m.YesPrice(second)
	return map[string]any{
		"ticker": m.ticker, "event_ticker": m.Event.Ticker, "title": m.title, "yes_mint": m.Yes, "no_mint": m.No,
		"ledger_mint": m.Ledger, "status": m.status(second), "last_price": m.lastPrice(second), "yes_price": yes,
		"no_price": 100 - yes, "volume_24h": m.volume(second), "open_interest": m.openInterest(second),
		"created_at": Stamp(m.created),
	}
}

// summary is a market inside another answer. The volume is of an event's only.
func (m *Market) summary(second int64, withVolume bool) map[string]any {
	s := map[string]any{"ticker": m.ticker, "yes_mint": m.Yes, "no_mint": m.No, "last_price": m.lastPrice(second)}
	if withVolume {
		s["volume_24h"] = m.volume(second)
	}
	return s
}

type tickerRequest struct {
	Ticker string `path:"ticker" open:"a ticker"`
}

type mintRequest struct {
	Mint string `path:"mint_address" form:"key"`
}

func (p *Service) market(_ *kit.Call, in tickerRequest) any {
	m := p.find(in.Ticker)
	return m.answer(p.second())
}

func (p *Service) marketByMint(c *kit.Call, in mintRequest) any {
	mint := p.findMint(in.Mint)
	return mint.market.answer(p.second())
}

type marketsRequest struct {
	Limit       *int   `query:"limit"`
	Offset      int    `query:"offset"`
	Status      string `query:"status" open:"values not shown"`
	EventTicker string `query:"event_ticker" open:"values not shown"`
}

func (p *Service) listMarkets(_ *kit.Call, in marketsRequest) any {
	now := p.second()
	found := slices.DeleteFunc(slices.Clone(p.Markets), func(m *Market) bool {
		return in.Status != "" && m.status(now) != in.Status || in.EventTicker != "" && m.Event.Ticker != in.EventTicker
	})
	page, limit := page(found, in.Limit, 50, in.Offset)
	answers := kit.List(page, func(m *Market) any { return m.answer(now) })
	return map[string]any{"markets": answers, "total": len(found), "limit": limit, "offset": in.Offset}
}

// largestPage caps the limit. The cap is undocumented; the answer's limit
// reports it.
const largestPage = 500

// page cuts a page out of a list and returns the limit in force.
func page[T any](all []T, limit *int, fallback, offset int) ([]T, int) {
	n := min(kit.Or(limit, fallback), largestPage)
	return kit.Page(all, offset, &n, n), n
}

// LiveMarket returns the market that trades now and closes last, opening a new round
// of markets if none trades. The lock is held.
func (p *Service) LiveMarket() (ticker, event, yesMint, noMint string, closes int64) {
	m := p.lastLive()
	if m == nil {
		now := p.second()
		p.openRound(now+later, now)
		m = p.lastLive()
	}
	return m.ticker, m.Event.Ticker, m.Yes, m.No, m.Event.closes
}

func (p *Service) lastLive() (last *Market) {
	now := p.second()
	for _, m := range p.Markets {
		if m.Live(now) && (last == nil || m.Event.closes > last.Event.closes) {
			last = m
		}
	}
	return last
}
