package sandbox

import "math/bits"

// poolHop is a step of a path: a pool and the token that goes into it.
type poolHop struct {
	pool *pool
	side int
}

func (h poolHop) from() Token { return h.pool.tokens[h.side] }
func (h poolHop) to() Token   { return h.pool.tokens[1-h.side] }

// poolLeg is a hop with its amounts, smallest units. A token that withholds a
// share of each transfer does so on the way in and on the way out.
type poolLeg struct {
	poolHop
	in       uint64 // what is sent to the pool
	received uint64 // what the pool gets of it
	fee      uint64 // what of that stays as the fee
	out      uint64 // what the pool sends
	arrives  uint64 // what its receiver gets of it
	impact   float64
}

// feeRate is what stays of what comes in, millionths. A venue of dynamic
// liquidity asks for more, up to 1 % more, the more was traded lately.
func (p *pool) feeRate() uint64 {
	if p.venue.kind != "dynamic liquidity" {
		return p.rate
	}
	if p.volume >= p.reserves[0]/10 {
		return p.rate + 10_000
	}
	return p.rate + poolShare(p.volume, 100_000, p.reserves[0])
}

// feeOf is the fee on what a pool receives, rounded up.
func (p *pool) feeOf(received uint64) uint64 {
	hi, lo := bits.Mul64(received, p.feeRate())
	q, rest := bits.Div64(hi, lo, 1_000_000)
	if rest > 0 {
		q++
	}
	return q
}

// sell prices what a hop pays for an amount. False means that nothing comes of
// it.
func (b *poolBook) sell(h poolHop, in uint64) (poolLeg, bool) {
	l := poolLeg{poolHop: h, in: in, received: in - b.tax(h.from(), in)}
	l.fee = h.pool.feeOf(l.received)
	out, ok := h.pool.curve.out(h.pool.reserves, h.side, l.received-l.fee)
	if !ok || out == 0 || h.pool.reserves[h.side]+l.received < l.received {
		return l, false
	}
	l.out = out
	return b.finish(l)
}

// buy prices what a hop asks for, for an amount to arrive.
func (b *poolBook) buy(h poolHop, arrives uint64) (poolLeg, bool) {
	l := poolLeg{poolHop: h}
	var ok bool
	if l.out, ok = b.untaxed(h.to(), arrives); !ok {
		return l, false
	}
	net, ok := h.pool.curve.in(h.pool.reserves, h.side, l.out)
	if !ok {
		return l, false
	}
	if l.received, ok = poolInverse(net, func(n uint64) uint64 { return n - h.pool.feeOf(n) }); !ok {
		return l, false
	}
	l.fee = h.pool.feeOf(l.received)
	if l.in, ok = b.untaxed(h.from(), l.received); !ok || h.pool.reserves[h.side]+l.received < l.received {
		return l, false
	}
	return b.finish(l)
}

func (b *poolBook) finish(l poolLeg) (poolLeg, bool) {
	l.arrives = l.out - b.tax(l.to(), l.out)
	ideal := float64(l.received-l.fee) * l.pool.curve.spot(l.pool.reserves, l.side)
	if ideal > 0 {
		l.impact = max(0, 1-float64(l.out)/ideal)
	}
	return l, l.arrives > 0
}

// apply books an executed leg. Two legs of one transaction may have been priced
// at the same state; the pool then gives no more than it has.
func (l poolLeg) apply() {
	p := l.pool
	p.reserves[l.side] += l.received
	p.reserves[1-l.side] -= min(l.out, p.reserves[1-l.side])
	first := l.received
	if l.side == 1 {
		first = l.out
	}
	p.volume += min(first, 1<<62-p.volume)
}
