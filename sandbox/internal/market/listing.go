package market

import (
	"math/big"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
)

// offer is a line of the listing: a pool's venue, its pair, what each side
// is worth at the start (dollars) and its fee (millionths).
type offer struct {
	venue         string
	first, second string
	dollars, rate uint64
}

// The venues whose pools belong to one service.
const (
	AMMVenue = "atlas" // the amm service routes over its pools
	JITVenue = "tidal" // its makers quote just in time
)

// listing is the market at the start, the deepest pools first.
var listing = []offer{
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

// Open opens the ten venues and their pools, and stocks the vaults of the
// services that trade with them.
func Open(c *build.Chain) *Book {
	b := &Book{Chain: c}
	for _, v := range []Venue{
		{"atlas", "Atlas", "amm", true}, {"delta", "Delta", "constant product", true},
		{"prism", "Prism", "clmm", true}, {"orchard", "Orchard", "amm", true},
		{"tidal", "Tidal", "dynamic liquidity", true}, {"ember", "Ember", "bonding curve", true},
		{"sprout", "Sprout", "bonding curve", true}, {"plateau", "Plateau", "stable", true},
		{"lagoon", "Lagoon", "amm", true}, {"quill", "Quill", "amm", true},
	} {
		b.Venues = append(b.Venues, &v)
	}
	for i, offer := range listing {
		b.list(i, offer)
	}
	for _, service := range users {
		b.Restock(service)
	}
	return b
}

func (b *Book) list(number int, offer offer) {
	v, ok := b.Venue(offer.venue)
	if !ok {
		panic("sandbox: the listing names a venue that there is not: " + offer.venue)
	}
	p := &Pool{
		Address: build.PublicKey(b.Keypair("pool " + offer.venue + " " + offer.first + " " + offer.second)),
		Venue:   v, Tokens: [2]build.Token{b.Token(offer.first), b.Token(offer.second)},
		rate: offer.rate, phase: int64(number) * 97,
	}
	for i, t := range p.Tokens {
		p.Reserves[i] = build.Worth(build.Token{Price: 1_000_000}, offer.dollars, t)
	}
	p.Curve = curveOf(v.kind, p.Reserves)
	b.Pools = append(b.Pools, p)
}

// curveOf returns the curve of a kind of venue for a pool with these reserves.
func curveOf(kind string, reserves [2]uint64) curve {
	virtual := func(i int, times uint64) *big.Int {
		n := new(big.Int).SetUint64(reserves[i])
		return n.Mul(n, new(big.Int).SetUint64(times))
	}
	switch kind {
	case "clmm": // liquidity in a range: as deep as ten times what is there
		return Product{[2]*big.Int{virtual(0, 9), virtual(1, 9)}}
	case "dynamic liquidity":
		return Product{[2]*big.Int{virtual(0, 4), virtual(1, 4)}}
	case "bonding curve": // a third has been sold already
		return Product{[2]*big.Int{virtual(0, 2), virtual(1, 2)}}
	case "stable":
		return Stable{amplification: 200}
	}
	return Product{[2]*big.Int{new(big.Int), new(big.Int)}}
}
