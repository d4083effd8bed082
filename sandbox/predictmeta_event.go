package sandbox

import "slices"

// predictMetaEvent is one round of a series.
type predictMetaEvent struct {
	ticker, title string
	series        *predictMetaSeries
	closes        int64 // Unix seconds
	markets       []*predictMetaMarket
}

// determines is when the outcome is known, finalizes when it stands for good:
// an hour and a day after the close. The service documents the states and not
// how long they last.
func (e *predictMetaEvent) determines() int64 { return e.closes + 3600 }
func (e *predictMetaEvent) finalizes() int64  { return e.closes + predictMetaDay }

func (e *predictMetaEvent) status(second int64) string {
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

// leading is the market that stands for the event where one price is asked for.
func (e *predictMetaEvent) leading() *predictMetaMarket { return e.markets[0] }

type predictMetaEventRequest struct {
	Ticker         string `path:"ticker"`
	IncludeMarkets bool   `query:"include_markets"`
}

func (p *predictMeta) event(_ *call, in predictMetaEventRequest) (any, error) {
	e, err := p.findEvent(in.Ticker)
	if err != nil {
		return nil, err
	}
	now := p.second()
	answer := map[string]any{
		"ticker": e.ticker, "title": e.title, "description": "Settled by what the sandbox makes of " + e.series.title + ".",
		"status": e.status(now), "series_ticker": e.series.ticker, "category": e.series.category, "close_time": predictMetaStamp(e.closes),
	}
	if in.IncludeMarkets {
		markets := []map[string]any{}
		for _, m := range e.markets {
			markets = append(markets, m.summary(now, true))
		}
		answer["markets"] = markets
	}
	return answer, nil
}

type predictMetaEventsRequest struct {
	Limit        *int   `query:"limit" min:"1"`
	Offset       int    `query:"offset" min:"0"`
	Status       string `query:"status" oneof:"active closed determined finalized"`
	Category     string `query:"category"`
	SeriesTicker string `query:"series_ticker"`
}

func (p *predictMeta) listEvents(_ *call, in predictMetaEventsRequest) (any, error) {
	now := p.second()
	found := slices.DeleteFunc(slices.Clone(p.events), func(e *predictMetaEvent) bool {
		return in.Status != "" && e.status(now) != in.Status ||
			in.Category != "" && e.series.category != in.Category ||
			in.SeriesTicker != "" && e.series.ticker != in.SeriesTicker
	})
	page, limit := predictMetaPage(found, in.Limit, 50, in.Offset)
	answers := []map[string]any{}
	for _, e := range page {
		answers = append(answers, map[string]any{
			"ticker": e.ticker, "title": e.title, "status": e.status(now), "close_time": predictMetaStamp(e.closes),
		})
	}
	return map[string]any{"events": answers, "total": len(found), "limit": limit, "offset": in.Offset}, nil
}
