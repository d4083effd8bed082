package paid

import (
	"slices"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// mode is a family of runs: what the world does, and what happens to the
// wallets in it.
type mode struct {
	name  string
	world []string // modes of package world, of which a seed draws one
	tweak func(dice, *plan)
}

// plain are the worlds of the modes in which the trouble is not the world's.
var plain = []string{"honest", "honest", "balancer", "forks", "idle"}

// modes are all modes, in the order in which they are printed.
var modes = []mode{
	{"honest", []string{"honest"}, nil},
	{"idle", []string{"idle"}, idles},
	{"balancer", []string{"balancer"}, balancers},
	{"gaps", []string{"gaps"}, comesBack},
	{"hollow", []string{"hollow"}, comesBack},
	{"crooked", []string{"crooked"}, nil},
	{"mixup", []string{"mixup"}, nil},
	{"snapshots", []string{"snapshots"}, comesBack},
	{"pruned", []string{"pruned"}, comesBack},
	{"archivelag", []string{"archivelag"}, comesBack},
	{"forks", []string{"forks"}, hasty},
	{"slots", []string{"slow", "fast"}, nil},
	{"age", []string{"age"}, nil},
	{"clocks", plain, clocks},
	{"liars3", []string{"liars3"}, liars},
	{"liars5", []string{"liars5"}, liars},
	{"kills", plain, kills},
	{"torn", plain, torn},
	{"fleet", plain, fleet},
	{"nonces", []string{"nonces", "nonces", "forks"}, nonces},
	{"alike", []string{"nonces", "balancer", "balancer", "splitbatch", "snapshots"}, alike},
	{"shared", plain, shared},
	{"keyless", plain, keyless},
	{"sponsors", plain, sponsors},
	{"signanew", plain, signAnew},
	{"sets", plain, sets},
	{"bundles", plain, bundles},
	{"nobatch", []string{"nobatch"}, nil},
	{"batch10", []string{"batch10"}, nil},
	{"splitbatch", []string{"splitbatch"}, nil},
	{"getblocks5", []string{"getblocks5"}, nil},
	{"bymethod", []string{"bymethod"}, nil},
	{"nohistory", []string{"nohistory"}, nil},
	{"nullerrors", []string{"nullerrors"}, nil},
	{"cached", []string{"cached"}, nil},
	{"ratelimited", []string{"ratelimited"}, nil},
	{"flaky", []string{"flaky"}, nil},
	{"unheard", []string{"liars3", "liars5", "liars3", "forks"}, unheard},
	{"turns", []string{"honest", "age", "slow"}, turns},
	{"advanced", []string{"nonces"}, advanced},
	{"mixed", []string{"all"}, mixed},
}

// modeOf finds a mode by its name.
func modeOf(name string) (mode, bool) {
	i := slices.IndexFunc(modes, func(m mode) bool { return m.name == name })
	if i < 0 {
		return mode{}, false
	}
	return modes[i], true
}

// draw draws the plan of a seed with so many keys.
func (m mode) draw(seed uint64, keys int) plan {
	d := dice(seed).of("plan " + m.name)
	p := plan{
		Mode: m.name, Seed: seed, World: world.Draw(seed, pick(d.of("world"), m.world...)),
		Pipes: d.of("pipes").chance(0.1), Crew: d.of("crew").int(10, 40),
		DownMin: time.Second, Down: 20 * time.Minute, Wrong: 2 * time.Hour,
		Rest: pick(d.of("rest"), 2*time.Minute, 2*time.Minute, 5*time.Minute),
		Stop: pick(d.of("stop"), 10*time.Minute, 10*time.Minute, 10*time.Minute, time.Hour),
		Shares: shares{
			Old: 0.3, Quick: 0.25, Slow: 0.15, BadLast: 0.3,
			Poor: 0.03, Sets: 0.04, Bundles: 0.25, Nonces: 0.02, Advance: 0.4, Sponsors: 0.02, Place: 0.15,
			Finalized: 0.12, Doors: 0.1, Effects: 0.05, Orderly: 0.1,
			Sluggish: 0.1, Deadline: 0.1, Peek: 0.05, Double: 0.02, Same: 0.05, Again: 0.3,
		},
	}
	p.World.Seed = seed
	for n := range keys {
		p.Keys = append(p.Keys, n)
	}
	// Where nodes lie, nobody asks one alone.
	p.Panel = slices.ContainsFunc(p.World.Nodes, func(n world.NodeConfig) bool { return n.Liar != world.Honest }) ||
		d.of("panel").chance(0.15)
	p.pace(d.of("pace"))
	if seed%2 == 0 {
		// A good day: what is sent lands, though some of it late.
		p.World.Landing.Loss, p.World.Landing.Hold, p.World.Landing.Drop = 0, 0, 0
	}
	if m.tweak != nil {
		m.tweak(d.of("tweak"), &p)
	}
	return p
}

// pace draws how far apart the keys of a machine are.
func (p *plan) pace(d dice) {
	switch x := d.of("kind").float(); {
	case x < 0.5: // all at once
		p.GapMin, p.GapMax = time.Millisecond, time.Second
	case x < 0.8: // a busy one
		p.GapMin, p.GapMax = 100*time.Millisecond, 10*time.Second
	case x < 0.93: // one, and when it is over the next
		p.GapMin, p.GapMax = 60*time.Second, 100*time.Second
	default:
		p.GapMin, p.GapMax = 2*time.Second, 5*time.Minute
	}
}

// balancers make every second world the smallest that hurts: one address, two
// honest nodes, one of them behind, and a payment now and then. What lands at
// once leaves the wallet idle in between.
func balancers(d dice, p *plan) {
	if d.of("large").chance(0.4) {
		return
	}
	p.World.Nodes = []world.NodeConfig{{}, {Lag: d.of("lag").int(40, 62)}}
	p.World.Services = []world.EndpointConfig{{Nodes: []int{0, 1}}}
	if d.of("swift").chance(0.8) {
		p.World.Landing = world.Landing{}
	}
	p.Shares.BadLast = pick(d.of("last"), 0.3, 0.9)
	p.GapMin, p.GapMax = 66*time.Second, 96*time.Second
}

func idles(_ dice, p *plan) {
	p.GapMin, p.GapMax = 5*time.Second, 3*time.Hour
	p.Rest = 3 * time.Hour
}

// comesBack lets a wallet hear of a payment only after the status cache has
// forgotten it.
func comesBack(d dice, p *plan) {
	if d.of("idles").chance(0.3) {
		p.GapMin, p.GapMax, p.Rest = 5*time.Second, 20*time.Minute, pick(d.of("rest"), 10*time.Minute, 20*time.Minute)
	}
	p.Crew = d.of("few").int(4, 24)
	p.Shares.Deaths, p.Shares.Orderly, p.Shares.Deadline = 0.6, 0.2, 0.3
	p.DownMin = pick(d.of("down"), time.Second, 2*time.Minute, 2*time.Minute)
}

func hasty(_ dice, p *plan) {
	p.Shares.Processed, p.Shares.Quick, p.Shares.Poor, p.Shares.Sets = 0.5, 0.5, 0.25, 0.08
}

func clocks(d dice, p *plan) {
	p.Crew = d.of("few").int(2, 12)
	p.Shares.Clocks, p.Shares.Jumps, p.Shares.Deaths, p.Shares.Orderly = 0.8, 0.5, 0.6, 0.2
	p.Wrong = pick(d.of("wrong"), 5*time.Minute, 2*time.Hour, 100*time.Hour)
	switch x := d.of("back").float(); {
	case x < 0.35:
		// It is back before its node has heard of the blockhash.
		p.DownMin, p.Down, p.Shares.Quick = 500*time.Millisecond, 8*time.Second, 0.8
	case x < 0.7:
		// It is back when the last blocks are made in which a payment can land.
		p.DownMin, p.Down = 15*time.Second, 80*time.Second
		p.World.Landing.Late, p.World.Landing.LateSpan = 0.3+0.6*d.of("late").float(), d.of("span").int(1, 8)
	}
	p.lag(d, 40)
}

// lag lets the nodes that do not lag, lag.
func (p *plan) lag(d dice, most int) {
	if len(p.World.Nodes) == 0 {
		p.World.Nodes = []world.NodeConfig{{}}
	}
	for i := range p.World.Nodes {
		if node := &p.World.Nodes[i]; node.Lag == 0 && d.of("lags", i).chance(0.6) {
			node.Lag = d.of("lag", i).int(1, most)
		}
	}
}

// liars gives a liar an honest node that knows less than the others, to make up
// a majority with.
func liars(d dice, p *plan) {
	honest := func(n world.NodeConfig) bool { return n.Liar == world.Honest }
	switch x := d.of("help").float(); {
	case x < 0.35:
		p.lag(d, 60)
	case x < 0.6:
		comesBack(d, p)
		if i := slices.IndexFunc(p.World.Nodes, honest); i >= 0 {
			p.World.Nodes[i].Gaps = world.Gaps{Keep: d.of("keep").int(40, 400)}
		}
	case x < 0.75:
		p.GapMin, p.GapMax = 66*time.Second, 96*time.Second
		p.lag(d, 60)
	}
}

func kills(d dice, p *plan) {
	p.Crew = d.of("few").int(2, 6)
	p.Shares.Deaths, p.Shares.Disk, p.Shares.Sets, p.Shares.Clocks = 0.85, 0.02, 0.1, 0.2
	p.Down = pick(d.of("down"), time.Minute, 20*time.Minute)
	p.lag(d, 40)
}

func torn(d dice, p *plan) {
	kills(d, p)
	p.Shares.Files, p.Shares.Torn, p.Shares.Locks, p.Shares.Disk = 1, 0.6, 0.4, 0
}

func fleet(d dice, p *plan) {
	p.Crew = d.of("few").int(3, 8)
	p.Shares.Two, p.Shares.Pauses, p.Shares.Deaths, p.Shares.Double, p.Shares.Disk = 1, 0.5, 0.2, 0.25, 0.005
	p.Stop = pick(d.of("stop"), time.Minute, 10*time.Minute, time.Hour)
	p.Down = pick(d.of("down"), time.Minute, 10*time.Minute)
}

func nonces(_ dice, p *plan) {
	p.Shares.Nonces, p.Shares.Advance, p.Shares.Processed, p.Shares.Deaths = 0.8, 0.6, 0.3, 0.1
}

// alike puts nonces with one value side by side.
func alike(d dice, p *plan) {
	nonces(d, p)
	p.Shares.Alike, p.Shares.Orderly = 1, 0.2
	if d.of("back").chance(0.4) {
		p.DownMin, p.Shares.Deaths = 2*time.Minute, 0.5
	}
}

func shared(_ dice, p *plan) { p.Shares.Shared, p.Shares.Same = 0.5, 0.2 }

func keyless(_ dice, p *plan) {
	p.Shares.Keyless, p.Shares.Same, p.Shares.Double, p.Shares.Deadline = 1, 0.4, 0.2, 0.3
	// Who pays the rest of a set needs a key.
	p.Shares.Sets, p.Shares.Orderly, p.Shares.Place = 0, 0, 0
}

func sponsors(_ dice, p *plan) { p.Shares.Sponsors, p.Shares.Deaths = 1, 0.15 }

func signAnew(d dice, p *plan) {
	sponsors(d, p)
	p.Shares.Anew = 0.6
}

func sets(_ dice, p *plan) {
	p.Shares.Sets, p.Shares.Bundles, p.Shares.Peek, p.Shares.Poor, p.Shares.Deaths = 0.9, 0, 0.5, 0.2, 0.15
	p.Shares.Sluggish = 0.5
}

func bundles(_ dice, p *plan) {
	p.Shares.Sets, p.Shares.Bundles, p.Shares.Peek, p.Shares.Poor, p.Shares.Deaths = 0.9, 1, 0.3, 0.15, 0.15
}

// mixed draws everything.
func mixed(d dice, p *plan) {
	for _, do := range []func(dice, *plan){comesBack, hasty, clocks, kills, fleet} {
		if d = d.of("next"); d.of("is").chance(0.3) {
			do(d, p)
		}
	}
	if d.of("files").chance(0.15) {
		torn(d, p)
	}
	s := &p.Shares
	s.Nonces, s.Sets, s.Bundles, s.Poor, s.Sponsors = 0.12, 0.12, 0.3, 0.1, 0.1
	s.Peek, s.Disk = 0.15, 0.005
	s.Alike, s.Anew = 0.3, 0.3
}

// TestUnasked: what is not asked of a mode is not asked of one that there is.
func TestUnasked(t *testing.T) {
	for name := range Unasked {
		if _, ok := modeOf(name); !ok {
			t.Errorf("there is no mode %q", name)
		}
	}
	if len(Unasked) == 0 || len(Unasked) > 5 {
		t.Errorf("%d modes are not asked", len(Unasked))
	}
}
