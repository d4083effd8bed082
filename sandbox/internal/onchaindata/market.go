package onchaindata

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
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
