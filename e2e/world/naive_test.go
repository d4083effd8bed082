package world

import (
	"testing"
	"time"

	"github.com/mr-tron/base58"
)

// TestNaiveClientPaysTwice shows that the model has teeth: a client that takes
// "past the last valid height" and "null" from whatever node answers calls
// transactions expired that have landed or still land.
func TestNaiveClientPaysTwice(t *testing.T) {
	cfg := Config{Seed: 1, Landing: Landing{Late: 1, LateSpan: 20}}
	cfg.Nodes = []NodeConfig{{}, {Lag: 45, LagMax: 60}}
	cfg.Services = []EndpointConfig{{Nodes: []int{0, 1}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, 1000*sol)
		c := newClient(t, w, "rpc0")
		wrong := 0
		for i := range uint64(60) {
			hash, told := c.blockhash("finalized")
			s := c.send(payment(hash, from, Key{9}, i+1))
			time.Sleep(time.Minute)
			for c.height() <= told.Value.LastValidBlockHeight {
				time.Sleep(2 * time.Second)
			}
			if st := c.statuses(s).Value[0]; st == nil && !w.Dead(s) {
				wrong++
			}
			time.Sleep(20 * time.Second)
		}
		if wrong < 5 {
			t.Fatalf("%d of 60 wrongly called expired", wrong)
		}
	})
}

// height reads the confirmed height.
func (c *client) height() (height uint64) {
	c.t.Helper()
	c.call(&height, "getBlockHeight", object{"commitment": "confirmed"})
	return height
}

// TestNewerNodes: newer nodes refuse statuses, and transactions, for a slot
// that they have not reached; older ones ignore the wish.
func TestNewerNodes(t *testing.T) {
	cfg := Config{Seed: 1, Nodes: []NodeConfig{{Lag: 50, Newer: true}, {Lag: 50}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		tip, _ := w.Tip()
		final, _ := w.Finalized()
		for name, want := range map[string]int{"rpc0": codeContext, "rpc1": 0} {
			c := newClient(t, w, name)
			list := []string{Signature{1}.String()}
			if got := c.code("getSignatureStatuses", list, object{"minContextSlot": tip}); got != want {
				t.Errorf("%s: statuses: code %d", name, got)
			}
			if got := c.code("getTransaction", list[0], object{"minContextSlot": final}); got != want {
				t.Errorf("%s: transaction: code %d", name, got)
			}
		}
		var got statuses
		c := newClient(t, w, "rpc0")
		c.call(&got, "getSignatureStatuses", []string{Signature{1}.String()}, object{"commitment": "finalized"})
		if got.Context.Slot+50+32 != tip {
			t.Errorf("at finalized: context slot %d, tip %d", got.Context.Slot, tip)
		}
	})
}

// TestPreflightIsStricter: a simulation refuses a blockhash some blocks before
// blocks do.
func TestPreflightIsStricter(t *testing.T) {
	inBubble(t, Config{Seed: 1}, func(t *testing.T, w *World) {
		from := newSigner(1)
		w.Fund(from.key, sol)
		c := newClient(t, w, "rpc0")
		hash, told := c.blockhash("processed")
		simulated := func() bool {
			var got struct{ Value struct{ Err any } }
			raw := base58.Encode(payment(hash, from, Key{9}, 1))
			c.call(&got, "simulateTransaction", raw, object{"commitment": "processed"})
			return got.Value.Err == nil
		}
		valid := func() bool {
			var got struct{ Value bool }
			c.call(&got, "isBlockhashValid", hash.String(), object{"commitment": "processed"})
			return got.Value
		}
		last := told.Value.LastValidBlockHeight
		for _, n := range []uint64{last - forwarding, last - forwarding + 1, last, last + 1} {
			sleepToHeight(w, n)
			if simulated() != (n <= last-forwarding) || valid() != (n <= last) {
				t.Errorf("%d before the last: simulated %t, valid %t", last-n, simulated(), valid())
			}
		}
	})
}
