package world

import "time"

// balancers puts two to four nodes at each address, which lag by up to 150 slots,
// each changing.
func balancers(d *dice, c *Config) {
	addresses := len(c.Nodes)
	c.Nodes, c.Services = nil, nil
	for range addresses {
		e := EndpointConfig{}
		if d.yes(0.2) {
			e.Balance = BalanceSticky
		}
		for range d.int(2, 4) {
			e.Nodes = append(e.Nodes, len(c.Nodes))
			c.Nodes = append(c.Nodes, drawLag(d))
		}
		c.Services = append(c.Services, e)
	}
}

// drawFresh draws a node that keeps up.
func drawFresh(d *dice) NodeConfig {
	return NodeConfig{Lag: d.int(0, 3), Jitter: d.int(0, 2), Newer: d.yes(0.3)}
}

// drawLag draws a node that keeps up, one that lags by much, or one whose
// lag changes.
func drawLag(d *dice) NodeConfig {
	switch d.int(0, 3) {
	case 0:
		return drawFresh(d)
	case 1:
		return NodeConfig{Lag: d.int(30, 150), Jitter: d.int(0, 3)}
	}
	return NodeConfig{Lag: d.int(0, 60), LagMax: d.int(61, 150), Jitter: d.int(0, 8)}
}

func drawHoles(d *dice, n *NodeConfig) {
	n.Gaps.HoleRate = d.rate(0.02, 0.6)
	n.Gaps.HoleSpan = d.int(1, 200)
}

func drawHollow(d *dice, n *NodeConfig) {
	n.Gaps.Hollow = d.rate(0.05, 0.7)
	n.Gaps.HoleSpan = d.int(1, 200)
}

func drawSnapshots(d *dice, n *NodeConfig) { n.Gaps.SnapshotEvery = d.int(400, 5000) }

func drawPruning(d *dice, n *NodeConfig) { n.Gaps.Keep = d.int(40, 1500) }

func drawArchive(d *dice, n *NodeConfig) { n.Gaps.ArchiveLag = d.int(320, 4000) }

func drawForks(d *dice, c *Config) {
	c.Cluster.ForkRate = d.rate(0.3, 1)
	c.Cluster.ForkLen = d.int(4, 60)
	c.Cluster.ForkConfirmed = d.rate(0, 0.5)
	c.Cluster.ForkLost = d.rate(0, 0.6)
	c.Cluster.ForkFails = d.rate(0, 0.5)
	for i := range c.Nodes {
		c.Nodes[i].Fork = d.rate(0.2, 1)
	}
}

func drawSlots(d *dice, c *Config, low, high time.Duration) {
	c.Cluster.SlotMin = d.time(low, high)
	c.Cluster.SlotMax = d.time(c.Cluster.SlotMin, high)
}

// drawAge sets the age of blockhashes to what no client may rely on.
func drawAge(d *dice, c *Config) {
	c.Cluster.Age = d.int(121, 171)
	if d.yes(0.7) {
		c.Cluster.AgeLater = d.int(121, 171)
		c.Cluster.AgeSwitch = d.int(20, 1500)
	}
}

func drawNonces(d *dice, c *Config) {
	drawForks(d, c)
	c.Landing.Late = d.rate(0.1, 0.6)
	c.Landing.Hold = d.rate(0, 0.97)
}

// drawLiars replaces the nodes with as many, of which some lie.
func drawLiars(d *dice, c *Config, nodes, liars int) {
	c.Nodes = nil
	for range nodes {
		c.Nodes = append(c.Nodes, drawFresh(d))
	}
	first, collude := d.int(0, nodes-1), d.yes(0.5)
	for i := range liars {
		n := &c.Nodes[(first+i)%nodes]
		n.Liar = Liar(d.int(1, int(liarKinds)-1))
		if collude && i > 0 {
			n.Liar = c.Nodes[first].Liar
		}
	}
	c.perNode()
}

// drawSplit serves the calls of a batch by different nodes.
func drawSplit(d *dice, c *Config) {
	balancers(d, c)
	for i := range c.Services {
		c.Services[i].Balance = BalanceRandom
		c.Services[i].Profile.SplitBatch = true
	}
}

// drawByMethod puts a fresh node without much history, and an archive that lags,
// at each address.
func drawByMethod(d *dice, c *Config) {
	addresses := len(c.Nodes)
	c.Nodes, c.Services = nil, nil
	for range addresses {
		fresh := drawFresh(d)
		if d.yes(0.5) {
			fresh.NoHistory = HistoryError
		}
		archive := NodeConfig{Lag: d.int(0, 40), LagMax: d.int(41, 150)}
		if d.yes(0.3) {
			archive.Gaps.ArchiveLag = d.int(320, 2000)
		}
		at := len(c.Nodes)
		c.Nodes = append(c.Nodes, fresh, archive)
		c.Services = append(c.Services, EndpointConfig{Nodes: []int{at, at + 1}, Balance: BalanceByMethod})
	}
}

func drawCaches(d *dice, c *Config) {
	for i := range c.Nodes {
		if d.yes(0.5) {
			c.Nodes[i].Stale = d.time(time.Second, 30*time.Second)
		}
	}
	for i := range c.Services {
		c.Services[i].Profile.Cache = d.time(time.Second, 20*time.Second)
	}
}

func drawRate(d *dice, e *EndpointConfig) {
	e.Profile.Rate = d.int(2, 40)
	e.Profile.RetryAfter = d.yes(0.5)
}

func drawFaults(d *dice, e *EndpointConfig) {
	e.Profile.Fail = d.rate(0, 0.15)
	e.Profile.Reset = d.rate(0, 0.1)
	e.Profile.Hang = d.rate(0, 0.02)
	e.Profile.HangFor = d.time(5*time.Second, 90*time.Second)
	e.Profile.Garble = d.rate(0, 0.03)
}
