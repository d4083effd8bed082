package sandbox

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

type predictMetaSeriesRequest struct {
	Category string `query:"category"`
}

func (p *predictMeta) listSeries(_ *call, in predictMetaSeriesRequest) (any, error) {
	answers := []map[string]any{}
	for _, s := range p.series {
		if in.Category == "" || in.Category == s.category {
			answers = append(answers, map[string]any{"ticker": s.ticker, "title": s.title, "category": s.category, "events_count": s.events})
		}
	}
	return map[string]any{"series": answers}, nil
}

func (p *predictMeta) listCategories(*call, nothing) (any, error) {
	answers := []map[string]any{}
	for _, category := range p.categories {
		events := 0
		for _, s := range p.series {
			if s.category == category.id {
				events += s.events
			}
		}
		answers = append(answers, map[string]any{"id": category.id, "name": category.name, "events_count": events})
	}
	return map[string]any{"categories": answers}, nil
}

func (p *predictMeta) listSports(*call, nothing) (any, error) {
	answers := []map[string]string{}
	for _, s := range p.sports {
		answers = append(answers, map[string]string{"id": s.id, "name": s.name})
	}
	return map[string]any{"sports": answers}, nil
}

type predictMetaSearchRequest struct {
	Query string `query:"q,required"`
	Type  string `query:"type" oneof:"event market all"`
	Limit *int   `query:"limit" min:"1"`
}

type predictMetaResult struct {
	Type   string  `json:"type"`
	Ticker string  `json:"ticker"`
	Title  string  `json:"title"`
	Score  float64 `json:"relevance_score"`
}

// search finds the events and markets that have every word in their ticker or
// title, the best first.
func (p *predictMeta) search(_ *call, in predictMetaSearchRequest) (any, error) {
	results := []predictMetaResult{}
	add := func(kind, ticker, title string) {
		if in.Type != "" && in.Type != "all" && in.Type != kind {
			return
		}
		if score := predictMetaScore(in.Query, ticker, title); score > 0 {
			results = append(results, predictMetaResult{kind, ticker, title, score})
		}
	}
	for _, e := range p.events {
		add("event", e.ticker, e.title)
	}
	for _, m := range p.markets {
		add("market", m.ticker, m.title)
	}
	slices.SortStableFunc(results, func(a, b predictMetaResult) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Ticker, b.Ticker))
	})
	page, _ := predictMetaPage(results, in.Limit, 20, 0)
	return map[string]any{"results": page}, nil
}

// predictMetaScore is 1 for a ticker's very words, otherwise how much of the
// title the query covers, 0 where a word is in neither.
func predictMetaScore(query, ticker, title string) float64 {
	query, text := strings.ToLower(query), strings.ToLower(ticker+" "+title)
	if query == strings.ToLower(ticker) {
		return 1
	}
	covered := 0
	for _, word := range strings.Fields(query) {
		if !strings.Contains(text, word) {
			return 0
		}
		covered += len(word)
	}
	return math.Round(math.Min(float64(covered)/float64(len(text)), 0.99)*1e4) / 1e4
}
