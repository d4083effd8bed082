package lending

import (
	"math"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type ratesRequest struct {
	Mint     string `query:"mint" form:"key"`
	Period   string `query:"period" oneof:"1h 24h 7d 30d"`
	Interval string `query:"interval" oneof:"1m 1h 1d"`
}

// rates answers hourly rates of USDC for a day, unless the request names
// others.
func (l *Service) rates(_ *kit.Call, in ratesRequest) any {
	if in.Mint == "" {
		in.Mint = l.pools[0].Mint
	}
	p := l.pool(in.Mint)
	const day = 24 * time.Hour
	period := map[string]time.Duration{"1h": time.Hour, "": day, "24h": day, "7d": 7 * day, "30d": 30 * day}[in.Period]
	interval := map[string]time.Duration{"1m": time.Minute, "": time.Hour, "1h": time.Hour, "1d": day}[in.Interval]
	end := l.Now().Truncate(interval)
	n := int(min(max(period/interval, 1), mostRates))
	points := make([]any, 0, n)
	for i := range n {
		at := end.Add(-time.Duration(n-1-i) * interval)
		wave := 1 + 0.02*math.Sin(float64(at.Unix())/3600)
		points = append(points, map[string]any{
			"timestamp": at.Unix(), "protectedApy": round4(p.protectedAPY * wave), "boostedApy": round4(p.boostedAPY * wave),
			"bestProtocol": p.best().Name, "bestProtocolApy": round4(p.best().APY * wave),
		})
	}
	return map[string]any{"mint": p.Mint, "rates": points}
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }
