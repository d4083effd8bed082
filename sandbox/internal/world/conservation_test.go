package world_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// The long mode: go test -run Conservation ./sandbox/internal/world -timeout 0 -conservation.sets 1000000
// -conservation.sequences 1000 -conservation.stepwise 1000
var (
	conservationSets      = flag.Int("conservation.sets", 1000, "how many signed sets TestConservation carries out; CI: 5000")
	conservationSequences = flag.Int("conservation.sequences", 20, "how many sequences of 20 signed sets it carries out; CI: 100")
	conservationStepwise  = flag.Int("conservation.stepwise", 20, "how many sequences of 20 sets that are signed step by step; CI: 100")
	conservationSeed      = flag.Uint64("conservation.seed", 1, "the seed of TestConservation's draws")
	conservationTime      = flag.Duration("conservation.time", time.Hour, "when TestConservation stops at the latest")
)

// conservation is a run: what was drawn, and what became of it.
type conservation struct {
	*mutations
	world   *conservedWorld
	grammar *corpus.Grammar
	policy  []corpus.Policy
	listed  []solana.PublicKey         // accounts of the owner's that no derivation finds
	guards  map[sight][]*signing.Guard // by policy
	benign  []*act                     // honest sets and spoiled ones, under guards of their own
	node    *node
	key     *signing.LocalKey
	r       *rand.Rand

	signed, refused, landed, failed, costly, troubled, arrivals int

	// Findings by kind, how many of them are known, and findings by kind and cause.
	found, known, why map[string]int
}

// newConservation readies a run.
func newConservation(t *testing.T, seed uint64, known map[string]int) *conservation {
	t.Helper()
	m := newMutations(t)
	c := &conservation{mutations: m, grammar: corpus.NewGrammar(m.config), r: rand.New(rand.NewPCG(seed, 0x636f6e73))}
	c.world, c.key = m.conserved(c.grammar), ownerKey(t)
	c.found, c.known, c.why = map[string]int{}, known, map[string]int{}
	c.node, c.policy, c.guards = &node{world: c.world}, c.grammar.Policies(), map[sight][]*signing.Guard{}
	for _, s := range sights {
		for _, p := range c.policy {
			c.guards[s] = append(c.guards[s], c.guard(p, s))
		}
	}
	for _, a := range corpus.NewLedger(m.config).Accounts {
		if solana.PublicKey(a.Owner) == m.owner {
			c.listed = append(c.listed, a.Address)
		}
	}
	for _, b := range corpus.Benigns(m.config) {
		if b.Rule != "too.complex" {
			c.benign = append(c.benign, c.shape(b.Case), c.shape(b.Spoiled))
		}
	}
	return c
}

func (c *conservation) shape(k corpus.Case) *act {
	a := &act{drawn: k, guards: map[sight]*signing.Guard{}}
	for _, s := range sights {
		a.guards[s] = c.guard(k.Policy, s)
	}
	return a
}

// guard is a guard of a policy that sees what it may.
func (c *conservation) guard(p corpus.Policy, s sight) *signing.Guard {
	p.Simulations = nil
	policy := hold.Policy(corpus.Case{Policy: p})
	switch s {
	case ordered, allowed:
		policy.Simulator = orderedNode{c.node}
	case alone:
		policy.Simulator = c.node
	}
	if !s.blind() {
		policy.AllowBlind = nil
	}
	return signing.NewGuard(policy)
}

// TestConservation draws random sets from a grammar of all supported
// instructions, carries out on a ledger what the guard lets pass, and holds the
// owner's losses against the intent's caps and against the guard's own report.
// Pinned programs move only what the bytes authorise them to.
func TestConservation(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, knownOfBytes)
	c.sets(t, *conservationSets, func(a *act) { a.sight, a.temper, a.moods = none, idle, nil })
	require.Greater(t, c.landed, c.signed/2, "next to nothing was carried out")
	require.Greater(t, c.costly, c.signed/10, "next to nothing cost anything")
	t.Logf("signed sets=%d losses above caps=%d", c.signed, c.found[aboveCaps])
}

// TestConservationSimulated: pinned programs do anything, and the guard's node
// fails, stalls, errs or lies when it is asked to simulate.
func TestConservationSimulated(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, knownOfSets)
	c.sets(t, *conservationSets, nil)
	t.Logf("signed sets=%d failing simulations=%d losses above the caps=%d arrivals missed=%d",
		c.signed, c.troubled, c.found[aboveCaps]+c.found[beyondReach], c.found[missed])
	require.Greater(t, c.world.exchange.moved, c.signed/40, "the exchange moved next to nothing")
}

// TestConservationSequences: what single sets leave behind costs nothing later.
func TestConservationSequences(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, knownOfSequences)
	sequences := *conservationSequences
	if underRace {
		sequences = max(1, sequences/4)
	}
	for range sequences {
		var acts []*act
		policy, n := c.r.IntN(len(c.policy)), 0
		for n < 20 {
			a := c.draw(policy)
			if a.deceives() || a.sight.blind() {
				continue // have a bound of their own, over the set alone
			}
			if p, _ := c.perform([]*act{a}, nil); len(p.done) > 0 {
				n++
			}
			acts = append(acts, a)
		}
		c.act(t, acts)
	}
	c.summary(t)
	t.Logf("sequences=%d failing simulations=%d losses above the caps=%d arrivals missed=%d",
		sequences, c.troubled, c.found[aboveCaps], c.found[missed])
}

// sets carries out single sets.
func (c *conservation) sets(t *testing.T, sets int, change func(*act)) {
	t.Helper()
	if underRace {
		sets /= 4
	}
	end := time.Now().Add(*conservationTime)
	for c.signed < sets && (c.signed%1000 > 0 || time.Now().Before(end)) {
		a := c.draw(c.r.IntN(len(c.policy)))
		if change != nil {
			change(a)
		}
		c.act(t, []*act{a})
	}
	c.summary(t)
}

func (c *conservation) summary(t *testing.T) {
	t.Helper()
	t.Logf("seed %d: %d refused, %d transactions landed, %d failed, %d sets cost the owner something",
		*conservationSeed, c.refused, c.landed, c.failed, c.costly)
	t.Logf("%d failing simulations, %d arrivals asked for", c.troubled, c.arrivals)
	for _, why := range slices.Sorted(maps.Keys(c.why)) {
		t.Logf("%6d %s", c.why[why], why)
	}
	for kind, most := range c.known {
		if n := c.found[kind]; n < most {
			t.Logf("%s: %d are known, and %d were found", kind, most, n)
		}
	}
}

// act carries out a play, counts it, and reports what it finds: the first of a
// kind as small as it gets.
func (c *conservation) act(t *testing.T, acts []*act) {
	t.Helper()
	p, findings := c.perform(acts, nil)
	c.count(p)
	for _, f := range findings {
		why := f.kind + ", " + cause(acts[f.set])
		c.found[f.kind]++
		c.why[why]++
		if c.why[why] == 1 && c.found[f.kind] > c.known[f.kind] {
			small := c.shrink(acts, f.kind, cause(acts[f.set]))
			t.Errorf("set %d of seed %d: %s: %s\n%s", c.signed, *conservationSeed, why, f.why, c.told(small))
		}
	}
	c.refusals(t, acts, p.refused)
}

// count adds up what became of the sets of a play.
func (c *conservation) count(p *round) {
	c.refused += len(p.refused)
	c.signed += len(p.done)
	for _, d := range p.done {
		c.landed, c.failed = c.landed+d.landed, c.failed+d.failed
		if d.arrived && len(d.drawn.Unsigned.Intent.Receive) > 0 {
			c.arrivals++
		}
		for _, n := range d.net {
			if n < 0 {
				c.costly++
				break
			}
		}
	}
}

// refusals: a guard says what would have passed, and errs only with its node.
func (c *conservation) refusals(t *testing.T, acts []*act, all []error) {
	t.Helper()
	for _, err := range all {
		refusal, ok := errors.AsType[*signing.GuardError](err)
		if ok {
			require.NotEmpty(t, refusal.Allowed, "what would have passed")
		}
		require.True(t, ok || slices.ContainsFunc(acts, func(a *act) bool { return a.moods != nil }), "%v", err)
	}
}

// cause names what is odd about an act.
func cause(a *act) string {
	if a.sight == bare || a.sight.blind() {
		return "the guard " + string(a.sight)
	}
	for _, m := range a.moods {
		if m != honest && m != lies {
			return "the node " + string(m)
		}
	}
	switch {
	case a.temper == primed:
		return "a transaction acts on what an earlier one did"
	case a.deceives():
		return "it simulates well and does otherwise"
	}
	return "all are as they seem"
}
