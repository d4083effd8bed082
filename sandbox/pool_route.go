package sandbox

import (
	"cmp"
	"slices"
)

// poolRoute is a path with its share of a trade.
type poolRoute struct {
	hops  []poolHop
	share uint64    // percent
	legs  []poolLeg // as priced last
}

// paths lists the ways from one token to another over at most so many pools. No
// pool is used twice and no token passed twice; only a trade of a token for
// itself comes back to where it began.
func (b *poolBook) paths(from, to Token, most int, admit func(*pool) bool) [][]poolHop {
	var found [][]poolHop
	var walk func(at Token, path []poolHop)
	walk = func(at Token, path []poolHop) {
		if len(path) == most {
			return
		}
		for _, p := range b.pools {
			if admit != nil && !admit(p) || !p.venue.enabled {
				continue
			}
			for side := range 2 {
				h := poolHop{p, side}
				if h.from().key != at.key || poolVisited(path, h) {
					continue
				}
				next := append(slices.Clone(path), h)
				if h.to().key == to.key {
					found = append(found, next)
				} else if h.to().key != from.key {
					walk(h.to(), next)
				}
			}
		}
	}
	walk(from, nil)
	return found
}

func poolVisited(path []poolHop, h poolHop) bool {
	return slices.ContainsFunc(path, func(x poolHop) bool { return x.pool == h.pool || x.to().key == h.to().key })
}

// along prices a path for an exact amount in.
func (b *poolBook) along(path []poolHop, amount uint64) ([]poolLeg, bool) {
	legs := make([]poolLeg, 0, len(path))
	for _, h := range path {
		l, ok := b.sell(h, amount)
		if !ok {
			return nil, false
		}
		legs, amount = append(legs, l), l.arrives
	}
	return legs, true
}

// back prices a path for an exact amount that arrives.
func (b *poolBook) back(path []poolHop, amount uint64) ([]poolLeg, bool) {
	legs := make([]poolLeg, len(path))
	for i, h := range slices.Backward(path) {
		l, ok := b.buy(h, amount)
		if !ok {
			return nil, false
		}
		legs[i], amount = l, l.in
	}
	return legs, true
}

func (r poolRoute) in() uint64      { return r.legs[0].in }
func (r poolRoute) sends() uint64   { return r.legs[len(r.legs)-1].out }
func (r poolRoute) arrives() uint64 { return r.legs[len(r.legs)-1].arrives }

// impact is what the route's own size costs it, a fraction of one.
func (r poolRoute) impact() float64 {
	left := 1.0
	for _, l := range r.legs {
		left *= 1 - l.impact
	}
	return 1 - left
}

// ranked prices every path and sorts the best first; of equals, the shortest.
func (b *poolBook) ranked(paths [][]poolHop, amount uint64, exactOut bool) []poolRoute {
	var routes []poolRoute
	for _, path := range paths {
		price := b.along
		if exactOut {
			price = b.back
		}
		if legs, ok := price(path, amount); ok {
			routes = append(routes, poolRoute{path, 100, legs})
		}
	}
	slices.SortStableFunc(routes, func(x, y poolRoute) int {
		if exactOut {
			return cmp.Or(cmp.Compare(x.in(), y.in()), cmp.Compare(len(x.legs), len(y.legs)))
		}
		return cmp.Or(cmp.Compare(y.arrives(), x.arrives()), cmp.Compare(len(x.legs), len(y.legs)))
	})
	return routes
}
