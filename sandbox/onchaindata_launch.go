package sandbox

import (
	"math"
	"strconv"
	"strings"
)

const (
	// onchainLaunchEvery is the time between two launches, in seconds.
	onchainLaunchEvery = 3 * 3600
	// onchainLaunches is how many there were before the sandbox's start: more
	// than the ten pages that the demo tier may read.
	onchainLaunches = 220
	// onchainAbandoned says that of so many launches one is given up, after
	// onchainLifetime seconds.
	onchainAbandoned = 11
	onchainLifetime  = 30 * 3600
)

var (
	onchainAdjectives = []string{"brave", "quiet", "salty", "tiny", "golden", "lunar", "sleepy", "rusty"}
	onchainAnimals    = []string{"otter", "heron", "badger", "newt", "walrus", "magpie", "ferret", "carp", "mole"}
	onchainLaunchpads = []string{"sprout", "ember", "orchard"}
)

// launch opens the pools whose time has come: a new token each, on the first
// network.
func (b *onchain) launch() {
	for {
		opens := b.start + (b.launched-onchainLaunches+1)*onchainLaunchEvery - onchainLaunchEvery/2
		if opens > b.now().Unix() {
			return
		}
		b.launchAt(b.launched, opens)
		b.launched++
	}
}

func (b *onchain) launchAt(number, opens int64) {
	n := b.networks[0]
	name := onchainAdjectives[number%8] + " " + onchainAnimals[number%9]
	draw := b.seedOf("launch " + strconv.FormatInt(number, 10))
	t := b.addCoin(n, onchainCoin{
		address: b.addressOn(n, "launched token", number), name: name,
		symbol: strings.ToUpper(onchainAnimals[number%9]) + strconv.FormatInt(number, 10),
		// from a hundredth of a dollar down to a millionth
		decimals: 6, price: math.Pow(10, -2-4*onchainUnit(draw)), swing: 0.35, supply: 1e9,
	})
	p := &onchainPool{
		network: n, dex: n.addDex(onchainLaunchpads[number%3]), base: t, quote: n.native,
		address: b.addressOn(n, "launched pool", number), opens: opens,
		dollars: math.Round(2000 + 58_000*onchainUnit(onchainMix(draw, 1))), pace: 300 + int64(draw%1200),
	}
	if number%onchainAbandoned == 0 {
		p.closes = opens + onchainLifetime
	}
	b.addPool(p)
}
