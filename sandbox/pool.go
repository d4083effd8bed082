package sandbox

import (
	"math/big"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// poolVenue is an exchange: its pools are made by one program.
type poolVenue struct {
	slug, name, kind string
	enabled          bool
}

// pool holds two tokens and trades one for the other. What it holds are books:
// the tokens lie in the vaults of the services that trade with it.
type pool struct {
	address  solana.PublicKey
	venue    *poolVenue
	tokens   [2]Token
	reserves [2]uint64
	curve    poolCurve
	rate     uint64 // of what comes in that stays as the fee, millionths
	phase    int64  // of the market's wave, seconds
	volume   uint64 // recent, of token 0; raises the fee of a dynamic venue
}

// poolBook is every pool of every venue. swap, amm and providerswap trade with
// the same ones, so that a trade through one of them is felt by all.
type poolBook struct {
	*Sandbox
	venues []*poolVenue
	pools  []*pool
	minute int64 // since the start, up to which the market has moved the pools
}

// poolUsers are the services whose vaults hold what the pools hold.
var poolUsers = []Service{Swap, AMM, ProviderSwap}

// current returns the pools as the time has moved them.
func (b *poolBook) current() []*pool {
	b.drift()
	return b.pools
}

// venue finds an enabled venue by its slug.
func (b *poolBook) venue(slug string) (*poolVenue, bool) {
	at := slices.IndexFunc(b.venues, func(v *poolVenue) bool { return v.slug == slug && v.enabled })
	if at < 0 {
		return nil, false
	}
	return b.venues[at], true
}

// pool finds a pool by its address.
func (b *poolBook) pool(address string) (*pool, bool) {
	for _, p := range b.current() {
		if p.address.String() == address {
			return p, true
		}
	}
	return nil, false
}

// tokens are those that some pool trades, in the order of the listing.
func (b *poolBook) tokens() (all []Token) {
	for _, t := range b.chain.tokens {
		if slices.ContainsFunc(b.pools, func(p *pool) bool { return p.tokens[0].key == t.key || p.tokens[1].key == t.key }) {
			all = append(all, t)
		}
	}
	return all
}

// token finds a token that some pool trades.
func (b *poolBook) traded(mint string) (Token, bool) {
	all := b.tokens()
	at := slices.IndexFunc(all, func(t Token) bool { return t.Mint == mint })
	if at < 0 {
		return Token{}, false
	}
	return all[at], true
}

// tax is what a token withholds of a transfer.
func (b *poolBook) tax(t Token, amount uint64) uint64 {
	if t.owner != solana.Token2022ProgramID {
		return 0
	}
	m, ok := ledger.AsMint(b.chain.Account(t.key))
	if !ok {
		return 0
	}
	return ledger.TransferFee(m, amount)
}

// untaxed is the least that must be sent so that an amount arrives, false where
// that is beyond uint64.
func (b *poolBook) untaxed(t Token, arrives uint64) (uint64, bool) {
	return poolInverse(arrives, func(sent uint64) uint64 { return sent - b.tax(t, sent) })
}

// poolInverse finds the least x whose f is want or more. f grows with x, is at
// most x, and never grows by more than x does.
func poolInverse(want uint64, f func(uint64) uint64) (uint64, bool) {
	x := want
	for got := f(x); got < want; got = f(x) {
		if x+(want-got) < x {
			return 0, false
		}
		x += want - got
	}
	return x, true
}

// restock sees to it that a service's vault can pay out whatever the pools
// hold: what came in may have come in through another service.
func (b *poolBook) restock(service Service) {
	for _, t := range b.tokens() {
		need := new(big.Int)
		for _, p := range b.pools {
			for i := range p.tokens {
				if p.tokens[i].key == t.key {
					need.Add(need, new(big.Int).SetUint64(p.reserves[i]))
				}
			}
		}
		if held := b.holding(b.vault(service), t); need.IsUint64() && held < need.Uint64() {
			b.stock(service, t.key, need.Uint64()-held)
		}
	}
}

// table is the lookup table of the vault of a service: what its trades touch.
func (b *poolBook) table(service Service) solana.PublicKey {
	vault := b.vault(service)
	keys := []solana.PublicKey{vault}
	for _, t := range b.tokens() {
		keys = append(keys, t.key, t.account(vault))
	}
	return b.lookupTable("pools "+string(service), keys...)
}

// poolMinute is how often others trade with the pools.
const poolMinute = time.Minute
