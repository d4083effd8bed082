package world

import (
	"testing"
	"time"
)

// old returns finalized blocks of the chain's past that have transactions,
// with a signature of each.
func old(w *World, slots uint64) map[uint64]Signature {
	w.enter()
	defer w.mu.Unlock()
	final := w.chain.lastMain(w.chain.rooted(w.chain.slotAt(w.now()) - 1)).slot
	all := map[uint64]Signature{}
	for _, slot := range w.chain.blocks(bank{slot: final}, final-slots, final-60, nil) {
		if n, _ := w.chain.strangers(slot); n > 0 {
			all[slot] = w.chain.strangerSignature(slot, 0)
		}
	}
	return all
}

// TestHoles: a store with holes answers null, and says "skipped" of blocks
// that exist. Within the status cache it still knows the statuses.
func TestHoles(t *testing.T) {
	cfg := Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{HoleRate: 0.4, HoleSpan: 10}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		_, height := w.Finalized()
		nulls, skipped := 0, 0
		for slot, s := range old(w, 800) {
			h, _ := w.Height(slot)
			cached := h+300 > height
			st := c.statuses(s).Value[0]
			if cached && st == nil {
				t.Fatalf("null for a status in the cache, slot %d", slot)
			}
			code := c.code("getBlock", slot, object{"transactionDetails": "none"})
			if code != 0 && code != codeSkipped {
				t.Fatalf("getBlock: code %d", code)
			}
			if !cached && (st == nil) != (code == codeSkipped) {
				t.Fatalf("status %v, block's code %d", st, code)
			}
			if st == nil {
				nulls++
			}
			if code != 0 {
				skipped++
			}
		}
		if nulls == 0 || skipped <= nulls {
			t.Fatalf("%d nulls, %d blocks missing", nulls, skipped)
		}
	})
}

// TestPruned: what is older than the store is null, and its blocks are
// cleaned up.
func TestPruned(t *testing.T) {
	inBubble(t, Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{Keep: 400}}}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		final, _ := w.Finalized()
		var first uint64
		c.call(&first, "getFirstAvailableBlock")
		if first != final-400 {
			t.Fatalf("first block %d, final %d", first, final)
		}
		for slot, s := range old(w, 800) {
			known := c.statuses(s).Value[0] != nil
			code := c.code("getBlock", slot, object{"transactionDetails": "none"})
			if known != (slot >= first) || (code == codeCleanedUp) == known {
				t.Fatalf("slot %d of store from %d: known %t, code %d", slot, first, known, code)
			}
		}
	})
}

// TestSnapshot: a node that was restarted from a snapshot has no history
// before it, has its status cache whole, and is behind for a while.
func TestSnapshot(t *testing.T) {
	inBubble(t, Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{SnapshotEvery: 1000}}}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		floors := map[uint64]bool{}
		most, before, back := uint64(0), uint64(0), 0
		for range 1500 {
			time.Sleep(2 * time.Second)
			var slot, first uint64
			c.call(&slot, "getSlot", object{"commitment": "processed"})
			c.call(&first, "getFirstAvailableBlock")
			floors[first] = true
			tip, _ := w.Tip()
			most = max(most, tip-slot)
			if slot < before {
				back++
			}
			before = slot
		}
		if len(floors) < 5 || most < 50 || back != len(floors)-1 {
			t.Fatalf("%d floors, up to %d slots behind, %d steps back", len(floors), most, back)
		}
		var first uint64
		c.call(&first, "getFirstAvailableBlock")
		w.enter()
		final := w.nodes[0].view(w.now()).final
		w.mu.Unlock()
		for slot, s := range old(w, 1500) {
			h, _ := w.Height(slot)
			if slot > final.slot {
				continue
			}
			height := final.height
			if known := c.statuses(s).Value[0] != nil; known != (slot >= first || h+300 > height) {
				t.Fatalf("slot %d of store from %d: known %t", slot, first, known)
			}
		}
	})
}

// TestArchiveLags: what left the cache and has not reached the archive is
// null; getBlocks has the slots nonetheless.
func TestArchiveLags(t *testing.T) {
	inBubble(t, Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{ArchiveLag: 600}}}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		tip, _ := w.Tip()
		_, height := w.Finalized()
		for slot, s := range old(w, 1500) {
			h, _ := w.Height(slot)
			want := h+300 > height || slot+600 <= tip
			code := c.code("getBlock", slot, object{"transactionDetails": "none"})
			if known := c.statuses(s).Value[0] != nil; known != want || (code == codeStorageSkipped) == want {
				t.Fatalf("slot %d, tip %d: known %t, code %d", slot, tip, known, code)
			}
			var blocks []uint64
			c.call(&blocks, "getBlocks", slot, slot)
			if len(blocks) != 1 {
				t.Fatalf("getBlocks leaves out %d", slot)
			}
		}
	})
}

// TestNullErrors: errors of the store come as null, now and then.
func TestNullErrors(t *testing.T) {
	inBubble(t, Config{Seed: 3, Nodes: []NodeConfig{{NullErrors: 0.5}}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		_, height := w.Finalized()
		known, null := 0, 0
		for slot, s := range old(w, 800) {
			time.Sleep(time.Millisecond)
			st := c.statuses(s).Value[0]
			if h, _ := w.Height(slot); h+300 > height+20 && st == nil {
				t.Fatal("the status cache has errors")
			} else if h+300 > height {
				continue
			}
			if st != nil {
				known++
			} else {
				null++
			}
		}
		if known < null/2 || null < known/2 {
			t.Fatalf("%d known, %d null", known, null)
		}
	})
}

// TestLag: a node that lags says what it sees, and only its lag changes.
func TestLag(t *testing.T) {
	cfg := Config{Seed: 3, Nodes: []NodeConfig{{Lag: 10, LagMax: 150, Jitter: 5}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		n := w.nodes[0]
		before, least, most := uint64(0), uint64(1000), uint64(0)
		for at := int64(0); at < 3600e9; at += 4e8 {
			v := n.view(at)
			if v.newest < before || v.tip.slot > v.newest || v.final.slot > v.confirmed.slot {
				t.Fatalf("%+v after %d", v, before)
			}
			before = v.newest
			least, most = min(least, v.behind()), max(most, v.behind())
		}
		if least > 30 || most < 120 || most > 155 {
			t.Fatalf("lag from %d to %d", least, most)
		}
	})
}

// TestBlockErrors goes through the other reasons why there is no block.
func TestBlockErrors(t *testing.T) {
	inBubble(t, Config{Seed: 3, Cluster: Cluster{SkipRate: 0.3}}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		final, _ := w.Finalized()
		tip, _ := w.Tip()
		for slot := final - 100; slot <= final; slot++ {
			_, ok := w.Height(slot)
			if code := c.code("getBlock", slot, object{"transactionDetails": "none"}); ok != (code == 0) || !ok && code != codeSkipped {
				t.Fatalf("block %t, code %d", ok, code)
			}
		}
		if code := c.code("getBlock", tip); code != codeBlock {
			t.Errorf("the tip at finalized: code %d", code)
		}
		if code := c.code("getBlock", uint64(5)); code != codeCleanedUp {
			t.Errorf("an ancient block: code %d", code)
		}
		if code := c.code("getBlock", final, object{"commitment": "processed"}); code != codeParams {
			t.Errorf("at processed: code %d", code)
		}
		codes := map[int]int{}
		for range 400 {
			time.Sleep(400 * time.Millisecond)
			var slot uint64
			c.call(&slot, "getSlot", object{"commitment": "confirmed"})
			codes[c.code("getBlock", slot, object{"commitment": "confirmed", "transactionDetails": "none"})]++
		}
		if codes[0] == 0 || codes[codeNotYet] == 0 || len(codes) != 2 {
			t.Errorf("confirmed blocks: codes %v", codes)
		}
	})
}
