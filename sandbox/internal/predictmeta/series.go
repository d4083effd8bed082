package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

type seriesRequest struct {
	Category string `query:"category" open:"values not shown"`
}

func (p *Service) listSeries(_ *kit.Call, in seriesRequest) any {
	answers := []any{}
	for _, s := range p.series {
		if in.Category == "" || in.Category == s.category {
			answers = append(answers, map[string]any{
				"ticker": s.Ticker, "title": s.title, "category": s.category, "events_count": s.events,
			})
		}
	}
	return map[string]any{"series": answers}
}
