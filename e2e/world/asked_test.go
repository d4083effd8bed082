package world

import (
	"strings"
	"testing"
	"time"
)

// TestAsked asks the oracle for clients that live at different times, of a node
// that is 5 slots behind and prunes a block before the status cache forgets it.
// What the oracle says of each moment, the node says too.
func TestAsked(t *testing.T) {
	const call = 100 * time.Millisecond
	cfg := Config{
		Seed: 6, LatencyMin: call, LatencyMax: call,
		Nodes: []NodeConfig{{Lag: 5, Gaps: Gaps{Keep: 240}}, {}},
	}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		time.Sleep(time.Minute)
		hash, told := newClient(t, w, "rpc1").blockhash("processed")
		born, signed := told.Context.Slot, time.Now()
		w.enter()
		node, next := w.nodes[0], w.chain.lastMain(born+1).slot
		v := node.view(w.now())
		gone, _ := node.when(born, func(v *view) bool { return node.floor(v) > born })
		heard, _ := node.when(born, func(v *view) bool { return v.tip.slot >= born })
		w.mu.Unlock()
		if next != born+1 || v.tip.slot >= born {
			t.Fatalf("the blockhash is of slot %d, the next block of %d, the node is at %d", born, next, v.tip.slot)
		}
		pruned, fresh := w.started.Add(time.Duration(gone)).Sub(signed), w.started.Add(time.Duration(heard)).Sub(signed)
		const unseen, unwitnessed = "blockhash valid, or its block", "witness"
		for _, c := range []struct {
			name   string
			spans  []time.Duration // from, to, from, to
			reason string          // why there is no proof
		}{
			{"it asks nothing", nil, unseen},
			{"dies at once", []time.Duration{0, call - 1}, unseen},
			{"dies before its node hears of the blockhash", []time.Duration{0, time.Second}, unseen},
			{"lives for 5 seconds", []time.Duration{0, 5 * time.Second}, ""},
			{"lives as long as one call, when the node has heard", []time.Duration{3 * time.Second, 3*time.Second + call}, ""},
			{"and no longer than half a call", []time.Duration{3 * time.Second, 3*time.Second + call/2}, unseen},
			{"hears of it at processed", []time.Duration{fresh, fresh + call}, ""},
			{"comes back to the block", []time.Duration{0, 1, pruned - call, pruned}, ""},
			{"comes back to the next block", []time.Duration{0, 1, pruned, time.Hour}, unwitnessed},
			{"with a witness", []time.Duration{0, time.Second, pruned, time.Hour}, ""},
			{"comes back to neither", []time.Duration{0, time.Second, pruned + 400*time.Millisecond, time.Hour}, unseen},
		} {
			q := Question{Blockhash: hash, Asked: []Span{}}
			for i := 0; i < len(c.spans); i += 2 {
				q.Asked = append(q.Asked, Span{signed.Add(c.spans[i]), signed.Add(c.spans[i+1])})
			}
			p := w.ProofPossible(w.Endpoints()[:1], q)
			if p.OK != (c.reason == "") || !strings.Contains(p.Reason, c.reason) {
				t.Errorf("a client that %s: %+v", c.name, p)
			}
		}
		p := w.ProofPossible(w.Endpoints()[:1], Question{Blockhash: hash})
		if !p.OK || p.Takes < 10*time.Second || p.Takes > 20*time.Second {
			t.Errorf("a client that asks always: %+v", p)
		}

		c := newClient(t, w, "rpc0")
		asks := func(at time.Duration, valid bool, own, after int) {
			t.Helper()
			for _, slot := range []uint64{born, next} {
				time.Sleep(time.Until(signed.Add(at)))
				want := map[uint64]int{born: own, next: after}[slot]
				if got := c.code("getBlock", slot, object{"transactionDetails": "none"}); got != want {
					t.Errorf("%v after signing: getBlock of slot %d answers %d, want %d", at, slot, got, want)
				}
			}
			var seen struct{ Value bool }
			c.call(&seen, "isBlockhashValid", hash.String(), object{"commitment": "processed"})
			if seen.Value != valid {
				t.Errorf("%v after signing: valid %v", at, seen.Value)
			}
		}
		asks(800*time.Millisecond, false, codeBlock, codeBlock)
		asks(3*time.Second, true, codeBlock, codeBlock)
		asks(pruned-400*time.Millisecond, false, 0, 0)
		asks(pruned, false, codeCleanedUp, 0)
		asks(pruned+400*time.Millisecond, false, codeCleanedUp, codeCleanedUp)
	})
}

// TestLearnsFromHollow: blocks without their transactions tell where a window
// ends, and bear no witness.
func TestLearnsFromHollow(t *testing.T) {
	inBubble(t, Config{Seed: 6, Nodes: []NodeConfig{{Gaps: Gaps{Hollow: 1}}}}, func(t *testing.T, w *World) {
		time.Sleep(time.Minute)
		hash, _ := newClient(t, w, "rpc0").blockhash("finalized")
		w.enter()
		defer w.mu.Unlock()
		tx := &transaction{message: &message{blockhash: hash}}
		w.place(tx)
		now := Span{time.Now(), time.Now().Add(time.Second)}
		if l := w.learns(w.endpoints[0], tx, []Span{now}, endless); l.last != tx.last || l.low {
			t.Errorf("%+v", l)
		}
	})
}

// TestAskedByMethod: the front's node shows the blockhash, the archive has its
// block; each alone is asked for what it is asked for.
func TestAskedByMethod(t *testing.T) {
	cfg := Config{
		Seed:     6,
		Nodes:    []NodeConfig{{}, {Lag: 100}},
		Services: []EndpointConfig{{Nodes: []int{0, 1}, Balance: BalanceByMethod}, {Nodes: []int{1}}},
	}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		time.Sleep(time.Minute)
		hash, _ := newClient(t, w, "rpc0").blockhash("processed")
		q := Question{Blockhash: hash, Asked: []Span{{time.Now(), time.Now().Add(5 * time.Second)}}}
		if p := w.ProofPossible(w.Endpoints()[:1], q); !p.OK {
			t.Errorf("with a front: %+v", p)
		}
		if p := w.ProofPossible(w.Endpoints()[1:], q); p.OK {
			t.Errorf("with the archive alone, which lags by 40 s: %+v", p)
		}
	})
}
