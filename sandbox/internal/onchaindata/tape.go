package onchaindata

import (
	"iter"
	"math"
	"math/bits"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// trade is one trade of a pool's tape.
type trade struct {
	pool       *pool
	slot       int64 // which of the pool's
	second     int64 // Unix
	base       float64
	quote      float64 // dollars for one of each token
	rate       float64 // quote tokens for one base token
	micros     int64   // traded, in millionths of a dollar
	buy        bool    // of the base token
	draw       uint64
	*execution // nil for a trade of the tape
}

// mix is splitmix64 of two numbers.
func mix(seed, n uint64) uint64 {
	return kit.Mix(seed + (n-1)*0x9e3779b97f4a7c15)
}

// unit makes a number in [0, 1).
func unit(draw uint64) float64 { return float64(draw>>11) / (1 << 53) }

// waves are the periods of the swings of a token's value, in seconds.
var waves = [...]float64{5.3 * Day, 7.1 * 3600, 41 * 60}

// value is the price of a token at a second, in dollars, before a trade's own
// accidents.
func (t *token) value(second int64) float64 {
	w := 0.0
	for i, period := range waves {
		phase := float64(t.seed>>(16*i)&0xffff) / 0x10000
		_, turn := math.Modf(float64(second)/period + phase)
		w += math.Sin(2*math.Pi*turn) / float64(1+i)
	}
	return t.priceAt(second) * math.Exp(t.swing*w)
}

// tradeIn returns the trade of one of the pool's slots, each of which has at
// most one, at a second of its own: no two trades of a pool share a second.
func (p *pool) tradeIn(slot int64) (trade, bool) {
	draw := mix(p.seed, uint64(slot))
	t := trade{pool: p, slot: slot, draw: draw, second: slot*p.pace + int64(draw>>8%uint64(p.pace)), buy: draw>>3&1 == 0}
	if draw%8 == 0 || t.second < p.opens || p.closed(t.second) {
		return t, false
	}
	return t, true
}

// price fills in what the trade went at. It is apart from tradeIn since it
// costs more than finding the trade does.
func (t trade) price() trade {
	p, accident := t.pool, mix(t.draw, 1)
	noise := (unit(accident) - 0.5) / 5 * max(p.base.swing, p.quote.swing)
	t.quote = p.quote.value(t.second)
	t.rate = p.base.value(t.second) / t.quote * (1 + noise)
	t.base = t.rate * t.quote
	// in millionths of a dollar: from a millionth of the pool to five hundred
	// times that, small ones as often as large ones
	size := p.dollars * math.Exp(math.Log(500)*unit(mix(t.draw, 2)))
	t.micros = max(int64(size), 10_000)
	return t
}

func (p *pool) closed(second int64) bool { return p.closes != 0 && second >= p.closes }

// backward yields the trades at or before a second, the last one first. Of one
// second those that were executed on the ledger come after that of the tape.
func (p *pool) backward(second int64) iter.Seq[trade] {
	return func(yield func(trade) bool) {
		next := len(p.executed) - 1
		for ; next >= 0 && p.executed[next].second > second; next-- {
		}
		for t := range p.tape(second) {
			for ; next >= 0 && p.executed[next].second >= t.second; next-- {
				if !yield(p.executed[next]) {
					return
				}
			}
			if !yield(t) {
				return
			}
		}
		for ; next >= 0; next-- {
			if !yield(p.executed[next]) {
				return
			}
		}
	}
}

// tape yields the trades that follow from the seed, the last one first.
func (p *pool) tape(second int64) iter.Seq[trade] {
	if p.closes != 0 {
		second = min(second, p.closes-1)
	}
	return func(yield func(trade) bool) {
		for slot := second / p.pace; (slot+1)*p.pace > p.opens; slot-- {
			t, ok := p.tradeIn(slot)
			if ok && t.second <= second && !yield(t.price()) {
				return
			}
		}
	}
}

// dollars is the price of one token of the pool.
func (t *trade) dollars(of *token) float64 {
	if of == t.pool.base {
		return t.base
	}
	return t.quote
}

// inOther is the price of one token of the pool in the other.
func (t *trade) inOther(of *token) float64 {
	if of == t.pool.base {
		return t.rate
	}
	return 1 / t.rate
}

// amount is how much of a token changed hands, in whole tokens.
func (t *trade) amount(of *token) float64 {
	switch {
	case t.execution == nil:
	case of == t.pool.base:
		return t.execution.base
	default:
		return t.execution.quote
	}
	return float64(t.micros) / 1e6 / t.dollars(of)
}

// traders is how many wallets trade on a network.
const traders = 128

// trader is who traded, a number below traders.
func (t *trade) trader() int64 { return int64(t.draw >> 40 % traders) }

// period is a span over which figures are stated.
type period struct {
	key     string
	seconds int64
}

// periods are the spans, the shortest first.
var periods = [...]period{{"m5", 300}, {"m15", 900}, {"m30", 1800}, {"h1", 3600}, {"h6", 6 * 3600}, {"h24", Day}}

// tally sums up the trades of one period.
type tally struct {
	buys, sells     int64
	buyers, sellers [traders / 64]uint64 // a bit for each wallet
	bought, sold    int64                // millionths of a dollar
	before          trade                // the last one before the period
	began           bool                 // whether there is one
}

func (y *tally) take(t trade) {
	wallet := t.trader()
	if t.buy {
		y.buys, y.bought = y.buys+1, y.bought+t.micros
		y.buyers[wallet/64] |= 1 << (wallet % 64)
		return
	}
	y.sells, y.sold = y.sells+1, y.sold+t.micros
	y.sellers[wallet/64] |= 1 << (wallet % 64)
}

func (y *tally) micros() int64 { return y.bought + y.sold }

func count(wallets [traders / 64]uint64) (n int64) {
	for _, w := range wallets {
		n += int64(bits.OnesCount64(w))
	}
	return n
}

// figures sums up a pool's tape at a second.
type figures struct {
	last    trade
	traded  bool // whether there has been any
	tallies [len(periods)]tally
}

// remembered bounds how many moments a pool keeps its figures of: those
// of the ten seconds and of the thirty.
const remembered = 2

// at returns the pool's figures at a second, the trades of that second
// included.
func (p *pool) at(second int64) *figures {
	if f, ok := p.figures[second]; ok {
		return f
	}
	if len(p.figures) >= remembered {
		clear(p.figures)
	}
	f := &figures{}
	open := 0 // the periods from here on reach back to the trade at hand
	for t := range p.backward(second) {
		if !f.traded {
			f.last, f.traded = t, true
		}
		for open < len(periods) && t.second <= second-periods[open].seconds {
			f.tallies[open].before, f.tallies[open].began = t, true
			open++
		}
		if open == len(periods) {
			break
		}
		for i := open; i < len(periods); i++ {
			f.tallies[i].take(t)
		}
	}
	p.figures[second] = f
	return f
}

func (f *figures) over(key string) *tally {
	for i, period := range periods {
		if period.key == key {
			return &f.tallies[i]
		}
	}
	panic("sandbox: there is no period " + key)
}

// change is by how many percent the dollars for a token have changed since the
// beginning of a period, false if the pool is younger.
func (f *figures) change(of *token, key string) (float64, bool) {
	y := f.over(key)
	if !y.began {
		return 0, false
	}
	return (f.last.dollars(of)/y.before.dollars(of) - 1) * 100, true
}
