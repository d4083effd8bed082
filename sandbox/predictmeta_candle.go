package sandbox

import (
	"cmp"
	"net/http"
)

// predictMetaCandle is what an interval's trades come to.
type predictMetaCandle struct {
	start                  int64
	open, high, low, close predictMetaPrice
	volume                 int64
}

// candles are those of the intervals that meet a span, from the first trade
// on. An interval without a trade has the price of the last one before it. The
// candle of an interval is whole, however much of it the span covers, except
// that nothing of the future is in it.
func (m *predictMetaMarket) candles(from, to, width, now int64) []predictMetaCandle {
	from = max(from, m.opens)
	to = min(to, m.event.closes)
	var all []predictMetaCandle
	if from >= to {
		return all
	}
	start := from - from%width
	price := m.lastPrice(start - 1)
	last := (to - 1) - (to-1)%width
	next := func(at int64) {
		for ; start < at; start += width {
			if price > 0 {
				all = append(all, predictMetaCandle{start, price, price, price, price, 0})
			}
		}
	}
	var current *predictMetaCandle
	for t := range m.tape(start, min(last+width, now+1)) {
		at := t.second - t.second%width
		if current == nil || current.start != at {
			next(at)
			all = append(all, predictMetaCandle{at, t.price, t.price, t.price, t.price, 0})
			current, start = &all[len(all)-1], at+width
		}
		current.take(t)
		price = t.price
	}
	next(last + width)
	return all
}

func (c *predictMetaCandle) take(t predictMetaTrade) {
	c.high, c.low, c.close = max(c.high, t.price), min(c.low, t.price), t.price
	c.volume += t.quantity
}

type predictMetaCandleAnswer struct {
	Timestamp string           `json:"timestamp"`
	Open      predictMetaPrice `json:"open"`
	High      predictMetaPrice `json:"high"`
	Low       predictMetaPrice `json:"low"`
	Close     predictMetaPrice `json:"close"`
	Volume    int64            `json:"volume"`
}

func predictMetaCandleAnswers(candles []predictMetaCandle) []predictMetaCandleAnswer {
	answers := []predictMetaCandleAnswer{}
	for _, c := range candles {
		answers = append(answers, predictMetaCandleAnswer{predictMetaStamp(c.start), c.open, c.high, c.low, c.close, c.volume})
	}
	return answers
}

// predictMetaCandleCount is how many intervals are answered where no start is
// given.
const predictMetaCandleCount = 100

// span reads a request's candles.
func (p *predictMeta) span(m *predictMetaMarket, interval predictMetaInterval, start, end *predictMetaTime) ([]predictMetaCandle, error) {
	width := interval.seconds()
	if width == 0 {
		return nil, refuse(http.StatusBadRequest, "", "interval %s is not known", interval)
	}
	now := p.second()
	from, to, err := predictMetaRange(start, end, now, width*predictMetaCandleCount)
	if err != nil {
		return nil, err
	}
	return m.candles(from, to, width, now), nil
}

type predictMetaForecastRequest struct {
	Ticker   string           `path:"ticker"`
	Interval string           `query:"interval" oneof:"1h 4h 1d"`
	Start    *predictMetaTime `query:"start_time"`
	End      *predictMetaTime `query:"end_time"`
}

// forecast is the leading market's price at the end of each interval.
func (p *predictMeta) forecast(_ *call, in predictMetaForecastRequest) (any, error) {
	e, err := p.findEvent(in.Ticker)
	if err != nil {
		return nil, err
	}
	candles, err := p.span(e.leading(), predictMetaInterval(in.Interval), in.Start, in.End)
	if err != nil {
		return nil, err
	}
	points := []map[string]any{}
	for _, c := range candles {
		points = append(points, map[string]any{"timestamp": predictMetaStamp(c.start), "probability": c.close, "volume": c.volume})
	}
	return map[string]any{"ticker": e.ticker, "forecasts": points}, nil
}

type predictMetaEventCandlesRequest struct {
	Ticker   string           `path:"ticker"`
	Interval string           `query:"interval" oneof:"1m 5m 15m 1h 4h 1d"`
	Start    *predictMetaTime `query:"start_time"`
	End      *predictMetaTime `query:"end_time"`
}

// eventCandles are those of the leading market.
func (p *predictMeta) eventCandles(_ *call, in predictMetaEventCandlesRequest) (any, error) {
	e, err := p.findEvent(in.Ticker)
	if err != nil {
		return nil, err
	}
	candles, err := p.span(e.leading(), predictMetaInterval(in.Interval), in.Start, in.End)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"ticker": e.ticker, "interval": cmp.Or(in.Interval, "1h"), "candlesticks": predictMetaCandleAnswers(candles),
	}, nil
}

type predictMetaMarketCandlesRequest struct {
	Ticker   string              `path:"ticker"`
	Interval predictMetaInterval `query:"interval"`
	Start    *predictMetaTime    `query:"start_time"`
	End      *predictMetaTime    `query:"end_time"`
}

func (p *predictMeta) marketCandles(c *call, in predictMetaMarketCandlesRequest) (any, error) {
	m, err := p.find(in.Ticker)
	if err != nil {
		return nil, err
	}
	return p.undocumentedCandles(c, m, in.Interval, in.Start, in.End)
}

// predictMetaMintCandlesRequest takes what the route by ticker takes, since
// the text lists nothing for this one.
type predictMetaMintCandlesRequest struct {
	Mint     string              `path:"mint_address"`
	Interval predictMetaInterval `query:"interval"`
	Start    *predictMetaTime    `query:"start_time"`
	End      *predictMetaTime    `query:"end_time"`
}

func (p *predictMeta) mintCandles(c *call, in predictMetaMintCandlesRequest) (any, error) {
	mint, err := p.findMint(c, in.Mint)
	if err != nil {
		return nil, err
	}
	return p.undocumentedCandles(c, mint.market, in.Interval, in.Start, in.End)
}

// undocumentedCandles have the event's shape, or are a bare array, or come as
// an exchange upstream might write them.
func (p *predictMeta) undocumentedCandles(c *call, m *predictMetaMarket, interval predictMetaInterval, start, end *predictMetaTime) (any, error) {
	candles, err := p.span(m, interval, start, end)
	if err != nil {
		return nil, err
	}
	switch c.shape(3) {
	case 0:
		return map[string]any{
			"ticker": m.ticker, "interval": cmp.Or(interval, "1h"), "candlesticks": predictMetaCandleAnswers(candles),
		}, nil
	case 1:
		return predictMetaCandleAnswers(candles), nil
	}
	upstream := []map[string]any{}
	for _, k := range candles {
		upstream = append(upstream, map[string]any{
			"end_period_ts": k.start + interval.seconds(), "volume": k.volume,
			"price": map[string]any{"open": k.open, "high": k.high, "low": k.low, "close": k.close},
		})
	}
	return map[string]any{"series_ticker": m.event.series.ticker, "market_ticker": m.ticker, "candlesticks": upstream}, nil
}
