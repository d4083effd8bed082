package onchaindata

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// candle sums up an interval's trades, in dollars or in the
// other token.
type candle struct {
	start                  int64
	open, high, low, close float64
	micros                 int64   // traded, millionths of a dollar
	amount                 float64 // traded, of the other token
}

// chart says which candles are drawn.
type chart struct {
	pool    *pool
	of      *token
	inOther bool // prices are in the pool's other token
	width   int64
	gaps    bool // an interval without a trade has a candle too
}

func (h *chart) price(t *trade) float64 {
	if h.inOther {
		return t.inOther(h.of)
	}
	return t.dollars(h.of)
}

func (h *chart) other() *token {
	if h.of == h.pool.base {
		return h.pool.quote
	}
	return h.pool.base
}

// backward draws at most n candles whose interval begins before a second, the
// last one first. Each is whole, except that nothing of the future is in it.
func (h *chart) backward(before, now int64, n int) []candle {
	var all []candle
	end := (before - 1) - (before-1)%h.width + h.width // of the last interval
	next := end - h.width                              // the next interval, if gaps have candles
	for t := range h.pool.backward(min(end-1, now)) {
		start, price := t.second-t.second%h.width, h.price(&t)
		if last := len(all) - 1; last >= 0 && all[last].start == start {
			all[last].take(&t, price, h.other())
			continue
		}
		for ; h.gaps && next > start && len(all) < n; next -= h.width {
			all = append(all, candle{start: next, open: price, high: price, low: price, close: price})
		}
		if len(all) == n {
			break
		}
		candle := candle{start: start, high: price, low: price, close: price}
		candle.take(&t, price, h.other())
		all, next = append(all, candle), start-h.width
	}
	return all
}

// take adds a trade that is older than those in the candle.
func (k *candle) take(t *trade, price float64, other *token) {
	k.open, k.high, k.low = price, max(k.high, price), min(k.low, price)
	k.micros += t.micros
	k.amount += t.amount(other)
}

type candlesRequest struct {
	_         struct{} `rule:"aggregate is 1, 5 or 15 minutes, 1, 4 or 12 hours, or 1 day"`
	Network   string   `path:"network" open:"a network"`
	Timeframe string   `path:"timeframe" oneof:"day hour minute"`
	Aggregate *int64   `query:"aggregate"`
	Before    *int64   `query:"before_timestamp" max:"99999999999"` // more would be milliseconds
	Limit     *int     `query:"limit" max:"1000"`
	Currency  string   `query:"currency" oneof:"usd token"`
}

func (in candlesRequest) Problems(*kit.Call) []string {
	frame, ok := timeframes[in.Timeframe]
	if ok && in.Aggregate != nil && !slices.Contains(frame.aggregates, *in.Aggregate) {
		return []string{fmt.Sprintf("aggregate %d does not go with %s", *in.Aggregate, in.Timeframe)}
	}
	return nil
}

type poolCandlesRequest struct {
	Address string `path:"pool_address" open:"an address of any chain"`
	candlesRequest
}

func (b *Service) poolCandles(c *kit.Call, in poolCandlesRequest) any {
	p := b.poolOn(in.Network, in.Address)
	return b.candles(c, in.candlesRequest, p, p.base)
}

type tokenCandlesRequest struct {
	Address string `path:"token_address" open:"an address of any chain"`
	candlesRequest
}

// tokenCandles draws what the token went for in its deepest pool.
func (b *Service) tokenCandles(c *kit.Call, in tokenCandlesRequest) any {
	t := b.tokenOn(in.Network, in.Address)
	pools := t.network.poolsOf(t, b.Now().Unix())
	kit.RefuseIf(len(pools) == 0, http.StatusNotFound, state, "token %s has no pool", t.address)
	return b.candles(c, in.candlesRequest, pools[0], t)
}

// timeframes are the widths in seconds and how many of them a candle may
// span.
var timeframes = map[string]struct {
	width      int64
	aggregates []int64
}{"minute": {60, []int64{1, 5, 15}}, "hour": {3600, []int64{1, 4, 12}}, "day": {Day, []int64{1}}}

// candles draws a chart. Neither the order nor whether a quiet interval has a
// candle is documented, nor whether before_timestamp itself counts: the last
// comes first, or the first; gaps stay, or are filled.
func (b *Service) candles(c *kit.Call, in candlesRequest, p *pool, of *token) any {
	frame := timeframes[in.Timeframe]
	aggregate := *cmp.Or(in.Aggregate, new(int64(1)))
	v := b.view(c, 1)
	before := v.at + 1
	if in.Before != nil {
		before = min(before, *in.Before)
		if v.kind == retyped {
			before = min(v.at, before) + 1
		}
	}
	chart := chart{p, of, in.Currency == "token", frame.width * aggregate, v.kind == sparse}
	candles := chart.backward(before, v.at, *cmp.Or(in.Limit, new(100)))
	if v.kind == sparse {
		slices.Reverse(candles)
	}
	rows := kit.List(candles, func(k candle) any { return v.candle(k, chart.inOther) })
	answer := v.document(resource("ohlcv", c.RequestID, map[string]any{"ohlcv_list": rows}), nil)
	if v.kind != sparse {
		answer["meta"] = map[string]any{"base": p.base.brief(), "quote": p.quote.brief()}
	}
	return answer
}

// candle writes a row of strings or, with drift, of numbers at times.
func (v *view) candle(k candle, inOther bool) []any {
	numbers := shape{plain, v.drift}
	if v.kind != retyped {
		numbers.kind = retyped
	}
	volume := dollars(k.micros)
	if inOther {
		volume = strconv.FormatFloat(k.amount, 'f', -1, 64)
	}
	return []any{
		v.count(k.start), numbers.price(k.open), numbers.price(k.high), numbers.price(k.low),
		numbers.price(k.close), numbers.text(volume),
	}
}

func (t *token) brief() map[string]any {
	return map[string]any{"address": t.address, "name": t.name, "symbol": t.symbol, "aggregator_coin_id": t.coin}
}
