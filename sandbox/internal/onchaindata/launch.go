package onchaindata

import (
	"math"
	"strconv"
	"strings"
)

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
