package world

import (
	"slices"
	"testing"
	"time"
)

// TestMost: a proof can be had while enough endpoints can prove, whichever they are, and again when they can later.
func TestMost(t *testing.T) {
	s := func(from, until int64) stretch { return stretch{from: from, until: until, ok: true} }
	for _, c := range []struct {
		name      string
		need      int
		endpoints [][]stretch
		want      [][2]int64
	}{
		{"one", 1, [][]stretch{{s(5, 10)}}, [][2]int64{{5, 10}}},
		{"one that can twice", 1, [][]stretch{{s(5, 10), s(20, endless)}}, [][2]int64{{5, 10}, {20, endless}}},
		{"the second comes later", 2, [][]stretch{{s(5, 30)}, {s(8, endless)}}, [][2]int64{{8, 30}}},
		{"the second comes too late", 2, [][]stretch{{s(5, 8)}, {s(8, endless)}}, nil},
		{"the third takes over", 2, [][]stretch{{s(5, 9)}, {s(6, endless)}, {s(8, 20)}}, [][2]int64{{6, 20}}},
		{"the third comes later", 2, [][]stretch{{s(5, 9)}, {s(6, endless)}, {s(12, 20)}}, [][2]int64{{6, 9}, {12, 20}}},
		{"both can twice", 2, [][]stretch{{s(1, 9), s(20, 30)}, {s(4, 12), s(25, endless)}}, [][2]int64{{4, 9}, {25, 30}}},
		{"never together", 2, [][]stretch{{s(1, 9), s(20, 30)}, {s(9, 20)}}, nil},
	} {
		var got [][2]int64
		for _, one := range most(c.need, c.endpoints) {
			got = append(got, [2]int64{one.from, one.until})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestProofsOfArchive: while the status cache has the window there is a proof, then there is none, and when the
// archive has it there is one again. The oracle names both times whenever it is asked.
func TestProofsOfArchive(t *testing.T) {
	cfg := Config{Seed: 6, Nodes: []NodeConfig{{Gaps: Gaps{ArchiveLag: 900}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, told := c.blockhash("confirmed")
		s := signatureIn(payment(hash, from, Key{9}, 1))
		q := Question{Blockhash: hash}
		all := w.Proofs(w.Endpoints(), q)
		if len(all) != 2 || !all[0].OK || !all[1].OK {
			t.Fatalf("%+v", all)
		}
		cache, store := all[0], all[1]
		if cache.Reason != "within the status cache" || store.Reason != "from the store" || !store.Until.IsZero() ||
			store.From.Sub(cache.Until) < time.Minute {
			t.Fatalf("%+v", all)
		}
		last, _ := w.LastHeight(hash)
		w.enter()
		lastSlot := w.chain.atHeight(last).slot
		w.mu.Unlock()
		for _, at := range []struct {
			time.Time
			first Proof // that is not over
			can   bool
		}{
			{cache.From, cache, true},
			{cache.Until, store, false},
			{store.From, store, true},
		} {
			time.Sleep(time.Until(at.Time))
			if got := follow(w, c, s, hash, told.Context.Slot, lastSlot); got != at.can {
				t.Errorf("at %v: proven %v", at.Sub(w.started), got)
			}
			if p := w.ProofPossible(w.Endpoints(), q); p != at.first {
				t.Errorf("at %v: %+v", at.Sub(w.started), p)
			}
			if again := w.Proofs(w.Endpoints(), q); !slices.Equal(again, all) {
				t.Errorf("at %v: %+v", at.Sub(w.started), again)
			}
		}
	})
}

// TestProofsOfEmptyBlock: if a block of the window is empty in truth no store can show that it has the window, and
// only the status cache proves. Windows that end before it or begin after it are proven from the store too.
func TestProofsOfEmptyBlock(t *testing.T) {
	cfg := Config{Seed: 6, Cluster: Cluster{EmptyRate: 0.001}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		time.Sleep(10 * time.Minute)
		w.enter()
		c := w.chain
		empty := func(b bank) bool { count, _ := c.strangers(b.slot); return count == 0 }
		b := c.lastMain(c.slotAt(w.now()))
		for !empty(b) {
			b = c.parent(b)
		}
		first, last := b.height-uint64(w.ages.last(b.height)-b.height), b.height
		w.mu.Unlock()
		seen := map[bool]int{}
		for height := first - 20; height < last+20; height++ {
			w.enter()
			born := c.atHeight(height)
			high, within := c.atHeight(w.ages.last(height)+1), false
			for one := born; one.height <= high.height; one = c.atHeight(one.height + 1) {
				within = within || empty(one)
			}
			w.mu.Unlock()
			list := w.Proofs(w.Endpoints(), Question{Blockhash: c.blockhash(born.slot)})
			if len(list) != 1 || !list[0].OK || list[0].Until.IsZero() != !within {
				t.Fatalf("height %d, an empty block within %v: %+v", height, within, list)
			}
			seen[within]++
		}
		if seen[true] < 140 || seen[false] < 20 {
			t.Errorf("%v", seen)
		}
	})
}
