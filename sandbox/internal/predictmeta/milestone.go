package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

// milestoneEvery is the time between an event's milestones, in
// seconds.
const milestoneEvery = 5 * day

// milestoneNames are what happened, in turn.
var milestoneNames = []string{"Draft published", "Interim report", "Hearing", "Favourite named", "Final report"}

// milestones are what moved the leading market: its price an hour before and
// at the time, and what was traded in between.
func (e *event) milestones(now int64) []any {
	m := e.leading()
	all := []any{}
	for at := m.Opens + milestoneEvery; at <= now && at < e.closes; at += milestoneEvery {
		var traded int64
		for t := range m.tape(at-3600+1, at+1) {
			traded += t.quantity
		}
		all = append(all, map[string]any{
			"name": milestoneNames[len(all)%len(milestoneNames)], "timestamp": Stamp(at), "volume_spike": traded,
			"probability_before": m.lastPrice(at - 3600), "probability_after": m.lastPrice(at),
		})
	}
	return all
}

func (e *event) milestonesAnswer(now int64) map[string]any {
	return map[string]any{"ticker": e.Ticker, "milestones": e.milestones(now)}
}

func (p *Service) milestones(_ *kit.Call, in tickerRequest) any {
	e := p.findEvent(in.Ticker)
	return e.milestonesAnswer(p.second())
}

// mintMilestones has no documented shape: as by ticker, or a bare array.
func (p *Service) mintMilestones(c *kit.Call, in mintRequest) any {
	mint := p.findMint(in.Mint)
	e, now := mint.market.Event, p.second()
	return c.Either(e.milestonesAnswer(now), e.milestones(now))
}

type milestonesRequest struct {
	Tickers []string `body:"tickers,required" open:"tickers"`
}

// batchMilestones takes any number of tickers, since no cap is documented. The
// shape is not either: a list of what each ticker's route answers, bare or
// under a name, or an object by ticker. Unknown tickers are left out, as
// nothing says how they would be named.
func (p *Service) batchMilestones(c *kit.Call, in milestonesRequest) any {
	list, byTicker := []map[string]any{}, map[string]any{}
	for _, ticker := range in.Tickers {
		e := p.eventOf(ticker)
		if _, doubled := byTicker[ticker]; e == nil || doubled {
			continue
		}
		list = append(list, e.milestonesAnswer(p.second()))
		byTicker[ticker] = e.milestones(p.second())
	}
	switch c.Shape(3) {
	case 0:
		return map[string]any{"milestones": list}
	case 1:
		return list
	}
	return byTicker
}
