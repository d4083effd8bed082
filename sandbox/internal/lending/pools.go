package lending

import (
	"math"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// pool is the lending pool of a token. APYs are percent, shares are fractions
// of one.
type pool struct {
	build.Token
	protectedAPY, boostedAPY, customAPY float64
	protected, boosted                  uint64 // deposits, smallest units
	regular                             uint64
	capacity                            uint64 // of all deposits together
	protocols                           []protocol
}

type protocol struct {
	Name       string  `json:"name"`
	APY        float64 `json:"apy"`
	Allocation float64 `json:"allocation"`
}

// Open makes the pools, with what others have deposited.
func (l *Service) openPools() {
	open := func(symbol string, apy float64, deposits, capacity uint64) {
		t := l.Token(symbol)
		l.pools = append(l.pools, &pool{
			Token: t, protectedAPY: apy, boostedAPY: apy * 1.5, customAPY: apy * 1.2,
			protected: deposits / 2, boosted: deposits / 4, regular: deposits / 4, capacity: capacity,
			protocols: []protocol{{"harbor", apy * 1.1, 0.5}, {"meadow", apy, 0.3}, {"quarry", apy * 0.8, 0.2}},
		})
		l.Stock(play.Lending, t.Key, deposits)
	}
	open("USDC", 6.25, 4_000_000_000_000, 5_000_000_000_000)
	open("USDT", 5.5, 1_000_000_000_000, 1_000_500_000_000)
	open("SOL", 7.125, 50_000_000_000_000, math.MaxUint64)
}

func (p *pool) deposits() uint64 { return p.protected + p.boosted + p.regular }

func (p *pool) available() uint64 { return p.capacity - p.deposits() }

// of returns the deposits of one type.
func (p *pool) of(depositType string) *uint64 {
	switch depositType {
	case "protected":
		return &p.protected
	case "boosted":
		return &p.boosted
	}
	return &p.regular
}

func (p *pool) apy(depositType string) float64 {
	switch depositType {
	case "protected":
		return p.protectedAPY
	case "boosted":
		return p.boostedAPY
	}
	return p.customAPY
}

// best is the protocol that yields most.
func (p *pool) best() protocol { return p.protocols[0] }

func (l *Service) pool(mint string) *pool {
	return kit.Found(kit.Find(l.pools, func(p *pool) bool { return p.Mint == mint }), "there is no pool of %s", mint)
}

func (p *pool) answer() any {
	return map[string]any{
		"mint": p.Mint, "symbol": p.Symbol, "decimals": p.Decimals, "protectedApy": p.protectedAPY,
		"boostedApy": p.boostedAPY, "customApy": p.customAPY, "totalDeposited": p.deposits(),
		"protectedDeposits": p.protected, "boostedDeposits": p.boosted, "availableCapacity": p.available(),
		"coverageRatio": p.coverage(), "protocols": p.protocols,
	}
}

// coverage is how much of the protected deposits the boosted ones cover.
func (p *pool) coverage() float64 {
	if p.protected == 0 {
		return 1
	}
	return math.Round(float64(p.boosted)/float64(p.protected)*1e4) / 1e4
}

func (l *Service) listPools(*kit.Call, kit.Nothing) any {
	return map[string]any{"pools": kit.List(l.pools, (*pool).answer)}
}

type statsRequest struct {
	Mint   string `query:"mint" form:"key"`
	Period string `query:"period" oneof:"24h 7d 30d"`
}

// poolStats has no documented shape: a list of days for one pool, or a map of
// pools.
func (l *Service) poolStats(c *kit.Call, in statsRequest) any {
	pools := l.pools
	if in.Mint != "" {
		p := l.pool(in.Mint)
		pools = []*pool{p}
	}
	days := map[string]int{"": 1, "24h": 1, "7d": 7, "30d": 30}[in.Period]
	byMint := map[string]any{}
	flat := []any{}
	for _, p := range pools {
		series := []any{}
		for d := range days {
			at := l.Now().UTC().AddDate(0, 0, -d)
			series = append(series, map[string]any{
				"date": at.Format(time.DateOnly), "filledCapacity": p.deposits(), "coverageRatio": p.coverage(),
			})
			flat = append(flat, map[string]any{
				"mint": p.Mint, "timestamp": at.Unix(), "filled": p.deposits(), "coverage": p.coverage(),
				"distribution": p.protocols,
			})
		}
		byMint[p.Mint] = map[string]any{"daily": series, "protocolDistribution": p.protocols}
	}
	return c.Either(map[string]any{"period": in.Period, "stats": flat}, byMint)
}

// mostRates bounds a feed: a month of minutes would be 43,200 points.
const mostRates = 1000
