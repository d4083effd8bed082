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
