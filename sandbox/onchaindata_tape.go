package sandbox

import (
	"iter"
	"math"
)

// onchainTrade is one trade of a pool's tape.
type onchainTrade struct {
	pool   *onchainPool
	slot   int64 // which of the pool's
	second int64 // Unix
	base   float64
	quote  float64 // dollars for one of each token
	rate   float64 // quote tokens for one base token
	micros int64   // traded, in millionths of a dollar
	buy    bool    // of the base token
	draw   uint64
}

// onchainMix is splitmix64 of two numbers.
func onchainMix(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// onchainUnit makes a number from 0 up to, but without, 1.
func onchainUnit(draw uint64) float64 { return float64(draw>>11) / (1 << 53) }

// onchainWaves are the periods of the swings of a token's value, in seconds.
var onchainWaves = [...]float64{5.3 * onchainDay, 7.1 * 3600, 41 * 60}

// value is what a token is worth at a second, in dollars, before a trade's own
// accidents.
func (t *onchainToken) value(second int64) float64 {
	w := 0.0
	for i, period := range onchainWaves {
		phase := float64(t.seed>>(16*i)&0xffff) / 0x10000
		_, turn := math.Modf(float64(second)/period + phase)
		w += math.Sin(2*math.Pi*turn) / float64(1+i)
	}
	return t.price * math.Exp(t.swing*w)
}

// tradeIn returns the trade of one of the pool's slots, each of which has at
// most one, at a second of its own: no two trades of a pool share a second.
func (p *onchainPool) tradeIn(slot int64) (onchainTrade, bool) {
	draw := onchainMix(p.seed, uint64(slot))
	t := onchainTrade{pool: p, slot: slot, draw: draw, second: slot*p.pace + int64(draw>>8%uint64(p.pace)), buy: draw>>3&1 == 0}
	if draw%8 == 0 || t.second < p.opens || p.closed(t.second) {
		return t, false
	}
	return t, true
}

// price fills in what the trade went at. It is apart from tradeIn since it
// costs more than finding the trade does.
func (t onchainTrade) price() onchainTrade {
	p, accident := t.pool, onchainMix(t.draw, 1)
	noise := (onchainUnit(accident) - 0.5) / 5 * max(p.base.swing, p.quote.swing)
	t.quote = p.quote.value(t.second)
	t.rate = p.base.value(t.second) / t.quote * (1 + noise)
	t.base = t.rate * t.quote
	// in millionths of a dollar: from a millionth of the pool to five hundred
	// times that, small ones as often as large ones
	size := p.dollars * math.Exp(math.Log(500)*onchainUnit(onchainMix(t.draw, 2)))
	t.micros = max(int64(size), 10_000)
	return t
}

func (p *onchainPool) closed(second int64) bool { return p.closes != 0 && second >= p.closes }

// backward yields the trades at or before a second, the last one first.
func (p *onchainPool) backward(second int64) iter.Seq[onchainTrade] {
	if p.closes != 0 {
		second = min(second, p.closes-1)
	}
	return func(yield func(onchainTrade) bool) {
		for slot := second / p.pace; (slot+1)*p.pace > p.opens; slot-- {
			t, ok := p.tradeIn(slot)
			if ok && t.second <= second && !yield(t.price()) {
				return
			}
		}
	}
}

// dollars is what one of a token of the pool went for.
func (t *onchainTrade) dollars(of *onchainToken) float64 {
	if of == t.pool.base {
		return t.base
	}
	return t.quote
}

// inOther is what one of a token of the pool went for in the other.
func (t *onchainTrade) inOther(of *onchainToken) float64 {
	if of == t.pool.base {
		return t.rate
	}
	return 1 / t.rate
}

// amount is how much of a token changed hands, in whole tokens.
func (t *onchainTrade) amount(of *onchainToken) float64 {
	return float64(t.micros) / 1e6 / t.dollars(of)
}

// onchainTraders is how many wallets trade on a network.
const onchainTraders = 128

// trader is who traded, a number below onchainTraders.
func (t *onchainTrade) trader() int64 { return int64(t.draw >> 40 % onchainTraders) }
