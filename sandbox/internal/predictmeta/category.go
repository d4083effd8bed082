package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

func (p *Service) listCategories(*kit.Call, kit.Nothing) any {
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
	return map[string]any{"categories": answers}
}

func (p *Service) listSports(*kit.Call, kit.Nothing) any {
	return map[string]any{"sports": kit.List(p.sports, func(s name) any {
		return map[string]string{"id": s.id, "name": s.name}
	})}
}
