package sandbox

import "net/http"

// predictMetaMilestoneEvery is the time between an event's milestones, in
// seconds.
const predictMetaMilestoneEvery = 5 * predictMetaDay

// predictMetaMilestoneNames are what happened, in turn.
var predictMetaMilestoneNames = []string{"Draft published", "Interim report", "Hearing", "Favourite named", "Final report"}

type predictMetaMilestone struct {
	Name        string           `json:"name"`
	Timestamp   string           `json:"timestamp"`
	Before      predictMetaPrice `json:"probability_before"`
	After       predictMetaPrice `json:"probability_after"`
	VolumeSpike int64            `json:"volume_spike"`
}

// milestones are what moved the leading market: its price an hour before and
// at the time, and what was traded in between.
func (e *predictMetaEvent) milestones(now int64) []predictMetaMilestone {
	m := e.leading()
	all := []predictMetaMilestone{}
	for i, name := 0, ""; ; i++ {
		at := m.opens + int64(i+1)*predictMetaMilestoneEvery
		if at > now || at >= e.closes {
			return all
		}
		name = predictMetaMilestoneNames[i%len(predictMetaMilestoneNames)]
		milestone := predictMetaMilestone{Name: name, Timestamp: predictMetaStamp(at), Before: m.lastPrice(at - 3600), After: m.lastPrice(at)}
		for t := range m.tape(at-3600+1, at+1) {
			milestone.VolumeSpike += t.quantity
		}
		all = append(all, milestone)
	}
}

func (e *predictMetaEvent) milestonesAnswer(now int64) map[string]any {
	return map[string]any{"ticker": e.ticker, "milestones": e.milestones(now)}
}

func (p *predictMeta) milestones(_ *call, in predictMetaTickerRequest) (any, error) {
	e, err := p.findEvent(in.Ticker)
	if err != nil {
		return nil, err
	}
	return e.milestonesAnswer(p.second()), nil
}

// mintMilestones has no documented shape: as by ticker, or a bare array.
func (p *predictMeta) mintMilestones(c *call, in predictMetaMintRequest) (any, error) {
	mint, err := p.findMint(c, in.Mint)
	if err != nil {
		return nil, err
	}
	if c.shape(2) == 0 {
		return mint.market.event.milestonesAnswer(p.second()), nil
	}
	return mint.market.event.milestones(p.second()), nil
}

type predictMetaMilestonesRequest struct {
	Tickers []string `body:"tickers,required"`
}

// batchMilestones takes any number of tickers, since no cap is documented. The
// shape is not either: a list of what each ticker's route answers, bare or
// under a name, or an object by ticker. Unknown tickers are left out, as
// nothing says how they would be named.
func (p *predictMeta) batchMilestones(c *call, in predictMetaMilestonesRequest) (any, error) {
	if len(in.Tickers) == 0 {
		return nil, refuse(http.StatusBadRequest, "", "tickers is empty")
	}
	list, byTicker := []map[string]any{}, map[string]any{}
	for _, ticker := range in.Tickers {
		e, err := p.findEvent(ticker)
		if _, doubled := byTicker[ticker]; err != nil || doubled {
			continue
		}
		list = append(list, e.milestonesAnswer(p.second()))
		byTicker[ticker] = e.milestones(p.second())
	}
	switch c.shape(3) {
	case 0:
		return map[string]any{"milestones": list}, nil
	case 1:
		return list, nil
	}
	return byTicker, nil
}
