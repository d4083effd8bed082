package sandbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// onchainNetwork is a chain with what is traded on it.
type onchainNetwork struct {
	id, name, platform string
	evm                bool
	block              float64 // seconds to the next
	native             *onchainToken
	dexes              []*onchainDex
	tokens             []*onchainToken
	pools              []*onchainPool
}

// onchainDex is an exchange of a network.
type onchainDex struct{ id, name string }

// onchainToken is a token of a network. Its value swings about its price,
// both in dollars.
type onchainToken struct {
	network       *onchainNetwork
	address       string
	symbol, name  string
	decimals      int
	price         float64
	swing         float64 // how far, as a part of the price
	supply        float64 // whole tokens
	circulating   float64 // of them; 0 where nobody has verified it
	coin, website string  // empty where nobody has filled it in
	seed          uint64
}

// onchainPool trades a base token for a quote token.
type onchainPool struct {
	network     *onchainNetwork
	dex         *onchainDex
	base, quote *onchainToken
	address     string
	dollars     float64 // of both sides together, at the tokens' prices
	opens       int64   // Unix seconds
	closes      int64   // when trading ended for good, 0 where it goes on
	pace        int64   // seconds for which there is at most one trade
	seed        uint64
	figures     map[int64]*onchainFigures
}

func (t *onchainToken) id() string { return t.network.id + "_" + t.address }
func (p *onchainPool) id() string  { return p.network.id + "_" + p.address }

func (p *onchainPool) name() string { return p.base.symbol + " / " + p.quote.symbol }

// holds reports whether the pool trades a token.
func (p *onchainPool) holds(t *onchainToken) bool { return p.base == t || p.quote == t }

// same compares addresses, which have two ways of writing on an EVM chain.
func (n *onchainNetwork) same(a, b string) bool {
	return a == b || n.evm && strings.EqualFold(a, b)
}

// network finds a network by its identifier, with the pools of the present.
func (b *onchain) network(id string) (*onchainNetwork, error) {
	b.launch()
	at := slices.IndexFunc(b.networks, func(n *onchainNetwork) bool { return n.id == id })
	if at < 0 {
		return nil, refuse(http.StatusNotFound, onchainState, "network %s not found", id)
	}
	return b.networks[at], nil
}

func (n *onchainNetwork) token(address string) *onchainToken {
	at := slices.IndexFunc(n.tokens, func(t *onchainToken) bool { return n.same(t.address, address) })
	if at < 0 {
		return nil
	}
	return n.tokens[at]
}

func (n *onchainNetwork) pool(address string) *onchainPool {
	at := slices.IndexFunc(n.pools, func(p *onchainPool) bool { return n.same(p.address, address) })
	if at < 0 {
		return nil
	}
	return n.pools[at]
}

// poolsOf are the pools that trade a token, the deepest first, those that no
// longer trade last.
func (n *onchainNetwork) poolsOf(t *onchainToken, at int64) []*onchainPool {
	pools := slices.DeleteFunc(slices.Clone(n.pools), func(p *onchainPool) bool { return !p.holds(t) || p.opens > at })
	slices.SortStableFunc(pools, func(a, b *onchainPool) int {
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
func (n *onchainNetwork) addDex(id string) *onchainDex {
	at := slices.IndexFunc(n.dexes, func(d *onchainDex) bool { return d.id == id })
	if at >= 0 {
		return n.dexes[at]
	}
	words := strings.Split(id, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	d := &onchainDex{id, strings.Join(words, " ")}
	n.dexes = append(n.dexes, d)
	return d
}

// hash makes bytes of the seed and a name, as keypair makes keys.
func (b *onchain) hash(name string, number int64) [32]byte {
	raw := binary.LittleEndian.AppendUint64([]byte("onchaindata "+name+" "), b.config.Seed)
	return sha256.Sum256(binary.LittleEndian.AppendUint64(raw, uint64(number)))
}

// addressOn makes an address as the network writes them.
func (b *onchain) addressOn(n *onchainNetwork, name string, number int64) string {
	h := b.hash(n.id+" "+name, number)
	if n.evm {
		return "0x" + hex.EncodeToString(h[:20])
	}
	return solana.PublicKeyFromBytes(h[:]).String()
}

// seedOf makes the number from which something of the market draws.
func (b *onchain) seedOf(id string) uint64 {
	h := b.hash("seed of "+id, 0)
	return binary.LittleEndian.Uint64(h[:])
}
