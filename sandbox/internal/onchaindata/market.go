package onchaindata

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/market"
)

// network is a chain with what is traded on it.
type network struct {
	id, name, platform string
	evm                bool
	block              float64 // seconds to the next
	native             *token
	dexes              []*dex
	tokens             []*token
	pools              []*pool
}

// dex is an exchange of a network.
type dex struct{ id, name string }

// token is a token of a network. Its value swings about its price,
// both in dollars.
type token struct {
	network       *network
	address       string
	symbol, name  string
	decimals      int
	price         float64
	swing         float64 // how far, as a part of the price
	supply        float64 // whole tokens
	circulating   float64 // of them; 0 if unverified
	coin, website string  // empty if unknown
	seed          uint64
	steps         []step // of the price, oldest first
}

// step is a price that a token has had from a second on.
type step struct {
	second int64
	price  float64
}

// priceAt is the price about which the token swings at a second.
func (t *token) priceAt(second int64) float64 {
	for _, s := range slices.Backward(t.steps) {
		if s.second <= second {
			return s.price
		}
	}
	return t.price
}

// pool trades a base token for a quote token.
type pool struct {
	network     *network
	dex         *dex
	base, quote *token
	address     string
	dollars     float64 // of both sides together, at the tokens' prices
	opens       int64   // Unix seconds
	closes      int64   // when trading ended for good, 0 if it goes on
	pace        int64   // seconds for which there is at most one trade
	seed        uint64
	figures     map[int64]*figures
	executed    []trade // on the ledger, oldest first
}

func (t *token) id() string { return t.network.id + "_" + t.address }

func (p *pool) id() string { return p.network.id + "_" + p.address }

func (p *pool) name() string { return p.base.symbol + " / " + p.quote.symbol }

// holds reports whether the pool trades a token.
func (p *pool) holds(t *token) bool { return p.base == t || p.quote == t }

// same compares addresses, which have two ways of writing on an EVM chain.
func (n *network) same(a, b string) bool { return a == b || n.evm && strings.EqualFold(a, b) }

// network finds a network by its identifier, with the pools of the present.
func (b *Service) network(id string) *network {
	b.launch()
	n := kit.Find(b.networks, func(n *network) bool { return n.id == id })
	kit.RefuseIf(n == nil, http.StatusNotFound, state, "network %s not found", id)
	return n
}

func (n *network) token(address string) *token {
	return kit.Find(n.tokens, func(t *token) bool { return n.same(t.address, address) })
}

func (n *network) pool(address string) *pool {
	return kit.Find(n.pools, func(p *pool) bool { return n.same(p.address, address) })
}

// poolsOf are the pools that trade a token, the deepest first, those that no
// longer trade last.
func (n *network) poolsOf(t *token, at int64) []*pool {
	pools := slices.DeleteFunc(slices.Clone(n.pools), func(p *pool) bool { return !p.holds(t) || p.opens > at })
	slices.SortStableFunc(pools, func(a, b *pool) int {
		switch {
		case a.closed(at) == b.closed(at):
			return cmp.Compare(b.dollars, a.dollars)
		case a.closed(at):
			return 1
		}
		return -1
	})
	return pools
}

// addDex lists an exchange, once.
func (n *network) addDex(id string) *dex {
	if d := kit.Find(n.dexes, func(d *dex) bool { return d.id == id }); d != nil {
		return d
	}
	words := strings.Split(id, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	d := &dex{id, strings.Join(words, " ")}
	n.dexes = append(n.dexes, d)
	return d
}

// hash makes bytes of the seed and a name, as keypair makes keys.
func (b *Service) hash(name string, number int64) [32]byte {
	raw := binary.LittleEndian.AppendUint64([]byte("onchaindata "+name+" "), b.Config.Seed)
	return sha256.Sum256(binary.LittleEndian.AppendUint64(raw, uint64(number)))
}

// addressOn makes an address as the network writes them.
func (b *Service) addressOn(n *network, name string, number int64) string {
	h := b.hash(n.id+" "+name, number)
	if n.evm {
		return "0x" + hex.EncodeToString(h[:20])
	}
	return solana.PublicKeyFromBytes(h[:]).String()
}

// seedOf makes the number from which something of the market draws.
func (b *Service) seedOf(id string) uint64 {
	h := b.hash("seed of "+id, 0)
	return binary.LittleEndian.Uint64(h[:])
}

// execution is a trade that a transaction of the ledger made.
// A trade of the tape has none.
type execution struct {
	signature, wallet string
	slot              int64
	base, quote       float64 // whole tokens
}

// mostExecuted is how many executed trades of a pool are remembered, the newest.
const mostExecuted = 4096

// executed enters a trade on a pool of the market into the pool's trades.
func (b *Service) executed(x market.Execution) {
	p := b.networks[0].pool(x.Pool.Address.String())
	if p == nil {
		return
	}
	in, out := whole(x.In, x.From().Decimals), whole(x.Out, x.To().Decimals)
	e := &execution{signature: x.Signature.String(), wallet: x.Wallet.String(), slot: int64(x.Slot), base: out, quote: in}
	buy := x.To().Mint == p.base.address
	if !buy {
		e.base, e.quote = in, out
	}
	t := trade{
		pool: p, second: x.Second, buy: buy, execution: e, draw: binary.LittleEndian.Uint64(x.Wallet[:8]),
		rate: e.quote / e.base, quote: p.quote.value(x.Second),
	}
	t.base = t.rate * t.quote
	t.micros = int64(e.quote * t.quote * 1e6)
	p.executed = kit.Newest(append(p.executed, t), mostExecuted)
	clear(p.figures)
}

func whole(amount uint64, decimals uint8) float64 { return float64(amount) / math.Pow10(int(decimals)) }

// repriced follows the market's price of a token: it swings about the new price from
// now on, and each of its pools has a trade at the new price at once.
func (b *Service) repriced(mint string) {
	now, main := b.Now().Unix(), b.networks[0]
	priced, _ := b.TokenByMint(mint)
	t := main.token(mint)
	if t == nil {
		return
	}
	t.steps = append(t.steps, step{now, float64(priced.Price) / 1e6})
	for _, p := range main.pools {
		if p.holds(t) {
			b.moveTo(p, now)
		}
	}
	b.moved = now
}

// moveTo enters the trade that moved a pool of the market to its present price.
func (b *Service) moveTo(p *pool, now int64) {
	traded, ok := b.book.Pool(p.address)
	if !ok || p.closed(now) {
		return
	}
	rate := traded.Curve.Spot(traded.Reserves, 0) * math.Pow10(p.base.decimals-p.quote.decimals)
	if traded.Tokens[0].Mint != p.base.address {
		rate = 1 / (traded.Curve.Spot(traded.Reserves, 0) * math.Pow10(p.quote.decimals-p.base.decimals))
	}
	digest := b.hash("move of "+p.id(), now)
	more := b.hash("more of a move of "+p.id(), now)
	const dollars = 1_000
	quote := p.quote.priceAt(now)
	e := &execution{
		signature: solana.Signature(append(digest[:], more[:]...)).String(), wallet: b.addressOn(p.network, "maker", 0),
		slot: int64(b.CurrentSlot()), base: dollars / quote / rate, quote: dollars / quote,
	}
	buy := len(p.executed) == 0 || rate >= p.executed[len(p.executed)-1].rate
	p.executed = append(p.executed, trade{
		pool: p, second: now, buy: buy, execution: e, draw: binary.LittleEndian.Uint64(digest[:8]),
		rate: rate, quote: quote, base: rate * quote, micros: dollars * 1e6,
	})
	clear(p.figures)
}
