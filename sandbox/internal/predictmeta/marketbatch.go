package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// batch is how many markets one batch may ask for.
const batch = 100

type batchRequest struct {
	_       struct{} `rule:"tickers and mints have at most 100 elements together"`
	Tickers []string `body:"tickers" open:"tickers"`
	Mints   []string `body:"mints" form:"key"`
}

func (in batchRequest) Problems(*kit.Call) []string {
	if len(in.Tickers)+len(in.Mints) > batch {
		return []string{"tickers and mints have more than 100 elements together"}
	}
	return nil
}

// batchMarkets answers each market once, in the order asked.
func (p *Service) batchMarkets(_ *kit.Call, in batchRequest) any {
	markets, unknown := []map[string]any{}, []string{}
	seen := map[*Market]bool{}
	add := func(m *Market, asked string) {
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
		add(p.ByMint[mint].market, mint)
	}
	return map[string]any{"markets": markets, "not_found": unknown}
}
