package world

import (
	"testing"
	"time"
)

// holed finds the next block from a slot on that does, or does not, lie in a hole of the node's store.
func holed(n *Node, slot uint64, in bool) bank {
	v := n.view(n.w.now())
	b := n.w.chain.lastMain(slot)
	for b.slot < slot || (n.lacks(&v, b.slot) == hole) != in {
		b = n.w.chain.atHeight(b.height + 1)
	}
	return b
}

// TestEndWithoutHeader: a client of a node whose store lacks the blockhash's block knows of the window's end
// only that the blockhash was valid at some bank. One that asks 20 slots later must wait 20 slots longer. With
// the block it makes no difference.
func TestEndWithoutHeader(t *testing.T) {
	for name, lacking := range map[string]bool{"in a hole": true, "readable": false} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Seed: 6, Nodes: []NodeConfig{{Gaps: Gaps{HoleRate: 0.2, HoleSpan: 4}}}}
			inBubble(t, cfg, func(t *testing.T, w *World) {
				w.enter()
				c, n := w.chain, w.nodes[0]
				b := holed(n, c.slotAt(w.now())+40, lacking)
				heard, _ := n.when(b.slot, func(v *view) bool { return v.confirmed.slot >= b.slot })
				wait := w.started.Add(time.Duration(heard))
				later := time.Duration(c.begins(b.slot+20) - c.begins(b.slot))
				w.mu.Unlock()
				time.Sleep(time.Until(wait))
				ask := func(after time.Duration) Proof {
					return w.ProofPossible(w.Endpoints(), Question{
						Blockhash: c.blockhash(b.slot), Asked: []Span{{wait.Add(after), wait.Add(5 * time.Minute)}},
					})
				}
				soon, late := ask(0), ask(later)
				if !soon.OK || !late.OK {
					t.Fatalf("%+v, %+v", soon, late)
				}
				more := late.From.Sub(soon.From)
				if lacking && (more < later/2 || more > 2*later) || !lacking && more != 0 {
					t.Errorf("who asks %v later can prove it %v later", later, more)
				}
			})
		})
	}
}

// TestFirstLookTakesWitness: the first of two looks cannot be had before a block above the window
// can be read.
func TestFirstLookTakesWitness(t *testing.T) {
	cfg := Config{Seed: 6, Nodes: []NodeConfig{{Gaps: Gaps{HoleRate: 0.5, HoleSpan: 24}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		w.enter()
		c, n := w.chain, w.nodes[0]
		v := n.view(w.now())
		b := holed(n, v.final.slot-100, false)
		for n.lacks(&v, c.atHeight(w.ages.last(b.height)+1).slot) != hole {
			b = holed(n, b.slot+1, false)
		}
		high := c.atHeight(w.ages.last(b.height) + 1)
		for !n.speaks(&v, high) {
			high = c.atHeight(high.height + 1)
		}
		w.mu.Unlock()
		if high.slot <= v.final.slot {
			t.Fatalf("slot %d is final", high.slot)
		}
		p := w.ProofPossible(w.Endpoints(), Question{Blockhash: c.blockhash(b.slot)})
		if p.From.IsZero() || p.Takes <= 0 {
			t.Fatalf("%+v", p)
		}
		w.enter()
		defer w.mu.Unlock()
		first := n.view(int64(p.From.Add(-p.Takes).Sub(w.started)))
		if first.final.slot < high.slot {
			t.Errorf("the first look is had at slot %d, and no block can be read above the window but from %d on",
				first.final.slot, high.slot)
		}
	})
}

// TestSecondLookTakesHead: the second of two looks at a node that is asked alone cannot be had before a block
// a finality above the first can be read, which shows its head; two endpoints that agree need no such thing.
func TestSecondLookTakesHead(t *testing.T) {
	gaps := Gaps{HoleRate: 0.3, HoleSpan: 60}
	cfg := Config{
		Seed: 6, Nodes: []NodeConfig{{Gaps: gaps}, {Gaps: gaps}},
		Services: []EndpointConfig{{Nodes: []int{0}}, {Nodes: []int{0}}},
	}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		time.Sleep(3 * time.Minute)
		w.enter()
		c, n := w.chain, w.nodes[0]
		v := n.view(w.now())
		w.mu.Unlock()
		shown, later := 0, 0
		for b := v.final; b.slot > v.final.slot-1500; b = c.parent(b) {
			q := Question{Blockhash: c.blockhash(b.slot)}
			p, both := w.ProofPossible(w.Endpoints()[:1], q), w.ProofPossible(w.Endpoints(), q)
			if !p.OK || !both.OK || p.Reason != both.Reason {
				continue
			}
			w.enter()
			first := n.view(int64(p.From.Add(-p.Takes).Sub(w.started)))
			second := n.view(int64(p.From.Sub(w.started)))
			head := second.final
			for !n.header(&second, head) {
				head = c.parent(head)
			}
			w.mu.Unlock()
			if again := first.final.slot + uint64(c.cfg.FinalityMax); head.slot < again {
				t.Errorf("the second look is had at head %d, not from %d on", head.slot, again)
			}
			shown++
			if p.From.After(both.From) {
				later++
			}
		}
		if shown < 20 || later == 0 || later == shown {
			t.Errorf("of %d proofs %d had to wait for a head", shown, later)
		}
	})
}
