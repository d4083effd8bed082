package predictmeta

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type searchRequest struct {
	Query string `query:"q,required" open:"any text"`
	Type  string `query:"type" oneof:"event market all"`
	Limit *int   `query:"limit"`
}

// result is a find.
type result struct {
	Type   string  `json:"type"`
	Ticker string  `json:"ticker"`
	Title  string  `json:"title"`
	Score  float64 `json:"relevance_score"`
}

// search finds the events and markets that have every word in their ticker or
// title, the best first.
func (p *Service) search(_ *kit.Call, in searchRequest) any {
	results := []result{}
	add := func(kind, ticker, title string) {
		if in.Type != "" && in.Type != "all" && in.Type != kind {
			return
		}
		if score := score(in.Query, ticker, title); score > 0 {
			results = append(results, result{kind, ticker, title, score})
		}
	}
	for _, e := range p.events {
		add("event", e.Ticker, e.title)
	}
	for _, m := range p.Markets {
		add("market", m.ticker, m.title)
	}
	slices.SortStableFunc(results, func(a, b result) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Ticker, b.Ticker))
	})
	page, _ := page(results, in.Limit, 20, 0)
	return map[string]any{"results": page}
}

// score is 1 if the query is the ticker, otherwise the share of the title that
// the query covers, and 0 if a word is in neither.
func score(query, ticker, title string) float64 {
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
