package world

import (
	"testing"
	"time"
)

// signatures reads the signatures of a finalized block.
func (c *client) signatures(slot uint64) []Signature {
	c.t.Helper()
	var b struct{ Signatures []string }
	c.call(&b, "getBlock", slot, object{"transactionDetails": "signatures", "rewards": false})
	var out []Signature
	for _, text := range b.Signatures {
		s, err := ParseSignature(text)
		if err != nil {
			c.t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// TestNullOutsideCache: without history a status is known for 300 rooted
// blocks, and null after that; with history it comes from the store.
func TestNullOutsideCache(t *testing.T) {
	inBubble(t, Config{Seed: 4, Cluster: Cluster{SkipRate: 0.1}}, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("confirmed")
		s := c.send(payment(hash, from, Key{9}, 1))
		time.Sleep(time.Minute)
		e, _ := w.Executed(s)
		recentOnly := func() *status {
			var got statuses
			c.call(&got, "getSignatureStatuses", []string{s.String()})
			return got.Value[0]
		}
		w.enter()
		v := w.nodes[0].view(w.now())
		w.mu.Unlock()
		left := e.Height + 300 - v.final.height
		for range left + 40 {
			w.enter()
			final := w.nodes[0].view(w.now()).final.height
			w.mu.Unlock()
			if got, want := recentOnly() != nil, final < e.Height+300; got != want {
				t.Fatalf("known is %t with %d rooted blocks above", got, final-e.Height)
			}
			time.Sleep(400 * time.Millisecond)
		}
		if got := c.statuses(s).Value[0]; got == nil || got.ConfirmationStatus != "finalized" || got.Slot != e.Slot {
			t.Fatalf("with history: %+v", got)
		}
	})
}

// TestStatusLevels follows one transaction from processed to finalized.
func TestStatusLevels(t *testing.T) {
	inBubble(t, Config{Seed: 4}, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("confirmed")
		s := c.send(payment(hash, from, Key{9}, 1))
		var levels []string
		for range 45 {
			got := c.statuses(s)
			level := "null"
			if st := got.Value[0]; st != nil {
				level = st.ConfirmationStatus
				if (st.Confirmations == nil) != (level == "finalized") || st.Slot > got.Context.Slot {
					t.Fatalf("%+v at %d", st, got.Context.Slot)
				}
			}
			if len(levels) == 0 || levels[len(levels)-1] != level {
				levels = append(levels, level)
			}
			time.Sleep(400 * time.Millisecond)
		}
		want := []string{"null", "processed", "confirmed", "finalized"}
		if len(levels) != len(want) {
			t.Fatalf("levels %v", levels)
		}
		for i := range want {
			if levels[i] != want[i] {
				t.Fatalf("levels %v", levels)
			}
		}
	})
}

// TestWitnesses reads strangers' signatures from finalized blocks and asks for
// them, 256 at a time: each is finalized at its own slot.
func TestWitnesses(t *testing.T) {
	inBubble(t, Config{Seed: 6, Cluster: wildCluster()}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		final, _ := w.Finalized()
		var blocks []uint64
		c.call(&blocks, "getBlocks", final-200, final)
		var all []Signature
		at := map[Signature]uint64{}
		for _, slot := range blocks {
			for _, s := range c.signatures(slot) {
				all = append(all, s)
				at[s] = slot
			}
		}
		if len(all) <= mostStatuses {
			t.Fatalf("only %d strangers", len(all))
		}
		if got := c.code("getSignatureStatuses", texts(all[:mostStatuses+1])); got != codeParams {
			t.Errorf("257 signatures: code %d", got)
		}
		all = all[:mostStatuses]
		failing := 0
		for i, st := range c.statuses(all...).Value {
			if st == nil || st.ConfirmationStatus != "finalized" || st.Slot != at[all[i]] {
				t.Fatalf("witness of slot %d: %+v", at[all[i]], st)
			}
			if st.Err != nil {
				failing++
			}
		}
		if failing == 0 {
			t.Error("no stranger failed")
		}
	})
}

// TestContextSlot: the context slot of statuses is that of the processed bank
// of the node that answers, which may be on a fork.
func TestContextSlot(t *testing.T) {
	cfg := Config{Seed: 6, Cluster: Cluster{ForkRate: 1, ForkLen: 40}, Nodes: []NodeConfig{{Fork: 1}, {Lag: 7}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		forked, behind := newClient(t, w, "rpc0"), newClient(t, w, "rpc1")
		left := 0
		for range 200 {
			time.Sleep(400 * time.Millisecond)
			var slot uint64
			forked.call(&slot, "getSlot", object{"commitment": "processed"})
			at := forked.statuses(Signature{1}).Context.Slot
			if at != slot {
				t.Fatalf("context slot %d, processed slot %d", at, slot)
			}
			if _, ok := w.Height(at); !ok {
				left++
			}
			tip, _ := w.Tip()
			if at := behind.statuses(Signature{1}).Context.Slot; at+7 > tip+40 || at > tip {
				t.Fatalf("context slot %d of the one behind, tip %d", at, tip)
			}
		}
		if left == 0 {
			t.Fatal("no context slot was on a fork")
		}
	})
}

// TestHistoryOff: a node without history answers -32011, or null.
func TestHistoryOff(t *testing.T) {
	cfg := Config{Seed: 1, Nodes: []NodeConfig{{NoHistory: HistoryError}, {NoHistory: HistoryNull}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		list := []string{Signature{1}.String()}
		search := object{"searchTransactionHistory": true}
		for method, params := range map[string][]any{
			"getSignatureStatuses":    {list, search},
			"getTransaction":          {list[0]},
			"getBlock":                {1},
			"getSignaturesForAddress": {Key{1}.String()},
		} {
			if got := c.code(method, params...); got != codeNoHistory {
				t.Errorf("%s: code %d", method, got)
			}
		}
		var got statuses
		c.call(&got, "getSignatureStatuses", list)
		if c := newClient(t, w, "rpc1"); c.statuses(Signature{1}).Value[0] != nil {
			t.Error("a status of nothing")
		}
	})
}
