package sandbox

import (
	"math"
	"net/http"
	"time"
)

// lendingPool is what one token can be lent at. APYs are percent, shares are
// fractions of one.
type lendingPool struct {
	Token
	protectedAPY, boostedAPY, customAPY float64
	protected, boosted                  uint64 // deposits, smallest units
	regular                             uint64
	capacity                            uint64 // of all deposits together
	protocols                           []lendingProtocol
}

type lendingProtocol struct {
	Name       string  `json:"name"`
	APY        float64 `json:"apy"`
	Allocation float64 `json:"allocation"`
}

// openPools makes the pools, with what others have deposited.
func (l *lending) openPools() {
	open := func(symbol string, apy float64, deposits, capacity uint64) {
		t := l.token(symbol)
		l.pools = append(l.pools, &lendingPool{
			Token: t, protectedAPY: apy, boostedAPY: apy * 1.5, customAPY: apy * 1.2,
			protected: deposits / 2, boosted: deposits / 4, regular: deposits / 4, capacity: capacity,
			protocols: []lendingProtocol{{"harbor", apy * 1.1, 0.5}, {"meadow", apy, 0.3}, {"quarry", apy * 0.8, 0.2}},
		})
		l.stock(Lending, t.key, deposits)
	}
	open("USDC", 6.25, 4_000_000_000_000, 5_000_000_000_000)
	open("USDT", 5.5, 1_000_000_000_000, 1_000_500_000_000)
	open("SOL", 7.125, 50_000_000_000_000, math.MaxUint64)
}

func (p *lendingPool) deposits() uint64  { return p.protected + p.boosted + p.regular }
func (p *lendingPool) available() uint64 { return p.capacity - p.deposits() }

// of returns the deposits of one type.
func (p *lendingPool) of(depositType string) *uint64 {
	switch depositType {
	case "protected":
		return &p.protected
	case "boosted":
		return &p.boosted
	}
	return &p.regular
}

func (p *lendingPool) apy(depositType string) float64 {
	switch depositType {
	case "protected":
		return p.protectedAPY
	case "boosted":
		return p.boostedAPY
	}
	return p.customAPY
}

// best is the protocol that yields most.
func (p *lendingPool) best() lendingProtocol { return p.protocols[0] }

func (l *lending) pool(mint string) (*lendingPool, error) {
	for _, p := range l.pools {
		if p.Mint == mint {
			return p, nil
		}
	}
	return nil, refuse(http.StatusNotFound, "", "there is no pool of %s", mint)
}

type lendingPoolAnswer struct {
	Mint              string            `json:"mint"`
	Symbol            string            `json:"symbol"`
	Decimals          uint8             `json:"decimals"`
	ProtectedAPY      float64           `json:"protectedApy"`
	BoostedAPY        float64           `json:"boostedApy"`
	CustomAPY         float64           `json:"customApy"`
	TotalDeposited    uint64            `json:"totalDeposited"`
	ProtectedDeposits uint64            `json:"protectedDeposits"`
	BoostedDeposits   uint64            `json:"boostedDeposits"`
	AvailableCapacity uint64            `json:"availableCapacity"`
	CoverageRatio     float64           `json:"coverageRatio"`
	Protocols         []lendingProtocol `json:"protocols"`
}

func (p *lendingPool) answer() lendingPoolAnswer {
	return lendingPoolAnswer{
		p.Mint, p.Symbol, p.Decimals, p.protectedAPY, p.boostedAPY, p.customAPY,
		p.deposits(), p.protected, p.boosted, p.available(), p.coverage(), p.protocols,
	}
}

// coverage is how much of the protected deposits the boosted ones cover.
func (p *lendingPool) coverage() float64 {
	if p.protected == 0 {
		return 1
	}
	return math.Round(float64(p.boosted)/float64(p.protected)*1e4) / 1e4
}

func (l *lending) listPools(*call, nothing) (any, error) {
	answers := []lendingPoolAnswer{}
	for _, p := range l.pools {
		answers = append(answers, p.answer())
	}
	return map[string]any{"pools": answers}, nil
}

type lendingStatsRequest struct {
	Mint   string `query:"mint"`
	Period string `query:"period" oneof:"24h 7d 30d"`
}

// poolStats has no documented shape: a list of days for one pool, or a map of
// pools.
func (l *lending) poolStats(c *call, in lendingStatsRequest) (any, error) {
	pools := l.pools
	if in.Mint != "" {
		p, err := l.pool(in.Mint)
		if err != nil {
			return nil, err
		}
		pools = []*lendingPool{p}
	}
	days := map[string]int{"": 1, "24h": 1, "7d": 7, "30d": 30}[in.Period]
	byMint := map[string]any{}
	flat := []map[string]any{}
	for _, p := range pools {
		series := []map[string]any{}
		for d := range days {
			day := map[string]any{
				"date":           l.now().UTC().AddDate(0, 0, -d).Format(time.DateOnly),
				"filledCapacity": p.deposits(), "coverageRatio": p.coverage(),
			}
			series = append(series, day)
			flat = append(flat, map[string]any{"mint": p.Mint, "timestamp": l.now().AddDate(0, 0, -d).Unix(), "filled": p.deposits(), "coverage": p.coverage(), "distribution": p.protocols})
		}
		byMint[p.Mint] = map[string]any{"daily": series, "protocolDistribution": p.protocols}
	}
	if c.shape(2) == 0 {
		return map[string]any{"period": in.Period, "stats": flat}, nil
	}
	return byMint, nil
}

type lendingRatesRequest struct {
	Mint     string `query:"mint"`
	Period   string `query:"period" oneof:"1h 24h 7d 30d"`
	Interval string `query:"interval" oneof:"1m 1h 1d"`
}

type lendingRate struct {
	Timestamp       int64   `json:"timestamp"`
	ProtectedAPY    float64 `json:"protectedApy"`
	BoostedAPY      float64 `json:"boostedApy"`
	BestProtocol    string  `json:"bestProtocol"`
	BestProtocolAPY float64 `json:"bestProtocolApy"`
}

// mostRates bounds a feed: a month of minutes would be 43,200 points.
const mostRates = 1000

// rates answers for USDC, a day by the hour, where the request does not say.
func (l *lending) rates(_ *call, in lendingRatesRequest) (any, error) {
	if in.Mint == "" {
		in.Mint = l.pools[0].Mint
	}
	p, err := l.pool(in.Mint)
	if err != nil {
		return nil, err
	}
	period := map[string]time.Duration{"1h": time.Hour, "": 24 * time.Hour, "24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour, "30d": 30 * 24 * time.Hour}[in.Period]
	interval := map[string]time.Duration{"1m": time.Minute, "": time.Hour, "1h": time.Hour, "1d": 24 * time.Hour}[in.Interval]
	end := l.now().Truncate(interval)
	n := int(min(max(period/interval, 1), mostRates))
	points := make([]lendingRate, 0, n)
	for i := range n {
		at := end.Add(-time.Duration(n-1-i) * interval)
		wave := 1 + 0.02*math.Sin(float64(at.Unix())/3600)
		points = append(points, lendingRate{at.Unix(), round4(p.protectedAPY * wave), round4(p.boostedAPY * wave), p.best().Name, round4(p.best().APY * wave)})
	}
	return map[string]any{"mint": p.Mint, "rates": points}, nil
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }
