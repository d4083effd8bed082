package predictmeta

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// kept is for how many seconds an event can be asked for after its close. The
// service documents no end. It is longer than an event runs, so that whatever
// began while another traded finds that other whole.
const kept = 60 * day

// forgetBefore lets go of the events that closed before a second, with their
// markets and mints. An event stays as long as anybody has a token account of one
// of its mints or a subscription to one of its markets.
func (p *Service) forgetBefore(second int64) {
	if !slices.ContainsFunc(p.events, func(e *event) bool { return e.closes < second }) {
		return
	}
	used := p.used()
	p.events = slices.DeleteFunc(p.events, func(e *event) bool {
		if e.closes >= second || slices.ContainsFunc(e.markets, func(m *Market) bool { return used[m] }) {
			return false
		}
		e.Series.events--
		for _, m := range e.markets {
			p.forgetMarket(m)
		}
		return true
	})
	p.Markets = slices.DeleteFunc(p.Markets, func(m *Market) bool { return p.byTicker[m.ticker] != m })
}

// used are the markets that somebody holds on to.
func (p *Service) used() map[*Market]bool {
	used := map[*Market]bool{}
	for _, a := range p.Ledger.Each {
		if t, ok := ledger.AsToken(a); ok {
			if m, ok := p.ByMint[t.Mint().String()]; ok {
				used[m.market] = true
			}
		}
	}
	for _, topics := range p.wanted {
		for _, t := range topics {
			used[t.market] = true
		}
	}
	return used
}

func (p *Service) forgetMarket(m *Market) {
	delete(p.byTicker, m.ticker)
	for _, address := range []string{m.Yes, m.No, m.Ledger} {
		p.Ledger.Remove(p.ByMint[address].Key)
		delete(p.ByMint, address)
	}
}
