package world

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// Modes names the modes that [Draw] knows.
func Modes() []string {
	return []string{
		"honest", "idle", "balancer", "gaps", "hollow", "crooked", "mixup", "snapshots", "pruned", "archivelag", "forks",
		"slow", "fast", "age", "nonces", "liars3", "liars5",
		"nobatch", "batch10", "splitbatch", "getblocks5", "bymethod", "nohistory", "nullerrors",
		"cached", "ratelimited", "flaky", "all",
	}
}

// dice draws the numbers of a mode, one after the other.
type dice struct{ seed, n uint64 }

func (d *dice) roll() uint64 {
	d.n++
	return draw(d.seed, forMode, d.n)
}

func (d *dice) int(low, high int) int          { return between(low, high, d.roll()) }
func (d *dice) rate(low, high float64) float64 { return low + (high-low)*float64(d.roll()>>11)*0x1p-53 }
func (d *dice) yes(p float64) bool             { return chance(p, d.roll()) }

func (d *dice) time(low, high time.Duration) time.Duration {
	return low + time.Duration(d.roll()%uint64(high-low+1))
}

// overlays add what is awkward in a mode to an honest cluster.
var overlays = map[string]func(*dice, *Config){
	"honest":      func(*dice, *Config) {},
	"idle":        func(*dice, *Config) {},
	"balancer":    balancers,
	"gaps":        eachNode(drawHoles),
	"hollow":      eachNode(drawHollow),
	"crooked":     eachNode(func(d *dice, n *NodeConfig) { n.Gaps.Crooked = d.rate(0.02, 0.25) }),
	"mixup":       eachService(func(d *dice, e *EndpointConfig) { e.Profile.MixUp = d.rate(0.02, 0.3) }),
	"snapshots":   eachNode(drawSnapshots),
	"pruned":      eachNode(drawPruning),
	"archivelag":  eachNode(drawArchive),
	"forks":       drawForks,
	"slow":        func(d *dice, c *Config) { drawSlots(d, c, 450*time.Millisecond, 600*time.Millisecond) },
	"fast":        func(d *dice, c *Config) { drawSlots(d, c, 200*time.Millisecond, 350*time.Millisecond) },
	"age":         drawAge,
	"nonces":      drawNonces,
	"liars3":      func(d *dice, c *Config) { drawLiars(d, c, 3, 1) },
	"liars5":      func(d *dice, c *Config) { drawLiars(d, c, 5, 2) },
	"nobatch":     eachService(func(_ *dice, e *EndpointConfig) { e.Profile.Batch = -1 }),
	"batch10":     eachService(func(_ *dice, e *EndpointConfig) { e.Profile.Batch = 10 }),
	"splitbatch":  drawSplit,
	"getblocks5":  eachService(func(_ *dice, e *EndpointConfig) { e.Profile.GetBlocksMax = 5 }),
	"bymethod":    drawByMethod,
	"nohistory":   eachNode(func(d *dice, n *NodeConfig) { n.NoHistory = History(d.int(1, 2)) }),
	"nullerrors":  eachNode(func(d *dice, n *NodeConfig) { n.NullErrors = d.rate(0.02, 0.4) }),
	"cached":      drawCaches,
	"ratelimited": eachService(drawRate),
	"flaky":       eachService(drawFaults),
	"all":         drawAll,
}

// Draw returns the configuration of a mode for a seed. It panics if the mode
// is unknown.
func Draw(seed uint64, mode string) Config {
	overlay := overlays[mode]
	if overlay == nil {
		panic("world: no mode " + strconv.Quote(mode))
	}
	d := &dice{seed: seed}
	c := Config{Seed: seed, Mode: mode}
	c.LatencyMin = d.time(time.Millisecond, 20*time.Millisecond)
	c.LatencyMax = c.LatencyMin + d.time(0, 80*time.Millisecond)
	c.Cluster.SkipRate = d.rate(0, 0.1)
	c.Cluster.FinalityMin = d.int(31, 34)
	c.Cluster.FinalityMax = c.Cluster.FinalityMin + d.int(0, 12)
	c.Cluster.EmptyRate = d.rate(0, 0.001) // blocks have votes, but for those of few leaders
	c.Cluster.FailingRate = d.rate(0, 0.05)
	drawLanding(d, &c)
	endpoints := [...]int{1, 1, 2, 3}[d.int(0, 3)]
	for range endpoints {
		c.Nodes = append(c.Nodes, drawFresh(d))
	}
	c.perNode()
	overlay(d, &c)
	return c
}

// perNode gives each node an endpoint.
func (c *Config) perNode() {
	c.Services = nil
	for i := range c.Nodes {
		c.Services = append(c.Services, EndpointConfig{Nodes: []int{i}})
	}
}

// drawLanding lets most transactions land soon, some late, some in their very
// last block, and some never.
func drawLanding(d *dice, c *Config) {
	l := &c.Landing
	l.Loss = [...]float64{0, 0.3, 0.7, 0.95}[d.int(0, 3)]
	l.DelayMax = d.int(0, 4)
	l.Hold = [...]float64{0, 0.2, 0.9, 0.99}[d.int(0, 3)]
	l.Drop = [...]float64{0, 0.01, 0.2, 1}[d.int(0, 3)]
	if d.yes(0.5) {
		l.Late = d.rate(0.02, 0.5)
		l.LateSpan = d.int(1, 4)
	}
	l.Rebroadcast = d.int(0, 5)
}

func eachNode(f func(*dice, *NodeConfig)) func(*dice, *Config) {
	return func(d *dice, c *Config) {
		for i := range c.Nodes {
			f(d, &c.Nodes[i])
		}
	}
}

func eachService(f func(*dice, *EndpointConfig)) func(*dice, *Config) {
	return func(d *dice, c *Config) {
		for i := range c.Services {
			f(d, &c.Services[i])
		}
	}
}

// drawAll lays several modes over each other. Liars stay a minority.
func drawAll(d *dice, c *Config) {
	names := slices.Sorted(maps.Keys(parts))
	if d.yes(0.4) {
		drawLiars(d, c, 3, 1)
	} else if d.yes(0.5) {
		balancers(d, c)
	}
	for _, name := range names {
		if d.yes(0.2) {
			parts[name](d, c)
		}
	}
}

// parts are the modes that can be laid over any other.
var parts = map[string]func(*dice, *Config){}

func init() {
	for name, overlay := range overlays {
		switch name {
		case "honest", "idle", "balancer", "liars3", "liars5", "bymethod", "splitbatch", "all":
		default:
			parts[name] = overlay
		}
	}
}
