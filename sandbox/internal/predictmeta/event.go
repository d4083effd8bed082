package predictmeta

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// event is one round of a series.
type event struct {
	Ticker, title string
	Series        *series
	closes        int64 // Unix seconds
	markets       []*Market
}

// determines is when the outcome is known, finalizes when it is final:
// an hour and a day after the close. The service documents the states and not
// how long they last.
func (e *event) determines() int64 { return e.closes + 3600 }

func (e *event) finalizes() int64 { return e.closes + day }

func (e *event) status(second int64) string {
	switch {
	case second < e.closes:
		return "active"
	case second < e.determines():
		return "closed"
	case second < e.finalizes():
		return "determined"
	}
	return "finalized"
}

// leading is the market whose price is the event's.
func (e *event) leading() *Market { return e.markets[0] }

type eventRequest struct {
	Ticker         string `path:"ticker" open:"a ticker"`
	IncludeMarkets bool   `query:"include_markets"`
}

func (p *Service) event(_ *kit.Call, in eventRequest) any {
	e := p.findEvent(in.Ticker)
	now := p.second()
	answer := map[string]any{
		"ticker": e.Ticker, "title": e.title, "description": "Settled by what the sandbox makes of " + e.Series.title + ".",
		"status": e.status(now), "series_ticker": e.Series.Ticker,
		"category": e.Series.category, "close_time": Stamp(e.closes),
	}
	if in.IncludeMarkets {
		answer["markets"] = kit.List(e.markets, func(m *Market) any { return m.summary(now, true) })
	}
	return answer
}

type eventsRequest struct {
	Limit        *int   `query:"limit"`
	Offset       int    `query:"offset"`
	Status       string `query:"status" oneof:"active closed determined finalized" open:"values not shown"`
	Category     string `query:"category" open:"values not shown"`
	SeriesTicker string `query:"series_ticker" open:"values not shown"`
}

func (p *Service) listEvents(_ *kit.Call, in eventsRequest) any {
	now := p.second()
	found := slices.DeleteFunc(slices.Clone(p.events), func(e *event) bool {
		return in.Status != "" && e.status(now) != in.Status ||
			in.Category != "" && e.Series.category != in.Category ||
			in.SeriesTicker != "" && e.Series.Ticker != in.SeriesTicker
	})
	page, limit := page(found, in.Limit, 50, in.Offset)
	answers := kit.List(page, func(e *event) any {
		return map[string]any{
			"ticker": e.Ticker, "title": e.title, "status": e.status(now), "close_time": Stamp(e.closes),
		}
	})
	return map[string]any{"events": answers, "total": len(found), "limit": limit, "offset": in.Offset}
}
