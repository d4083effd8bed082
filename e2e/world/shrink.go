package world

import (
	"reflect"
	"slices"
	"strconv"
)

// Switch is something awkward in a Config that can be switched off.
type Switch struct {
	Name string
	Off  func(*Config)
}

// Switches returns what is on in c, each with the way to switch it off.
// Off leaves the numbers of nodes and endpoints as they are. A Config from
// [Config.Clone] can be changed without touching c.
func (c Config) Switches() []Switch {
	all := append(clusterSwitches(), nodeSwitches()...)
	for i := range c.Nodes {
		name := "node " + strconv.Itoa(i)
		all = append(all, Switch{name, func(c *Config) { c.Nodes[i] = NodeConfig{} }})
	}
	all = append(all, serviceSwitches()...)
	var on []Switch
	for _, s := range all {
		changed := c.Clone()
		s.Off(&changed)
		if !reflect.DeepEqual(changed, c.Clone()) {
			on = append(on, s)
		}
	}
	return on
}

// Clone returns a copy that shares no memory with c.
func (c Config) Clone() Config {
	c.Nodes = slices.Clone(c.Nodes)
	c.Services = slices.Clone(c.Services)
	for i := range c.Services {
		c.Services[i].Nodes = slices.Clone(c.Services[i].Nodes)
		c.Services[i].Profile.Refuse = slices.Clone(c.Services[i].Profile.Refuse)
	}
	return c
}

func clusterSwitches() []Switch {
	return []Switch{
		{"latency", func(c *Config) { c.LatencyMin, c.LatencyMax = 0, 0 }},
		{"slot times", func(c *Config) { c.Cluster.SlotMin, c.Cluster.SlotMax = 0, 0 }},
		{"skips", func(c *Config) { c.Cluster.SkipRate = 0 }},
		{"forks", func(c *Config) { c.Cluster.ForkRate = 0 }},
		{"long forks", func(c *Config) { c.Cluster.ForkLen = 0 }},
		{"forks confirmed", func(c *Config) { c.Cluster.ForkConfirmed = 0 }},
		{"lost with forks", func(c *Config) { c.Cluster.ForkLost = 0 }},
		{"failing on forks", func(c *Config) { c.Cluster.ForkFails = 0 }},
		{"finality", func(c *Config) { c.Cluster.FinalityMin, c.Cluster.FinalityMax = 0, 0 }},
		{"age", func(c *Config) { c.Cluster.Age = 0 }},
		{"change of age", func(c *Config) { c.Cluster.AgeLater, c.Cluster.AgeSwitch = 0, 0 }},
		{"status cache", func(c *Config) { c.Cluster.StatusCache = 0 }},
		{"empty blocks", func(c *Config) { c.Cluster.EmptyRate = 0 }},
		{"failing blocks", func(c *Config) { c.Cluster.FailingRate = 0 }},
		{"loss", func(c *Config) { c.Landing.Loss = 0 }},
		{"delay", func(c *Config) { c.Landing.DelayMax = 0 }},
		{"hold", func(c *Config) { c.Landing.Hold = 0 }},
		{"drop", func(c *Config) { c.Landing.Drop = 0 }},
		{"late", func(c *Config) { c.Landing.Late, c.Landing.LateSpan = 0, 0 }},
		{"rebroadcast", func(c *Config) { c.Landing.Rebroadcast = 0 }},
	}
}

func nodeSwitches() []Switch {
	each := func(name string, off func(*NodeConfig)) Switch {
		return Switch{"nodes' " + name, func(c *Config) {
			for i := range c.Nodes {
				off(&c.Nodes[i])
			}
		}}
	}
	return []Switch{
		each("lag", func(n *NodeConfig) { n.Lag, n.LagMax = 0, 0 }),
		each("change of lag", func(n *NodeConfig) { n.LagMax = 0 }),
		each("jitter", func(n *NodeConfig) { n.Jitter = 0 }),
		each("forks", func(n *NodeConfig) { n.Fork = 0 }),
		each("snapshots", func(n *NodeConfig) { n.Gaps.SnapshotEvery = 0 }),
		each("pruning", func(n *NodeConfig) { n.Gaps.Keep = 0 }),
		each("holes", func(n *NodeConfig) { n.Gaps.HoleRate, n.Gaps.HoleSpan = 0, 0 }),
		each("hollow blocks", func(n *NodeConfig) { n.Gaps.Hollow = 0 }),
		each("crooked blocks", func(n *NodeConfig) { n.Gaps.Crooked = 0 }),
		each("archive lag", func(n *NodeConfig) { n.Gaps.ArchiveLag = 0 }),
		each("lack of history", func(n *NodeConfig) { n.NoHistory = HistoryOn }),
		each("null errors", func(n *NodeConfig) { n.NullErrors = 0 }),
		each("cache", func(n *NodeConfig) { n.Stale = 0 }),
		each("newer methods", func(n *NodeConfig) { n.Newer = false }),
		each("lies", func(n *NodeConfig) { n.Liar = Honest }),
	}
}

func serviceSwitches() []Switch {
	each := func(name string, off func(*EndpointConfig)) Switch {
		return Switch{"endpoints' " + name, func(c *Config) {
			for i := range c.Services {
				off(&c.Services[i])
			}
		}}
	}
	return []Switch{
		each("further nodes", func(e *EndpointConfig) { e.Nodes = e.Nodes[:min(1, len(e.Nodes))] }),
		each("balance", func(e *EndpointConfig) { e.Balance = BalanceRandom }),
		each("batch limit", func(e *EndpointConfig) { e.Profile.Batch = 0 }),
		each("split batches", func(e *EndpointConfig) { e.Profile.SplitBatch = false }),
		each("getBlocks limit", func(e *EndpointConfig) { e.Profile.GetBlocksMax = 0 }),
		each("refusals", func(e *EndpointConfig) { e.Profile.Refuse = nil }),
		each("rate", func(e *EndpointConfig) { e.Profile.Rate, e.Profile.RetryAfter = 0, false }),
		each("failures", func(e *EndpointConfig) { e.Profile.Fail = 0 }),
		each("resets", func(e *EndpointConfig) { e.Profile.Reset = 0 }),
		each("hangs", func(e *EndpointConfig) { e.Profile.Hang, e.Profile.HangFor = 0, 0 }),
		each("mixing up", func(e *EndpointConfig) { e.Profile.MixUp = 0 }),
		each("garbling", func(e *EndpointConfig) { e.Profile.Garble = 0 }),
		each("cache", func(e *EndpointConfig) { e.Profile.Cache = 0 }),
	}
}
