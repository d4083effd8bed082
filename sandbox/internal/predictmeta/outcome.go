package predictmeta

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

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
