package sandbox

import "net/http"

type predictMetaOutcome struct {
	Mint         string `json:"mint"`
	MarketTicker string `json:"market_ticker"`
	Outcome      string `json:"outcome"`
}

type predictMetaOutcomesRequest struct {
	MinClose *int64 `query:"min_close_timestamp"` // Unix seconds
}

// outcomeMints lists both mints of every market that closes no earlier than
// asked.
func (p *predictMeta) outcomeMints(_ *call, in predictMetaOutcomesRequest) (any, error) {
	mints := []predictMetaOutcome{}
	for _, m := range p.markets {
		if in.MinClose == nil || m.event.closes >= *in.MinClose {
			mints = append(mints, predictMetaOutcome{m.yes, m.ticker, "yes"}, predictMetaOutcome{m.no, m.ticker, "no"})
		}
	}
	return map[string]any{"outcome_mints": mints}, nil
}

// predictMetaFilter is how many addresses one call may ask about.
const predictMetaFilter = 200

type predictMetaFilterRequest struct {
	Addresses []string `body:"addresses,required"`
}

// filterMints parts the addresses. Of what the array of outcome mints is made
// is not documented: as in the list of them, or of strings like its neighbour.
func (p *predictMeta) filterMints(c *call, in predictMetaFilterRequest) (any, error) {
	if len(in.Addresses) > predictMetaFilter {
		c.violate("more than 200 addresses")
		return nil, refuse(http.StatusBadRequest, "", "at most %d addresses", predictMetaFilter)
	}
	outcomes, addresses, others := []predictMetaOutcome{}, []string{}, []string{}
	for _, address := range in.Addresses {
		if _, err := c.key(address, "addresses"); err != nil {
			return nil, err
		}
		mint := p.byMint[address]
		if mint.outcome == "" {
			others = append(others, address)
			continue
		}
		outcomes = append(outcomes, predictMetaOutcome{address, mint.market.ticker, mint.outcome})
		addresses = append(addresses, address)
	}
	if c.shape(2) == 0 {
		return map[string]any{"outcome_mints": outcomes, "non_outcome_mints": others}, nil
	}
	return map[string]any{"outcome_mints": addresses, "non_outcome_mints": others}, nil
}
