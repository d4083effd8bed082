package predictmeta

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
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

// Outcome finds the outcome token with a mint.
func (p *Service) Outcome(mint string) (market.Outcome, bool) {
	found, ok := p.ByMint[mint]
	if !ok || found.outcome == "" {
		return market.Outcome{}, false
	}
	m := found.market
	return market.Outcome{
		Key: found.Key, Side: found.outcome, Ticker: m.ticker, Title: m.title,
		Event: m.Event.Ticker, Series: m.Event.Series.Ticker, Opens: m.Opens, Market: m,
	}, true
}

// OutcomeMints lists the mints of the outcome tokens, market by market.
func (p *Service) OutcomeMints() []string {
	mints := make([]string, 0, 2*len(p.Markets))
	for _, m := range p.Markets {
		mints = append(mints, m.Yes, m.No)
	}
	return mints
}

// YesQuote is the price of the yes outcome and half the spread about it, both
// in cents.
func (m *Market) YesQuote(second int64) (price, halfSpread int64) {
	return int64(m.YesPrice(second)), int64(m.HalfSpread(second))
}
