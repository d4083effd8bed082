package world_test

import (
	"maps"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestConservationStepwise: sets that are signed step by step, in sequences of 20. Between
// the steps the exchange, the node, the tables, the prices and the balances change.
func TestConservationStepwise(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	c := newConservation(t, *conservationSeed, map[string]int{})
	sequences := *conservationStepwise
	if underRace {
		sequences = max(1, sequences/4)
	}
	whole, between, steps, sets := 0, 0, 0, 0
	for range sequences {
		p := c.climbs(t, 20, nil)
		for _, d := range p.done {
			sets++
			steps += len(d.signed)
			switch {
			case d.landed == len(d.drawn.Unsigned.Transactions) && d.failed == 0 && d.landed > 1:
				whole++
			case d.landed > 0 && d.failed == 0 && d.landed < len(d.drawn.Unsigned.Transactions):
				between++
			}
		}
	}
	c.summary(t)
	t.Logf("step by step: sequences=%d sets=%d steps=%d whole=%d stopped between=%d failing simulations=%d "+
		"losses above the caps=%d arrivals missed=%d", sequences, sets, steps, whole, between, c.troubled,
		c.found[aboveCaps]+c.found[beyondReach]+c.found[signedOn], c.found[missed])
	require.Greater(t, whole, sequences, "next to no set came to its end")
	require.Greater(t, between, sequences, "next to none stopped between two steps")
	require.Greater(t, c.world.exchange.moved, sequences, "the exchange moved next to nothing")
	if sequences >= 100 { // an arrival is asked for in one of 50 sets
		require.Positive(t, c.arrivals, "nothing had to arrive")
	}
}

// TestConservationStepwiseKnockout: the property finds a guard that does not know what the
// executed steps have done. The seed is one that does so soon.
func TestConservationStepwiseKnockout(t *testing.T) {
	c := newConservation(t, 5, map[string]int{aboveCaps: 1 << 20, beyondReach: 1 << 20, signedOn: 1 << 20})
	for n := 0; c.found[signedOn] == 0; n++ {
		require.Less(t, n, 1000, "it finds nothing")
		c.climbs(t, 20, func(e *walletfi.Effects) { // but that the fee was paid, without which they are none
			e.Lamports, e.Tokens = []walletfi.LamportChange{{Account: e.FeePayer, Change: walletfi.Change{Before: 1 << 40, After: 1<<40 - e.Fee}}}, nil
		})
	}
}

// climbs carries out a sequence of sets, and reports what it finds. Change lies about what
// the executed steps have done.
func (c *conservation) climbs(t *testing.T, sets int, change func(*walletfi.Effects)) *round {
	t.Helper()
	p := &round{conservation: c, total: map[string]int64{}, most: map[string]uint64{}, trace: func(string, ...any) {}}
	defer c.world.reset()
	var all []finding
	var acts []*act
	for policy := c.r.IntN(len(c.policy)); len(p.done) < sets; {
		a := c.draw(policy)
		a.sight, a.faults = alone, ""
		acts = append(acts, a)
		total, pending, was, undo := maps.Clone(p.total), slices.Clone(p.pending), c.world.was, c.world.trial()
		climb := p.climb(len(acts)-1, a, change)
		if climb == nil {
			undo()
			continue
		}
		p.done = append(p.done, climb.done)
		all = append(all, climb.found...)
		if climb.deceived { // has a bound of its own, over the set alone
			undo()
			p.total, p.pending = total, pending
			continue
		}
		maps.Copy(c.world.was, was)
		p.late(climb.r)
	}
	for _, d := range p.done {
		all = append(all, d.judge(p.lent)...)
		for mint, n := range d.most() {
			p.most[mint] += n
		}
	}
	all = append(all, p.inAll(all)...)
	c.count(p)
	for _, f := range all {
		c.found[f.kind]++
		if c.found[f.kind] == c.known[f.kind]+1 {
			t.Errorf("set %d of seed %d: %s: %s", c.signed, *conservationSeed, f.kind, f.why)
		}
	}
	c.refusals(t, acts, p.refused)
	return p
}
