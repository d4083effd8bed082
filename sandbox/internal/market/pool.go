// Package market has the pools, prices and outcome tokens that several services
// trade or show.
package market

import (
	"math/big"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Venue is an exchange: its pools are made by one program.
type Venue struct {
	Slug, Name, kind string
	Enabled          bool
}

// Pool holds two tokens and trades one for the other. Its reserves are
// bookkeeping: the tokens are in the vaults of the services that trade with it.
type Pool struct {
	Address  solana.PublicKey
	Venue    *Venue
	Tokens   [2]build.Token
	Reserves [2]uint64
	Curve    curve
	rate     uint64 // of what comes in that stays as the fee, millionths
	phase    int64  // of the market's wave, seconds
	Volume   uint64 // recent, of token 0; raises the fee of a dynamic venue
}

// Book is every pool of every venue. swap, amm and providerswap share the
// pools: a trade through one service moves the prices of all.
type Book struct {
	*build.Chain
	Venues   []*Venue
	Pools    []*Pool
	repriced []func(mint string) // called when a price was set
	told     []func(Execution)
	minute   int64 // since the start, up to which the market has moved the pools
}

// users are the services whose vaults hold what the pools hold.
var users = []play.Service{play.Swap, play.AMM, play.ProviderSwap}

// Current returns the pools after Drift.
func (b *Book) Current() []*Pool {
	b.Drift()
	return b.Pools
}

// Venue finds an enabled venue by its slug.
func (b *Book) Venue(slug string) (*Venue, bool) {
	v := kit.Find(b.Venues, func(v *Venue) bool { return v.Slug == slug && v.Enabled })
	return v, v != nil
}

// Pool finds a pool by its address.
func (b *Book) Pool(address string) (*Pool, bool) {
	p := kit.Find(b.Current(), func(p *Pool) bool { return p.Address.String() == address })
	return p, p != nil
}

// Tokens returns the tokens that pools trade, in the order of the listing.
func (b *Book) Tokens() (all []build.Token) {
	for _, t := range b.Chain.Tokens {
		if slices.ContainsFunc(b.Pools, func(p *Pool) bool { return p.Tokens[0].Key == t.Key || p.Tokens[1].Key == t.Key }) {
			all = append(all, t)
		}
	}
	return all
}

// Traded finds a token that some pool trades.
func (b *Book) Traded(mint string) (build.Token, bool) {
	t := kit.Find(b.Tokens(), func(t build.Token) bool { return t.Mint == mint })
	return t, t.Mint != ""
}

// Tax is the part of a transfer that a token withholds.
func (b *Book) Tax(t build.Token, amount uint64) uint64 {
	if t.Owner != solana.Token2022ProgramID {
		return 0
	}
	m, ok := ledger.AsMint(b.Chain.Account(t.Key))
	if !ok {
		return 0
	}
	return ledger.TransferFee(m, amount)
}

// Untaxed returns the smallest amount to send so that arrives arrives, and
// false if it exceeds uint64.
func (b *Book) Untaxed(t build.Token, arrives uint64) (uint64, bool) {
	return inverse(arrives, func(sent uint64) uint64 { return sent - b.Tax(t, sent) })
}

// inverse finds the least x whose f is want or more. f grows with x, is at
// most x, and never grows by more than x does.
func inverse(want uint64, f func(uint64) uint64) (uint64, bool) {
	x := want
	for got := f(x); got < want; got = f(x) {
		if x+(want-got) < x {
			return 0, false
		}
		x += want - got
	}
	return x, true
}

// Restock tops up a service's vault to what the pools hold, since their tokens
// may have come in through another service.
func (b *Book) Restock(service play.Service) {
	for _, t := range b.Tokens() {
		need := new(big.Int)
		for _, p := range b.Pools {
			for i := range p.Tokens {
				if p.Tokens[i].Key == t.Key {
					need.Add(need, new(big.Int).SetUint64(p.Reserves[i]))
				}
			}
		}
		if held := b.Holding(b.Vault(service), t); need.IsUint64() && held < need.Uint64() {
			b.Stock(service, t.Key, need.Uint64()-held)
		}
	}
}

// Table is the lookup table of the vault of a service: what its trades touch.
func (b *Book) Table(service play.Service) solana.PublicKey {
	return b.VaultTable("pools "+string(service), service, b.Tokens())
}

// Minute is how often others trade with the pools.
const Minute = time.Minute

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
