package paid

import (
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// latest lets most of what lands, land in its very last blocks.
func (p *plan) latest(d dice) {
	l := &p.World.Landing
	l.Loss, l.Hold, l.Drop = 0, 0, 0
	l.Late, l.LateSpan = 0.5+0.5*d.of("late").float(), d.of("span").int(1, 4)
	if d.of("much").chance(0.6) {
		l.Loss, l.Drop = 0.9*d.of("loss").float(), 0.2
	}
}

// trail gives a node a lag, drawn from none to beyond a blockhash's age.
func trail(d dice, n *world.NodeConfig) {
	n.Lag = pick(d.of("lag"), 0, 0, d.of("some").int(1, 62), d.of("more").int(30, 200))
	n.Jitter = d.of("jitter").int(0, 8)
	if d.of("changes").chance(0.25) {
		n.LagMax = n.Lag + d.of("change").int(10, 160)
	}
	if d.of("stale").chance(0.2) {
		n.Stale = d.of("age").span(time.Second, 40*time.Second)
	}
}

// gappy gives a node a store that lacks most of its blocks, or all of them.
func gappy(d dice, n *world.NodeConfig) {
	n.Gaps = world.Gaps{}
	switch x := d.of("gap").float(); {
	case x < 0.4:
		n.Gaps.HoleRate, n.Gaps.HoleSpan = 0.02+0.2*d.of("rate").float(), d.of("holes").int(1, 8)
	case x < 0.6:
		n.Gaps.HoleRate, n.Gaps.HoleSpan = 0.1+0.7*d.of("rate").float(), d.of("holes").int(20, 200)
	case x < 0.7:
		n.Gaps.SnapshotEvery = d.of("every").int(300, 1500)
	case x < 0.8:
		n.Gaps.Keep = d.of("keep").int(40, 500)
	case x < 0.9:
		n.Gaps.ArchiveLag = d.of("archive").int(320, 900)
	case x < 0.93:
		n.NoHistory = world.HistoryError
	}
	if d.of("crooked").chance(0.1) {
		n.Gaps.Crooked = 0.02 + 0.2*d.of("how").float()
	}
}

// unheard lets wallets that know nothing of the ledger ask nodes that hardly
// show blocks, and of which less than half lie.
func unheard(d dice, p *plan) {
	p.latest(d)
	p.Panel, p.Crew = true, d.of("few").int(1, 3)
	p.Shares.Deaths, p.Shares.BadLast = pick(d.of("deaths"), 0, 0.6), pick(d.of("last"), 0.3, 0.9)
	p.DownMin, p.Down = 5*time.Second, pick(d.of("down"), time.Minute, 10*time.Minute)
	p.stall(d)
	for i := range p.World.Nodes {
		if n := &p.World.Nodes[i]; n.Liar == world.Honest && d.of("node", i).chance(0.5) {
			trail(d.of("trail", i), n)
			gappy(d.of("gappy", i), n)
		}
	}
}

// stall lets finality fall behind at times, and skips slots.
func (p *plan) stall(d dice) {
	c := &p.World.Cluster
	if d.of("stall").chance(0.5) {
		c.FinalityMax = c.FinalityMin + d.of("depth").int(1, 200)
	}
	c.SkipRate = pick(d.of("skip"), 0, 0.1, 0.4)
	if d.of("forks").chance(0.5) {
		c.ForkRate, c.ForkLen, c.ForkConfirmed = 0.8, d.of("fork").int(4, 60), 0.5
		for i := range p.World.Nodes {
			p.World.Nodes[i].Fork = d.of("follows", i).float()
		}
	}
}

// turns puts nodes of different ages and stores behind each address.
func turns(d dice, p *plan) {
	p.latest(d)
	p.World.Nodes, p.World.Services = nil, nil
	for i := range pick(d.of("addresses"), 1, 1, 1, 3) {
		e := world.EndpointConfig{Balance: pick(d.of("balance", i), world.BalanceRandom, world.BalanceRandom,
			world.BalanceSticky, world.BalanceByMethod)}
		e.Profile.SplitBatch = d.of("split", i).chance(0.3)
		if d.of("cache", i).chance(0.2) {
			e.Profile.Cache = d.of("caches", i).span(time.Second, 40*time.Second)
		}
		for j := range d.of("behind", i).int(2, 3) {
			e.Nodes = append(e.Nodes, len(p.World.Nodes))
			n := world.NodeConfig{}
			trail(d.of("trail", i, j), &n)
			if d.of("gaps", i, j).chance(0.4) {
				gappy(d.of("gappy", i, j), &n)
			}
			p.World.Nodes = append(p.World.Nodes, n)
		}
		p.World.Services = append(p.World.Services, e)
	}
	p.stall(d)
	p.Crew, p.Shares.BadLast = d.of("few").int(1, 12), pick(d.of("last"), 0.3, 0.9)
	p.Shares.Deaths, p.DownMin = pick(d.of("deaths"), 0, 0.5), pick(d.of("down"), 5*time.Second, 2*time.Minute)
	if d.of("idle").chance(0.3) {
		p.GapMin, p.GapMax = 66*time.Second, 96*time.Second
	}
}

// advanced is turns with durable nonces that others advance at once.
func advanced(d dice, p *plan) {
	turns(d, p)
	p.Shares.Nonces, p.Shares.Advance, p.Shares.Processed = 0.9, 1, 0.3
	p.World.Landing.Loss = pick(d.of("loss"), 0, 0.3, 0.7)
	if d.of("alike").chance(0.3) {
		p.Shares.Alike = 1
	}
}
