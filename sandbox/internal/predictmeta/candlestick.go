package predictmeta

import (
	"cmp"
	"net/url"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// candle sums up an interval's trades.
type candle struct {
	start                  int64
	open, high, low, close price
	volume                 int64
}

// candles returns the candles of the intervals that overlap a span, from the
// first trade on. An interval without trades has the price of the last trade
// before it. A candle covers its whole interval, even if the span covers only a
// part of it, but nothing in the future.
func (m *Market) candles(from, to, width, now int64) []candle {
	from = max(from, m.Opens)
	to = min(to, m.Event.closes)
	var all []candle
	if from >= to {
		return all
	}
	start := from - from%width
	price := m.lastPrice(start - 1)
	last := (to - 1) - (to-1)%width
	next := func(at int64) {
		for ; start < at; start += width {
			if price > 0 {
				all = append(all, candle{start, price, price, price, price, 0})
			}
		}
	}
	var current *candle
	for t := range m.tape(start, min(last+width, now+1)) {
		at := t.second - t.second%width
		if current == nil || current.start != at {
			next(at)
			all = append(all, candle{at, t.price, t.price, t.price, t.price, 0})
			current, start = &all[len(all)-1], at+width
		}
		current.take(t)
		price = t.price
	}
	next(last + width)
	return all
}

func (c *candle) take(t trade) {
	c.high, c.low, c.close = max(c.high, t.price), min(c.low, t.price), t.price
	c.volume += t.quantity
}

func candleAnswers(candles []candle) []any {
	return kit.List(candles, func(c candle) any {
		return map[string]any{
			"timestamp": Stamp(c.start), "open": c.open, "high": c.high, "low": c.low, "close": c.close, "volume": c.volume,
		}
	})
}

// candleCount is how many intervals are answered if no start is
// given.
const candleCount = 100

// span reads a request's candles.
func (p *Service) span(m *Market, interval interval, start, end *instant) []candle {
	width := interval.seconds()
	now := p.second()
	from, to := window(start, end, now, width*candleCount)
	return m.candles(from, to, width, now)
}

type eventCandlesRequest struct {
	Ticker   string   `path:"ticker" open:"a ticker"`
	Interval string   `query:"interval" oneof:"1m 5m 15m 1h 4h 1d" open:"values not shown"`
	Start    *instant `query:"start_time"`
	End      *instant `query:"end_time"`
}

// eventCandles are those of the leading market.
func (p *Service) eventCandles(_ *kit.Call, in eventCandlesRequest) any {
	e := p.findEvent(in.Ticker)
	candles := p.span(e.leading(), interval(in.Interval), in.Start, in.End)
	return documentedCandles(e.Ticker, interval(in.Interval), candles)
}

func documentedCandles(ticker string, interval interval, candles []candle) any {
	return map[string]any{
		"ticker": ticker, "interval": cmp.Or(interval, "1h"), "candlesticks": candleAnswers(candles),
	}
}

type marketCandlesRequest struct {
	Ticker   string   `path:"ticker" open:"a ticker"`
	Interval interval `query:"interval" open:"values not shown"`
	Start    *instant `query:"start_time"`
	End      *instant `query:"end_time"`
}

func (p *Service) marketCandles(c *kit.Call, in marketCandlesRequest) any {
	m := p.find(in.Ticker)
	return p.undocumentedCandles(c, m, in.Interval, in.Start, in.End)
}

// mintCandlesRequest takes any parameters, since the documentation shows none. The
// well-formed ones of the route by ticker mean what they mean there.
type mintCandlesRequest struct {
	Mint  string     `path:"mint_address" form:"key"`
	Query url.Values `query:"*"`
}

func (p *Service) mintCandles(c *kit.Call, in mintCandlesRequest) any {
	mint := p.findMint(in.Mint)
	read := func(name string) *instant {
		var t instant
		if t.UnmarshalText([]byte(in.Query.Get(name))) != nil {
			return nil
		}
		return &t
	}
	return p.undocumentedCandles(c, mint.market, interval(in.Query.Get("interval")), read("start_time"), read("end_time"))
}

// undocumentedCandles have the event's shape, or are a bare array, or come as
// an exchange upstream might write them.
func (p *Service) undocumentedCandles(c *kit.Call, m *Market, interval interval, start, end *instant) any {
	candles := p.span(m, interval, start, end)
	switch c.Shape(3) {
	case 0:
		return documentedCandles(m.ticker, interval, candles)
	case 1:
		return candleAnswers(candles)
	}
	upstream := kit.List(candles, func(k candle) any {
		return map[string]any{
			"end_period_ts": k.start + interval.seconds(), "volume": k.volume,
			"price": map[string]any{"open": k.open, "high": k.high, "low": k.low, "close": k.close},
		}
	})
	return map[string]any{"series_ticker": m.Event.Series.Ticker, "market_ticker": m.ticker, "candlesticks": upstream}
}
