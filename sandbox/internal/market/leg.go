package market

import (
	"math/bits"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// Hop is a step of a path: a pool and the token that goes into it.
type Hop struct {
	Pool *Pool
	Side int
}

// From is the token that goes in.
func (h Hop) From() build.Token { return h.Pool.Tokens[h.Side] }

// To is the token that comes out.
func (h Hop) To() build.Token { return h.Pool.Tokens[1-h.Side] }

// Leg is a hop with its amounts, smallest units. A token that withholds a
// share of each transfer does so on the way in and on the way out.
type Leg struct {
	Hop
	In       uint64 // what is sent to the pool
	Received uint64 // what the pool receives after the token's own fee
	Fee      uint64 // part of Received that the pool keeps as the fee
	Out      uint64 // what the pool sends
	Arrives  uint64 // what the receiver gets after the token's own fee
	Impact   float64
}

// FeeRate is the share of the input that the pool keeps, in millionths. A venue
// of dynamic liquidity adds up to 1 %, rising with its recent volume.
func (p *Pool) FeeRate() uint64 {
	if p.Venue.kind != "dynamic liquidity" {
		return p.rate
	}
	if p.Volume >= p.Reserves[0]/10 {
		return p.rate + 10_000
	}
	return p.rate + Share(p.Volume, 100_000, p.Reserves[0])
}

// feeOf is the fee on what a pool receives, rounded up.
func (p *Pool) feeOf(received uint64) uint64 {
	hi, lo := bits.Mul64(received, p.FeeRate())
	q, rest := bits.Div64(hi, lo, 1_000_000)
	if rest > 0 {
		q++
	}
	return q
}

// Sell prices a hop for an exact input. False means that the pool would pay
// nothing.
func (b *Book) Sell(h Hop, in uint64) (Leg, bool) {
	l := Leg{Hop: h, In: in, Received: in - b.Tax(h.From(), in)}
	l.Fee = h.Pool.feeOf(l.Received)
	out, ok := h.Pool.Curve.out(h.Pool.Reserves, h.Side, l.Received-l.Fee)
	if !ok || out == 0 || h.Pool.Reserves[h.Side]+l.Received < l.Received {
		return l, false
	}
	l.Out = out
	return b.finish(l)
}

// Buy prices a hop for an exact amount that arrives.
func (b *Book) Buy(h Hop, arrives uint64) (Leg, bool) {
	l := Leg{Hop: h}
	var ok bool
	if l.Out, ok = b.Untaxed(h.To(), arrives); !ok {
		return l, false
	}
	net, ok := h.Pool.Curve.in(h.Pool.Reserves, h.Side, l.Out)
	if !ok {
		return l, false
	}
	if l.Received, ok = inverse(net, func(n uint64) uint64 { return n - h.Pool.feeOf(n) }); !ok {
		return l, false
	}
	l.Fee = h.Pool.feeOf(l.Received)
	if l.In, ok = b.Untaxed(h.From(), l.Received); !ok || h.Pool.Reserves[h.Side]+l.Received < l.Received {
		return l, false
	}
	return b.finish(l)
}

func (b *Book) finish(l Leg) (Leg, bool) {
	l.Arrives = l.Out - b.Tax(l.To(), l.Out)
	ideal := float64(l.Received-l.Fee) * l.Pool.Curve.Spot(l.Pool.Reserves, l.Side)
	if ideal > 0 {
		l.Impact = max(0, 1-float64(l.Out)/ideal)
	}
	return l, l.Arrives > 0
}

// Apply books an executed leg. Two legs of one transaction may have been priced
// at the same state; the pool then pays no more than it has.
func (l Leg) Apply() {
	p := l.Pool
	p.Reserves[l.Side] += l.Received
	p.Reserves[1-l.Side] -= min(l.Out, p.Reserves[1-l.Side])
	first := l.Received
	if l.Side == 1 {
		first = l.Out
	}
	p.Volume += min(first, 1<<62-p.Volume)
}
