package market

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// Route is a path with its share of a trade.
type Route struct {
	Hops  []Hop
	Share uint64 // percent
	Legs  []Leg  // as priced last
}

// paths lists the ways from one token to another over at most so many pools. No
// pool is used twice and no token passed twice; only a trade of a token for
// itself comes back to where it began.
func (b *Book) paths(from, to build.Token, most int, admit func(*Pool) bool) [][]Hop {
	var found [][]Hop
	var walk func(at build.Token, path []Hop)
	walk = func(at build.Token, path []Hop) {
		if len(path) == most {
			return
		}
		for _, p := range b.Pools {
			if admit != nil && !admit(p) || !p.Venue.Enabled {
				continue
			}
			for side := range 2 {
				h := Hop{p, side}
				if h.From().Key != at.Key || visited(path, h) {
					continue
				}
				next := append(slices.Clone(path), h)
				if h.To().Key == to.Key {
					found = append(found, next)
				} else if h.To().Key != from.Key {
					walk(h.To(), next)
				}
			}
		}
	}
	walk(from, nil)
	return found
}

func visited(path []Hop, h Hop) bool {
	return slices.ContainsFunc(path, func(x Hop) bool { return x.Pool == h.Pool || x.To().Key == h.To().Key })
}

// along prices a path for an exact amount in.
func (b *Book) along(path []Hop, amount uint64) ([]Leg, bool) {
	legs := make([]Leg, 0, len(path))
	for _, h := range path {
		l, ok := b.Sell(h, amount)
		if !ok {
			return nil, false
		}
		legs, amount = append(legs, l), l.Arrives
	}
	return legs, true
}

// back prices a path for an exact amount that arrives.
func (b *Book) back(path []Hop, amount uint64) ([]Leg, bool) {
	legs := make([]Leg, len(path))
	for i, h := range slices.Backward(path) {
		l, ok := b.Buy(h, amount)
		if !ok {
			return nil, false
		}
		legs[i], amount = l, l.In
	}
	return legs, true
}

// In is the amount sent to the first pool.
func (r Route) In() uint64 { return r.Legs[0].In }

// Sends is the amount that the last pool sends.
func (r Route) Sends() uint64 { return r.Legs[len(r.Legs)-1].Out }

// Arrives is the part of it that reaches the receiver.
func (r Route) Arrives() uint64 { return r.Legs[len(r.Legs)-1].Arrives }

// impact is the cost of the route's own size, a fraction of one.
func (r Route) impact() float64 {
	left := 1.0
	for _, l := range r.Legs {
		left *= 1 - l.Impact
	}
	return 1 - left
}

// ranked prices every path and sorts the best first; of equals, the shortest.
func (b *Book) ranked(paths [][]Hop, amount uint64, exactOut bool) []Route {
	var routes []Route
	for _, path := range paths {
		price := b.along
		if exactOut {
			price = b.back
		}
		if legs, ok := price(path, amount); ok {
			routes = append(routes, Route{path, 100, legs})
		}
	}
	slices.SortStableFunc(routes, func(x, y Route) int {
		if exactOut {
			return cmp.Or(cmp.Compare(x.In(), y.In()), cmp.Compare(len(x.Legs), len(y.Legs)))
		}
		return cmp.Or(cmp.Compare(y.Arrives(), x.Arrives()), cmp.Compare(len(x.Legs), len(y.Legs)))
	})
	return routes
}

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
