package predictmeta

import (
	"net/http"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// batch is how many markets one batch may ask for.
const batch = 100

type batchRequest struct {
	Tickers []string `body:"tickers"`
	Mints   []string `body:"mints"`
}

// batchMarkets answers each market once, in the order asked.
func (p *Service) batchMarkets(c *kit.Call, in batchRequest) (any, error) {
	n := len(in.Tickers) + len(in.Mints)
	if n == 0 || n > batch {
		c.Violate("a batch of none or of more than 100 markets")
		return nil, kit.Refuse(http.StatusBadRequest, "", "a batch is of 1 to %d markets", batch)
	}
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
	return map[string]any{"markets": markets, "not_found": unknown}, nil
}
