package onchaindata

import (
	"math"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

const (
	Day = 86_400
	// past is how long before the sandbox's start the listed pools
	// opened, in seconds.
	past = 60 * Day
)

// coin is a line of the listing of tokens.
type coin struct {
	address, symbol, name string
	decimals              int
	price, swing          float64
	supply, circulating   float64
}

// pairing is a line of the listing of pools: exchange, pair, and what
// both sides are worth in dollars.
type pairing struct {
	dex, base, quote string
	dollars          float64
}

// The pools of the ledger's network bear the names, and so the addresses, of
// those that the swap services trade with.
var (
	solanaPools = []pairing{
		{"atlas", "SOL", "USDC", 40_000_000}, {"atlas", "SOL", "USDT", 10_000_000}, {"atlas", "USDC", "USDT", 20_000_000},
		{"atlas", "DUST", "SOL", 400_000}, {"atlas", "TAXED", "USDC", 1_000_000}, {"delta", "SOL", "USDC", 16_000_000},
		{"prism", "SOL", "USDC", 8_000_000}, {"prism", "USDC", "USDT", 6_000_000}, {"orchard", "DUST", "USDC", 200_000},
		{"orchard", "SOL", "USDT", 2_000_000}, {"tidal", "SOL", "USDC", 12_000_000}, {"ember", "DUST", "SOL", 120_000},
		{"sprout", "TAXED", "SOL", 160_000}, {"plateau", "USDC", "USDT", 30_000_000}, {"lagoon", "SOL", "USDT", 4_000_000},
		{"quill", "SOL", "USDC", 1_000_000}, {"quill", "TAXED", "USDC", 150_000},
	}
	// quietDexes have no pool, and fill a second page of the listing.
	quietDexes = []string{
		"bramble", "cinder", "dune_v2", "eddy", "fjord", "grove", "heron", "inlet", "juniper", "kelp",
		"larch", "marsh_clmm", "nectar", "opal",
	}
	ethCoins = []coin{
		{"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH", "Wrapped Ether", 18, 3120, 0.02, 3_000_000, 3_000_000},
		{"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USDC", "USD Coin", 6, 1, 0.0004, 36_000_000_000, 36_000_000_000},
		{"0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", "WBTC", "Wrapped BTC", 8, 91_000, 0.015, 130_000, 130_000},
		{"", "BROTH", "Broth", 18, 0.0000042, 0.2, 1e15, 0},
	}
	ethPools = []pairing{
		{"pavilion_v3", "WETH", "USDC", 90_000_000}, {"pavilion_v2", "WETH", "USDC", 30_000_000},
		{"pavilion_v3", "WBTC", "WETH", 70_000_000},
		{"meridian", "WBTC", "USDC", 9_000_000}, {"pavilion_v2", "BROTH", "WETH", 700_000},
	}
	baseCoins = []coin{
		{"0x4200000000000000000000000000000000000006", "WETH", "Wrapped Ether", 18, 3120, 0.02, 200_000, 200_000},
		{"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USDC", "USD Coin", 6, 1, 0.0004, 4_000_000_000, 4_000_000_000},
		{"", "BRINE", "Brine", 18, 0.87, 0.08, 50_000_000, 31_000_000},
	}
	basePools = []pairing{
		{"skiff", "WETH", "USDC", 25_000_000}, {"skiff", "BRINE", "WETH", 1_400_000}, {"jetty", "BRINE", "USDC", 90_000},
	}
)

func (b *Service) openNetworks() {
	main := b.addNetwork(&network{id: "solana", name: "Solana", platform: "solana", block: b.Config.SlotTime.Seconds()})
	for _, symbol := range []string{"SOL", "USDC", "USDT", "DUST", "TAXED"} {
		t := b.Token(symbol)
		swing := map[string]float64{"SOL": 0.02, "DUST": 0.1, "TAXED": 0.05}[symbol]
		coin := coin{t.Mint, symbol, t.Name, int(t.Decimals), float64(t.Price) / 1e6, max(swing, 0.0004), 6e8, 5e8}
		if symbol == "DUST" {
			coin.supply, coin.circulating = 1e12, 0
		}
		b.addCoin(main, coin)
	}
	main.native = main.tokens[0]
	for _, m := range solanaPools {
		b.addMarket(main, m, build.PublicKey(b.Keypair("pool "+m.dex+" "+m.base+" "+m.quote)).String())
	}
	for _, id := range quietDexes {
		main.addDex(id)
	}
	b.openEVM(&network{id: "eth", name: "Ethereum", platform: "ethereum", evm: true, block: 12}, ethCoins, ethPools)
	b.openEVM(&network{id: "base", name: "Base", platform: "base", evm: true, block: 2}, baseCoins, basePools)
	b.launch()
}

func (b *Service) openEVM(n *network, coins []coin, pools []pairing) {
	b.addNetwork(n)
	for _, coin := range coins {
		if coin.address == "" {
			coin.address = b.addressOn(n, "token "+coin.symbol, 0)
		}
		b.addCoin(n, coin)
	}
	n.native = n.tokens[0]
	for i, m := range pools {
		b.addMarket(n, m, b.addressOn(n, "pool", int64(i)))
	}
}

func (b *Service) addNetwork(n *network) *network {
	b.networks = append(b.networks, n)
	return n
}

func (b *Service) addCoin(n *network, coin coin) *token {
	t := &token{
		network: n, address: coin.address, symbol: coin.symbol, name: coin.name, decimals: coin.decimals,
		price: coin.price, swing: coin.swing, supply: coin.supply, circulating: coin.circulating,
	}
	t.seed = b.seedOf(t.id())
	if coin.circulating > 0 {
		t.coin, t.website = "sandbox-"+coin.symbol, "https://"+coin.symbol+".example"
	}
	n.tokens = append(n.tokens, t)
	return t
}

// addMarket opens a listed pool. Deep ones are traded more often.
func (b *Service) addMarket(n *network, m pairing, address string) {
	find := func(symbol string) *token {
		return kit.Find(n.tokens, func(t *token) bool { return t.symbol == symbol })
	}
	pace := max(40, int64(50*math.Sqrt(5_000_000/m.dollars)))
	b.addPool(&pool{
		network: n, dex: n.addDex(m.dex), base: find(m.base), quote: find(m.quote), address: address,
		dollars: m.dollars, opens: b.start - past, pace: pace,
	})
}

func (b *Service) addPool(p *pool) {
	p.seed = b.seedOf(p.id())
	p.figures = map[int64]*figures{}
	p.network.pools = append(p.network.pools, p)
}

const (
	// launchEvery is the time between two launches, in seconds.
	launchEvery = 3 * 3600
	// launches is how many there were before the sandbox's start: more
	// than the ten pages that the demo tier may read.
	launches = 220
	// abandoned says that of so many launches one is given up, after
	// lifetime seconds.
	abandoned = 11
	lifetime  = 30 * 3600
)

var (
	adjectives = []string{"brave", "quiet", "salty", "tiny", "golden", "lunar", "sleepy", "rusty"}
	animals    = []string{"otter", "heron", "badger", "newt", "walrus", "magpie", "ferret", "carp", "mole"}
	launchpads = []string{"sprout", "ember", "orchard"}
)

// launch opens the pools whose time has come: a new token each, on the first
// network.
func (b *Service) launch() {
	for {
		opens := b.start + (b.launched-launches+1)*launchEvery - launchEvery/2
		if opens > b.Now().Unix() {
			return
		}
		b.launchAt(b.launched, opens)
		b.launched++
	}
}

func (b *Service) launchAt(number, opens int64) {
	n := b.networks[0]
	name := adjectives[number%8] + " " + animals[number%9]
	draw := b.seedOf("launch " + strconv.FormatInt(number, 10))
	t := b.addCoin(n, coin{
		address: b.addressOn(n, "launched token", number), name: name,
		symbol: strings.ToUpper(animals[number%9]) + strconv.FormatInt(number, 10),
		// from a hundredth of a dollar down to a millionth
		decimals: 6, price: math.Pow(10, -2-4*unit(draw)), swing: 0.35, supply: 1e9,
	})
	p := &pool{
		network: n, dex: n.addDex(launchpads[number%3]), base: t, quote: n.native,
		address: b.addressOn(n, "launched pool", number), opens: opens,
		dollars: math.Round(2000 + 58_000*unit(mix(draw, 1))), pace: 300 + int64(draw%1200),
	}
	if number%abandoned == 0 {
		p.closes = opens + lifetime
	}
	b.addPool(p)
}
