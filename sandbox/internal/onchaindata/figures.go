package onchaindata

import "math/bits"

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
