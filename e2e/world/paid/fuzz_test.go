package paid

import (
	"testing"
	"time"

	"github.com/walletfi/walletfi-go/e2e/world"
)

// fuzzKeys is how many keys a fuzzed run has.
const fuzzKeys = 6

// FuzzWorld draws the parameters of a run from bytes. Two that differ in one
// byte differ in one parameter.
func FuzzWorld(f *testing.F) {
	f.Add(uint8(0), uint64(1), []byte{})
	f.Fuzz(func(t *testing.T, name uint8, seed uint64, params []byte) {
		p := modes[int(name)%len(modes)].draw(seed%1_000_000, fuzzKeys)
		p.Pipes = false
		k := &knack{bytes: params}
		k.cluster(&p.World)
		for i := range p.World.Nodes {
			k.node(&p.World.Nodes[i])
		}
		k.people(&p)
		tally, _ := perform(t, p)
		if tally.Keys != fuzzKeys {
			t.Fatalf("%d keys of %d were played", tally.Keys, fuzzKeys)
		}
		for _, l := range tally.Losses {
			t.Errorf("mode %s seed %d: %s: %s", p.Mode, p.Seed, l.Kind, l.Text)
		}
		if len(tally.Losses) > 0 {
			small, lost, story := shrink(t, p, tally.Losses[0].Kind)
			t.Error(tell(p, small, lost, story))
		}
	})
}

// knack reads parameters from bytes. Byte 0, and what is missing, leaves what
// was drawn.
type knack struct {
	bytes []byte
	n     int
}

// part is the next byte as a part of 1, and whether it says anything.
func (k *knack) part() (float64, bool) {
	at := k.n
	k.n++
	if at >= len(k.bytes) || k.bytes[at] == 0 {
		return 0, false
	}
	return float64(k.bytes[at]-1) / 254, true
}

func (k *knack) share(to *float64) {
	if x, ok := k.part(); ok {
		*to = x
	}
}

func (k *knack) int(to *int, lo, hi int) {
	if x, ok := k.part(); ok {
		*to = lo + int(x*float64(hi-lo))
	}
}

// span is on a scale on which seconds are as far apart as hours.
func (k *knack) span(to *time.Duration, lo, hi time.Duration) {
	if x, ok := k.part(); ok {
		*to = time.Duration(float64(lo) + x*x*x*float64(hi-lo))
	}
}

func (k *knack) cluster(c *world.Config) {
	k.span(&c.Cluster.SlotMin, 200*time.Millisecond, 600*time.Millisecond)
	k.span(&c.Cluster.SlotMax, 200*time.Millisecond, 600*time.Millisecond)
	if c.Cluster.SlotMax < c.Cluster.SlotMin {
		c.Cluster.SlotMax = c.Cluster.SlotMin
	}
	k.int(&c.Cluster.Age, 120, 171)
	k.int(&c.Cluster.FinalityMin, 20, 60)
	c.Cluster.FinalityMax = max(c.Cluster.FinalityMax, c.Cluster.FinalityMin)
	k.share(&c.Cluster.SkipRate)
	c.Cluster.SkipRate = min(c.Cluster.SkipRate, 0.5)
	k.share(&c.Cluster.ForkRate)
	k.share(&c.Cluster.ForkFails)
	k.share(&c.Landing.Loss)
	k.share(&c.Landing.Hold)
	k.share(&c.Landing.Late)
	k.int(&c.Landing.LateSpan, 1, 20)
}

func (k *knack) node(n *world.NodeConfig) {
	k.int(&n.Lag, 0, 150)
	k.int(&n.LagMax, 0, 150)
	k.int(&n.Jitter, 0, 8)
	k.share(&n.Fork)
	k.int(&n.Gaps.SnapshotEvery, 300, 5000)
	k.int(&n.Gaps.Keep, 40, 2000)
	k.share(&n.Gaps.HoleRate)
	k.int(&n.Gaps.ArchiveLag, 300, 4000)
	k.share(&n.NullErrors)
}

func (k *knack) people(p *plan) {
	k.span(&p.GapMin, time.Millisecond, time.Minute)
	k.span(&p.GapMax, time.Millisecond, 3*time.Hour)
	p.GapMax = max(p.GapMin, p.GapMax)
	k.span(&p.Rest, time.Second, 3*time.Hour)
	k.span(&p.DownMin, 500*time.Millisecond, 10*time.Minute)
	k.span(&p.Down, time.Second, 3*time.Hour)
	k.span(&p.Wrong, time.Second, 24*time.Hour)
	s := &p.Shares
	for _, to := range []*float64{
		&s.Old, &s.Quick, &s.BadLast, &s.Deaths, &s.Pauses, &s.Clocks, &s.Jumps, &s.Sets, &s.Nonces,
		&s.Processed, &s.Deadline, &s.Peek, &s.Sluggish, &s.Double,
	} {
		k.share(to)
	}
}
