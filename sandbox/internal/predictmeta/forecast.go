package predictmeta

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

type forecastRequest struct {
	Ticker   string   `path:"ticker" open:"a ticker"`
	Interval string   `query:"interval" oneof:"1h 4h 1d"`
	Start    *instant `query:"start_time"`
	End      *instant `query:"end_time"`
}

// forecast is the leading market's price at the end of each interval.
func (p *Service) forecast(_ *kit.Call, in forecastRequest) any {
	e := p.findEvent(in.Ticker)
	candles := p.span(e.leading(), interval(in.Interval), in.Start, in.End)
	points := kit.List(candles, func(c candle) any {
		return map[string]any{"timestamp": Stamp(c.start), "probability": c.close, "volume": c.volume}
	})
	return map[string]any{"ticker": e.Ticker, "forecasts": points}
}
