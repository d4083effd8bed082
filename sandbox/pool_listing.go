package sandbox

import (
	"math/big"
)

// poolOffer is a line of the listing: a pool's venue, its pair, what each side
// is worth at the start (dollars) and its fee (millionths).
type poolOffer struct {
	venue         string
	first, second string
	dollars, rate uint64
}

// The venues by which a service knows its own pools.
const (
	poolAMMVenue = "atlas" // whose pools the amm service routes over
	poolJITVenue = "tidal" // whose makers quote just in time
)

// poolListing is the market at the start, the deepest pools first.
var poolListing = []poolOffer{
	{"atlas", "SOL", "USDC", 20_000_000, 2500},
	{"atlas", "SOL", "USDT", 5_000_000, 2500},
	{"atlas", "USDC", "USDT", 10_000_000, 500},
	{"atlas", "DUST", "SOL", 200_000, 10_000},
	{"atlas", "TAXED", "USDC", 500_000, 3000},
	{"delta", "SOL", "USDC", 8_000_000, 3000},
	{"prism", "SOL", "USDC", 4_000_000, 400},
	{"prism", "USDC", "USDT", 3_000_000, 100},
	{"orchard", "DUST", "USDC", 100_000, 3000},
	{"orchard", "SOL", "USDT", 1_000_000, 3000},
	{"tidal", "SOL", "USDC", 6_000_000, 1000},
	{"ember", "DUST", "SOL", 60_000, 10_000},
	{"sprout", "TAXED", "SOL", 80_000, 10_000},
	{"plateau", "USDC", "USDT", 15_000_000, 100},
	{"lagoon", "SOL", "USDT", 2_000_000, 2000},
	{"quill", "SOL", "USDC", 500_000, 2000},
	{"quill", "TAXED", "USDC", 100_000, 5000},
}

// openPools opens the ten venues and their pools, and gives the services that
// trade with them what they hold.
func (s *Sandbox) openPools() *poolBook {
	b := &poolBook{Sandbox: s}
	for _, v := range []poolVenue{
		{"atlas", "Atlas", "amm", true}, {"delta", "Delta", "constant product", true},
		{"prism", "Prism", "clmm", true}, {"orchard", "Orchard", "amm", true},
		{"tidal", "Tidal", "dynamic liquidity", true}, {"ember", "Ember", "bonding curve", true},
		{"sprout", "Sprout", "bonding curve", true}, {"plateau", "Plateau", "stable", true},
		{"lagoon", "Lagoon", "amm", true}, {"quill", "Quill", "amm", true},
	} {
		b.venues = append(b.venues, &v)
	}
	for i, offer := range poolListing {
		b.list(i, offer)
	}
	for _, service := range poolUsers {
		b.restock(service)
	}
	return b
}

func (b *poolBook) list(number int, offer poolOffer) {
	v, ok := b.venue(offer.venue)
	if !ok {
		panic("sandbox: the listing names a venue that there is not: " + offer.venue)
	}
	p := &pool{
		address: publicKey(b.keypair("pool " + offer.venue + " " + offer.first + " " + offer.second)),
		venue:   v, tokens: [2]Token{b.token(offer.first), b.token(offer.second)},
		rate: offer.rate, phase: int64(number) * 97,
	}
	for i, t := range p.tokens {
		p.reserves[i] = worth(Token{price: 1_000_000}, offer.dollars, t)
	}
	p.curve = poolCurveOf(v.kind, p.reserves)
	b.pools = append(b.pools, p)
}

// poolCurveOf is how a kind of venue prices, given what the pool starts with.
func poolCurveOf(kind string, reserves [2]uint64) poolCurve {
	virtual := func(i int, times uint64) *big.Int {
		n := new(big.Int).SetUint64(reserves[i])
		return n.Mul(n, new(big.Int).SetUint64(times))
	}
	switch kind {
	case "clmm": // liquidity in a range: as deep as ten times what is there
		return poolProduct{[2]*big.Int{virtual(0, 9), virtual(1, 9)}}
	case "dynamic liquidity":
		return poolProduct{[2]*big.Int{virtual(0, 4), virtual(1, 4)}}
	case "bonding curve": // a third has been sold already
		return poolProduct{[2]*big.Int{virtual(0, 2), virtual(1, 2)}}
	case "stable":
		return poolStable{amplification: 200}
	}
	return poolProduct{[2]*big.Int{new(big.Int), new(big.Int)}}
}
