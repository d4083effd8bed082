package predictmeta

import (
	"net/http"

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
func (p *Service) outcomeMints(_ *kit.Call, in outcomesRequest) (any, error) {
	mints := []outcome{}
	for _, m := range p.Markets {
		if in.MinClose == nil || m.Event.closes >= *in.MinClose {
			mints = append(mints, outcome{m.Yes, m.ticker, "yes"}, outcome{m.No, m.ticker, "no"})
		}
	}
	return map[string]any{"outcome_mints": mints}, nil
}

// filter is how many addresses one call may ask about.
const filter = 200

type filterRequest struct {
	Addresses []string `body:"addresses,required"`
}

// filterMints parts the addresses. Of what the array of outcome mints is made
// is not documented: as in the list of them, or of strings like its neighbour.
func (p *Service) filterMints(c *kit.Call, in filterRequest) (any, error) {
	if len(in.Addresses) > filter {
		c.Violate("more than 200 addresses")
		return nil, kit.Refuse(http.StatusBadRequest, "", "at most %d addresses", filter)
	}
	outcomes, addresses, others := []outcome{}, []string{}, []string{}
	for _, address := range in.Addresses {
		if _, err := c.Key(address, "addresses"); err != nil {
			return nil, err
		}
		mint := p.ByMint[address]
		if mint.outcome == "" {
			others = append(others, address)
			continue
		}
		outcomes = append(outcomes, outcome{address, mint.market.ticker, mint.outcome})
		addresses = append(addresses, address)
	}
	if c.Shape(2) == 0 {
		return map[string]any{"outcome_mints": outcomes, "non_outcome_mints": others}, nil
	}
	return map[string]any{"outcome_mints": addresses, "non_outcome_mints": others}, nil
}
