package sandbox

import (
	"math/big"
	"slices"
	"strconv"
)

// poolRequest is a trade to be priced.
type poolRequest struct {
	from, to Token
	amount   uint64 // what goes in, or what is to arrive where exactOut
	exactOut bool
	hops     int // at most
	// gross counts what is sent to the wallet, not what arrives, where the
	// token withholds a share.
	gross bool
	// split lets two routes share the trade.
	split bool
	admit func(*pool) bool // which pools; nil means all
}

// poolQuote is a trade priced at what the pools were at some time.
type poolQuote struct {
	poolRequest
	routes []poolRoute
	in     uint64 // leaves the wallet
	sends  uint64 // leaves the pools
	out    uint64 // is promised to the wallet: sends, less what the token withholds unless gross
	impact float64
}

// quote finds the best way at present.
func (b *poolBook) quote(r poolRequest) (*poolQuote, bool) {
	b.drift()
	if r.amount == 0 {
		return nil, false
	}
	ranked := b.ranked(b.paths(r.from, r.to, r.hops, r.admit), r.amount, r.exactOut)
	if len(ranked) == 0 {
		return nil, false
	}
	best := &poolQuote{poolRequest: r, routes: ranked[:1]}
	b.total(best)
	if r.split && !r.exactOut {
		return b.shared(best, ranked[1:]), true
	}
	return best, true
}

// shared tries to leave a part of the trade to the next best route that has no
// pool in common with the best one, in steps of ten percent.
func (b *poolBook) shared(best *poolQuote, others []poolRoute) *poolQuote {
	first := best.routes[0].hops
	at := slices.IndexFunc(others, func(o poolRoute) bool {
		return !slices.ContainsFunc(o.hops, func(h poolHop) bool {
			return slices.ContainsFunc(first, func(x poolHop) bool { return x.pool == h.pool })
		})
	})
	if at < 0 {
		return best
	}
	for share := uint64(90); share >= 10; share -= 10 {
		q := &poolQuote{poolRequest: best.poolRequest, routes: []poolRoute{{hops: first, share: share}, {hops: others[at].hops, share: 100 - share}}}
		if b.price(q) && q.out > best.out {
			best = q
		}
	}
	return best
}

// price prices the quote's own routes at present.
func (b *poolBook) price(q *poolQuote) bool {
	left := q.amount
	for i := range q.routes {
		r := &q.routes[i]
		part := left
		if i < len(q.routes)-1 {
			part = poolShare(q.amount, r.share, 100)
		}
		left -= part
		price := b.along
		if q.exactOut {
			price = b.back
		}
		var ok bool
		if r.legs, ok = price(r.hops, part); !ok {
			return false
		}
	}
	b.total(q)
	return true
}

// total adds the routes up.
func (b *poolBook) total(q *poolQuote) {
	q.in, q.sends, q.impact = 0, 0, 0
	for _, r := range q.routes {
		q.in += r.in()
		q.sends += r.sends()
		q.impact += r.impact() * float64(r.share) / 100
	}
	q.out = q.sends
	if !q.gross {
		q.out -= b.tax(q.to, q.sends)
	}
}

// again prices the same routes for an amount, at present. The quote stays.
func (b *poolBook) again(q *poolQuote, amount uint64) (*poolQuote, bool) {
	b.drift()
	fresh := &poolQuote{poolRequest: q.poolRequest, routes: slices.Clone(q.routes)}
	fresh.amount = amount
	if amount == 0 {
		return nil, false
	}
	return fresh, b.price(fresh)
}

// legs are those of all routes.
func (q *poolQuote) legs() (all []poolLeg) {
	for _, r := range q.routes {
		all = append(all, r.legs...)
	}
	return all
}

// limit is the least that must arrive, or the most that may leave where the
// quote is of an exact output.
func (q *poolQuote) limit(slippageBps uint64) uint64 {
	if !q.exactOut {
		return poolShare(q.out, 10_000-min(slippageBps, 10_000), 10_000)
	}
	n := new(big.Int).SetUint64(q.in)
	n = poolQuoUp(n.Mul(n, new(big.Int).SetUint64(10_000+slippageBps)), big.NewInt(10_000))
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

// percent is the price impact as it is written: percent, four decimals.
func (q *poolQuote) percent() string { return poolPercent(q.impact) }

func poolPercent(fraction float64) string { return strconv.FormatFloat(fraction*100, 'f', 4, 64) }

// poolShare is amount x part / whole, rounded down. The part is at most the
// whole.
func poolShare(amount, part, whole uint64) uint64 {
	n := new(big.Int).SetUint64(amount)
	n.Mul(n, new(big.Int).SetUint64(part)).Quo(n, new(big.Int).SetUint64(whole))
	return n.Uint64()
}
