package world

import (
	"testing"
	"time"
)

// TestBundle: all of a bundle executes in one block, in order, or none of it.
func TestBundle(t *testing.T) {
	inBubble(t, Config{Seed: 1, Cluster: wildCluster()}, func(t *testing.T, w *World) {
		a, b := newSigner(1), newSigner(2)
		w.Fund(a.key, sol)
		c := newClient(t, w, "rpc0")
		hash, _ := c.blockhash("finalized")
		// The second can pay only with what the first sends.
		good := [][]byte{payment(hash, a, b.key, 300_000), payment(hash, b, Key{9}, 200_000)}
		if err := w.LeakBundle(good); err != nil {
			t.Fatal(err)
		}
		bad := [][]byte{payment(hash, a, b.key, 1), payment(hash, b, Key{9}, 2*sol)}
		if err := w.LeakBundle(bad); err != nil {
			t.Fatal(err)
		}
		if w.LeakBundle(nil) == nil || w.LeakBundle([][]byte{bad[0], bad[0]}) == nil {
			t.Error("an odd bundle was taken")
		}
		first, second := signatureIn(good[0]), signatureIn(good[1])
		if !w.Pending(first) || !w.Pending(second) || w.Pending(Signature{1}) {
			t.Error("Pending")
		}
		time.Sleep(10 * time.Second)
		done := w.Executions()
		if len(done) != 2 || done[0].Signature != first || done[1].Signature != second || done[0].Slot != done[1].Slot {
			t.Fatalf("%+v", done)
		}
		if w.Pending(first) || !w.Pending(signatureIn(bad[0])) {
			t.Error("Pending")
		}
		time.Sleep(5 * time.Minute)
		if w.Pending(signatureIn(bad[0])) || len(w.Executions()) != 2 || len(w.agenda) != 0 {
			t.Errorf("a bad bundle lives on, %d executed", len(w.Executions()))
		}
	})
}

// TestConfirmedOnFork compares what the court says was called confirmed on a
// fork with what the node there said.
func TestConfirmedOnFork(t *testing.T) {
	cfg := Config{Seed: 8, Nodes: []NodeConfig{{Fork: 0.7}}}
	cfg.Cluster = Cluster{ForkRate: 1, ForkLen: 30, ForkConfirmed: 0.5}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		c := newClient(t, w, "rpc0")
		seen := map[bool]int{}
		for i := range uint64(80) {
			hash, _ := c.blockhash("finalized")
			s := c.send(payment(hash, from, Key{9}, i+1))
			said := map[uint64]bool{}
			for range 70 {
				time.Sleep(400 * time.Millisecond)
				if got := c.statuses(s).Value[0]; got != nil && got.ConfirmationStatus == "confirmed" {
					said[got.Slot] = true
				}
			}
			for _, u := range w.Undone(s) {
				if u.Confirmed != said[u.Slot] {
					t.Fatalf("%+v, said confirmed in %v", u, said)
				}
				seen[u.Confirmed]++
			}
			if e, ok := w.Executed(s); ok && !e.Confirmed {
				t.Fatalf("%+v is not confirmed", e)
			}
		}
		if seen[true] == 0 || seen[false] == 0 {
			t.Fatalf("%v", seen)
		}
	})
}
