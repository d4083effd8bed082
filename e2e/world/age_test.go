package world

import (
	"testing"
	"time"
)

// TestAges compares last with what blocks accept one by one, across switches
// of the age in both directions.
func TestAges(t *testing.T) {
	for _, cfg := range []Cluster{
		{Age: 151}, {Age: 121, AgeLater: 171, AgeSwitch: 300}, {Age: 171, AgeLater: 121, AgeSwitch: 300},
		{Age: 151, AgeLater: 152, AgeSwitch: 200}, {Age: 151, AgeLater: 150, AgeSwitch: 200},
	} {
		a := newAges(cfg, 1000)
		for hash := uint64(900); hash < 1600; hash++ {
			last := uint64(0)
			for height := hash; height < hash+400; height++ {
				if !a.accepts(hash, height) {
					continue
				}
				if last != 0 && height != last+1 {
					t.Fatalf("%+v: hash %d dies at %d and lives at %d", cfg, hash, last, height)
				}
				last = height
			}
			if a.last(hash) != last {
				t.Fatalf("%+v: last(%d) is %d, want %d", cfg, hash, a.last(hash), last)
			}
		}
	}
}

// TestLastLandingHeight sends at every height around the end of a blockhash's
// life: it executes in the block of height(B)+151 and never later, while
// lastValidBlockHeight says 150.
func TestLastLandingHeight(t *testing.T) {
	for _, age := range []int{0, 121, 171} {
		inBubble(t, Config{Seed: 7, Cluster: Cluster{SkipRate: 0.1, Age: age}}, func(t *testing.T, w *World) {
			from := newSigner(1)
			w.Fund(from.key, 100*sol)
			c := newClient(t, w, "rpc0")
			time.Sleep(time.Minute)
			hash, told := c.blockhash("confirmed")
			height, _ := w.Height(told.Context.Slot)
			lives := uint64(defaults(Cluster{Age: age}).Age)
			if told.Value.LastValidBlockHeight != height+lives-1 {
				t.Fatalf("told %d at height %d", told.Value.LastValidBlockHeight, height)
			}
			if last, ok := w.LastHeight(hash); !ok || last != height+lives {
				t.Fatalf("last height %d, want %d", last, height+lives)
			}
			sent := map[uint64]Signature{}
			for n := lives - 2; n < lives+3; n++ {
				sleepToHeight(w, height+n)
				sent[n] = c.send(payment(hash, from, Key{9}, n))
				if dead := w.Dead(sent[n]); dead != (n >= lives) {
					t.Errorf("at %d: dead is %t", n, dead)
				}
			}
			time.Sleep(time.Minute)
			for n, s := range sent {
				e, ok := w.Executed(s)
				if ok != (n < lives) || ok && e.Height != height+n+1 {
					t.Errorf("sent at %d: executed %t at %d", n, ok, e.Height-height)
				}
			}
		})
	}
}

// TestLatestPossibleBlock makes all transactions late: each executes in the
// very last block that can take it.
func TestLatestPossibleBlock(t *testing.T) {
	cfg := Config{Seed: 3, Cluster: wildCluster(), Landing: Landing{Late: 1}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 100*sol)
		c := newClient(t, w, "rpc0")
		for i := range uint64(5) {
			hash, _ := c.blockhash("finalized")
			s := c.send(payment(hash, from, Key{9}, i+1))
			last, _ := w.LastHeight(hash)
			sleepToHeight(w, last-1)
			if w.Dead(s) {
				t.Fatal("dead before its last block")
			}
			sleepToHeight(w, last)
			if e, ok := w.Executed(s); !ok || e.Height != last {
				t.Fatalf("executed %t at %d, want %d", ok, e.Height, last)
			}
		}
	})
}

// TestInvalidForNodeBehind: a node that has not heard of a blockhash says
// invalid, as one does for which it is too old; and refuses a slot that it
// has not reached.
func TestInvalidForNodeBehind(t *testing.T) {
	cfg := Config{Seed: 2, Nodes: []NodeConfig{{}, {Lag: 60}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		fresh, behind := newClient(t, w, "rpc0"), newClient(t, w, "rpc1")
		hash, told := fresh.blockhash("confirmed")
		valid := func(c *client, level string) bool {
			var v struct{ Value bool }
			c.call(&v, "isBlockhashValid", hash.String(), object{"commitment": level})
			return v.Value
		}
		if !valid(fresh, "processed") || valid(fresh, "finalized") || valid(behind, "processed") {
			t.Fatal("a fresh blockhash is valid at confirmed where it was heard of, and not else")
		}
		least := object{"commitment": "processed", "minContextSlot": told.Context.Slot}
		if got := behind.code("isBlockhashValid", hash.String(), least); got != codeContext {
			t.Fatalf("code %d", got)
		}
		time.Sleep(30 * time.Second)
		if !valid(fresh, "finalized") || !valid(behind, "processed") {
			t.Fatal("still invalid")
		}
		time.Sleep(2 * time.Minute)
		if valid(fresh, "finalized") || valid(behind, "processed") {
			t.Fatal("still valid")
		}
	})
}
