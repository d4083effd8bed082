package paid

import (
	"slices"
	"strings"
	"testing"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestShrinker gives the shrinker a fault that hangs on one key, on one share
// and on the lag of a node.
func TestShrinker(t *testing.T) {
	m, _ := modeOf("mixed")
	p := m.draw(3, 20)
	p.World.Nodes = []world.NodeConfig{{Lag: 30}, {}}
	p.Shares.Deaths, p.Shares.Sets = 0.5, 0.5
	before := p.clone()
	s := &shrinker{loses: func(p plan) bool {
		return slices.Contains(p.Keys, 7) && p.Shares.Deaths > 0 && p.World.Nodes[0].Lag > 0
	}}
	small := s.shrink(p)
	if !slices.Equal(small.Keys, []int{7}) {
		t.Errorf("keys %v are left, and 7 alone is to blame", small.Keys)
	}
	var left []string
	for _, k := range small.knobs() {
		left = append(left, k.name)
	}
	slices.Sort(left)
	want := []string{"Deaths", "world: node 0", "world: nodes Lag"}
	if !slices.Equal(left, want) {
		t.Errorf("%q is on, want %q", left, want)
	}
	if len(p.Keys) != len(before.Keys) || p.Shares != before.Shares || p.World.Nodes[0].Lag != 30 {
		t.Error("shrinking changed what it was given")
	}
	if s.plays == 0 || s.plays > mostPlays {
		t.Errorf("%d runs were played", s.plays)
	}
}

// TestShrinkerKeepsWhatLoses gives it a fault that hangs on everything.
func TestShrinkerKeepsWhatLoses(t *testing.T) {
	m, _ := modeOf("mixed")
	p := m.draw(4, 9)
	knobs := len(p.knobs())
	s := &shrinker{loses: func(q plan) bool { return len(q.Keys) == 9 && len(q.knobs()) == knobs }}
	small := s.shrink(p)
	if len(small.Keys) != 9 || len(small.knobs()) != knobs {
		t.Errorf("%d keys and %d of %d knobs are left of a fault that needs all", len(small.Keys), len(small.knobs()), knobs)
	}
}

// TestStory shrinks the run of a wallet that pays whatever it is asked, and
// reads its story.
func TestStory(t *testing.T) {
	p := perfect(12)
	p.Shares.Again, p.Shares.Clocks, p.Shares.Sluggish = 1, 0.5, 0.5
	p.World.Cluster.SkipRate = 0.05
	p.Hire = broken(func(p payer) payer { return &forgetful{payer: p} })
	small, lost, story := shrink(t, p, "twice")
	if len(small.Keys) != 1 || len(small.knobs()) != 1 {
		t.Errorf("keys %v and %d knobs are left", small.Keys, len(small.knobs()))
	}
	if len(lost) == 0 {
		t.Fatal("the shrunk run loses nothing")
	}
	text := tell(p, small, lost, story)
	for _, part := range []string{
		"signed: key", "getLatestBlockhash", "sendTransaction", "Execute of key", "is confirmed", "succeeded",
		"LOSS: twice", "on: Again;",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the story does not say %q:\n%s", part, text)
		}
	}
}

var _ payer = (*wallet.Wallet)(nil)
