package world

import (
	"testing"
	"time"
)

// TestSignedAgain sends one message under several signatures: one of them
// executes, the others are never heard of, and none is dead.
func TestSignedAgain(t *testing.T) {
	cfg := Config{Seed: 3, SkipVerify: true, Landing: Landing{DelayMax: 4, Hold: 0.5}}
	cfg.Cluster = Cluster{ForkRate: 1, ForkLen: 20, ForkLost: 0.3}
	cfg.Nodes = []NodeConfig{{}, {Fork: 1}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		c, other := newClient(t, w, "rpc0"), newClient(t, w, "rpc1")
		second := 0
		for i := range uint64(40) {
			hash, _ := c.blockhash("confirmed")
			raw := payment(hash, from, Key{9}, i+1)
			var all []Signature
			for j := range byte(3) {
				raw[2] = j
				all = append(all, Signature(raw[1:65]))
				c.send(raw)
				other.send(raw)
			}
			time.Sleep(40 * time.Second)
			found := 0
			for j, s := range c.statuses(all...).Value {
				e, ok := w.Executed(all[j])
				if s == nil {
					continue
				}
				found++
				if !ok || e.Signature != all[j] || e.Slot != s.Slot || w.Dead(all[j]) {
					t.Fatalf("%s is in slot %d; executed %+v", all[j], s.Slot, e)
				}
				second += min(j, 1)
			}
			if found != 1 {
				t.Fatalf("message %d executed %d times", i, found)
			}
		}
		if second == 0 {
			t.Fatal("it was always the first")
		}
		if got := w.Balance(Key{9}); got != 40*41/2 {
			t.Fatalf("%d lamports arrived", got)
		}
	})
}
