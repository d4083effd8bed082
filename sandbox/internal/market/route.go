package market

import (
	"cmp"
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
