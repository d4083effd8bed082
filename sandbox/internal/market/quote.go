package market

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// Request is a trade to be priced.
type Request struct {
	From, To build.Token
	Amount   uint64 // the input, or the output if ExactOut
	ExactOut bool
	Hops     int // at most
	// Gross counts what is sent to the wallet, before the token's transfer fee,
	// instead of what arrives.
	Gross bool
	// Split lets two routes share the trade.
	Split bool
	Admit func(*Pool) bool // which pools; nil means all
}

// Quote is a trade priced at an earlier state of the pools.
type Quote struct {
	Request
	Routes []Route
	In     uint64 // leaves the wallet
	Sends  uint64 // leaves the pools
	Out    uint64 // is promised to the wallet: sends, less what the token withholds unless gross
	Impact float64
}

// Quote finds the best way at present.
func (b *Book) Quote(r Request) (*Quote, bool) {
	b.Drift()
	if r.Amount == 0 {
		return nil, false
	}
	ranked := b.ranked(b.paths(r.From, r.To, r.Hops, r.Admit), r.Amount, r.ExactOut)
	if len(ranked) == 0 {
		return nil, false
	}
	best := &Quote{Request: r, Routes: ranked[:1]}
	b.total(best)
	if r.Split && !r.ExactOut {
		return b.shared(best, ranked[1:]), true
	}
	return best, true
}

// Best is Quote for a request, which it refuses if there is no way.
func (b *Book) Best(r Request) *Quote {
	q, ok := b.Quote(r)
	kit.BadIf(!ok, "no route for the pair and amount")
	return q
}

// shared tries to leave a part of the trade to the next best route that has no
// pool in common with the best one, in steps of ten percent.
func (b *Book) shared(best *Quote, others []Route) *Quote {
	first := best.Routes[0].Hops
	at := slices.IndexFunc(others, func(o Route) bool {
		return !slices.ContainsFunc(o.Hops, func(h Hop) bool {
			return slices.ContainsFunc(first, func(x Hop) bool { return x.Pool == h.Pool })
		})
	})
	if at < 0 {
		return best
	}
	for share := uint64(90); share >= 10; share -= 10 {
		q := &Quote{
			Request: best.Request,
			Routes:  []Route{{Hops: first, Share: share}, {Hops: others[at].Hops, Share: 100 - share}},
		}
		if b.price(q) && q.Out > best.Out {
			best = q
		}
	}
	return best
}

// price prices the quote's own routes at present.
func (b *Book) price(q *Quote) bool {
	left := q.Amount
	for i := range q.Routes {
		r := &q.Routes[i]
		part := left
		if i < len(q.Routes)-1 {
			part = Share(q.Amount, r.Share, 100)
		}
		left -= part
		price := b.along
		if q.ExactOut {
			price = b.back
		}
		var ok bool
		if r.Legs, ok = price(r.Hops, part); !ok {
			return false
		}
	}
	b.total(q)
	return true
}

// total adds the routes up.
func (b *Book) total(q *Quote) {
	q.In, q.Sends, q.Impact = 0, 0, 0
	for _, r := range q.Routes {
		q.In += r.In()
		q.Sends += r.Sends()
		q.Impact += r.impact() * float64(r.Share) / 100
	}
	q.Out = q.Sends
	if !q.Gross {
		q.Out -= b.Tax(q.To, q.Sends)
	}
}

// Again prices the same routes for an amount, at present. The quote stays.
func (b *Book) Again(q *Quote, amount uint64) (*Quote, bool) {
	b.Drift()
	fresh := &Quote{Request: q.Request, Routes: slices.Clone(q.Routes)}
	fresh.Amount = amount
	if amount == 0 {
		return nil, false
	}
	return fresh, b.price(fresh)
}

// Legs are those of all routes.
func (q *Quote) Legs() (all []Leg) {
	for _, r := range q.Routes {
		all = append(all, r.Legs...)
	}
	return all
}

// Limit returns the least that must arrive, or, for an exact output, the most
// that may leave.
func (q *Quote) Limit(slippageBps uint64) uint64 {
	if !q.ExactOut {
		return Share(q.Out, 10_000-min(slippageBps, 10_000), 10_000)
	}
	n := new(big.Int).SetUint64(q.In)
	n = quoUp(n.Mul(n, new(big.Int).SetUint64(10_000+slippageBps)), big.NewInt(10_000))
	return build.Capped(n)
}

// Percent is the price impact as it is written: percent, four decimals.
func (q *Quote) Percent() string { return Percent(q.Impact) }

// Percent writes a fraction of one as a percentage.
func Percent(fraction float64) string { return strconv.FormatFloat(fraction*100, 'f', 4, 64) }

// Share is amount x part / whole, rounded down. The part is at most the
// whole.
func Share(amount, part, whole uint64) uint64 {
	return build.Share(amount, part, whole)
}

// Execution is a trade of one pool by a transaction that was executed.
type Execution struct {
	Leg
	Signature solana.Signature
	Wallet    solana.PublicKey // that paid
	Slot      uint64
	Second    int64 // Unix
}

// OnExecution makes the book call told for every executed trade of a pool, with
// the lock held.
func (b *Book) OnExecution(told func(Execution)) { b.told = append(b.told, told) }

// Report reports the legs that a wallet's transaction executed.
func (b *Book) Report(legs []Leg, signature solana.Signature, wallet solana.PublicKey) {
	for _, l := range legs {
		for _, told := range b.told {
			told(Execution{Leg: l, Signature: signature, Wallet: wallet, Slot: b.CurrentSlot(), Second: b.Now().Unix()})
		}
	}
}
