package predictmeta

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type outcome struct {
	Mint         string `json:"mint"`
	MarketTicker string `json:"market_ticker"`
	Outcome      string `json:"outcome"`
}

type outcomesRequest struct {
	MinClose *int64 `query:"min_close_timestamp"` // Unix seconds
}

// outcomeMints lists both mints of every market that closes no earlier than
// asked.
func (p *Service) outcomeMints(_ *kit.Call, in outcomesRequest) any {
	mints := []outcome{}
	for _, m := range p.Markets {
		if in.MinClose == nil || m.Event.closes >= *in.MinClose {
			mints = append(mints, outcome{m.Yes, m.ticker, "yes"}, outcome{m.No, m.ticker, "no"})
		}
	}
	return map[string]any{"outcome_mints": mints}
}

type filterRequest struct {
	Addresses []string `body:"addresses,required" form:"key" most:"200" empty:"ok"`
}

// filterMints parts the addresses. The outcome mints are records, as in the list
// of them; with Config.Drift, in turn, strings like their neighbours.
func (p *Service) filterMints(c *kit.Call, in filterRequest) any {
	outcomes, addresses, others := []outcome{}, []string{}, []string{}
	for _, address := range in.Addresses {
		mint := p.ByMint[address]
		if mint.outcome == "" {
			others = append(others, address)
			continue
		}
		outcomes = append(outcomes, outcome{address, mint.market.ticker, mint.outcome})
		addresses = append(addresses, address)
	}
	if !c.Drifts() {
		return map[string]any{"outcome_mints": outcomes, "non_outcome_mints": others}
	}
	return map[string]any{"outcome_mints": addresses, "non_outcome_mints": others}
}
