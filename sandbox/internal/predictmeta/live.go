package predictmeta

// LiveMarket returns the market that trades now and closes last, opening a new round
// of markets if none trades. The lock is held.
func (p *Service) LiveMarket() (ticker, event, yesMint, noMint string, closes int64) {
	m := p.lastLive()
	if m == nil {
		now := p.second()
		p.openRound(now+later, now)
		m = p.lastLive()
	}
	return m.ticker, m.Event.Ticker, m.Yes, m.No, m.Event.closes
}

func (p *Service) lastLive() (last *Market) {
	now := p.second()
	for _, m := range p.Markets {
		if m.Live(now) && (last == nil || m.Event.closes > last.Event.closes) {
			last = m
		}
	}
	return last
}
