package world

import "testing"

// full is a block as getBlock answers it.
type full struct {
	Blockhash, PreviousBlockhash string
	ParentSlot, BlockHeight      uint64
	Signatures                   *[]string
}

var withSignatures = object{"transactionDetails": "signatures", "rewards": false}

// TestHollow finds blocks without transactions, whose statuses are null outside
// of the cache.
func TestHollow(t *testing.T) {
	cfg := Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{Hollow: 0.4, HoleSpan: 10}}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		_, height := w.Finalized()
		empty, absent, whole := 0, 0, 0
		for slot, s := range old(w, 800) {
			var b full
			c.call(&b, "getBlock", slot, withSignatures)
			h, _ := w.Height(slot)
			if b.BlockHeight != h {
				t.Fatalf("height %d, want %d", b.BlockHeight, h)
			}
			known := c.statuses(s).Value[0] != nil
			switch {
			case b.Signatures == nil:
				absent++
			case len(*b.Signatures) == 0:
				empty++
			default:
				whole++
				if !known {
					t.Fatal("null, and its block has it")
				}
				continue
			}
			if known != (h+300 > height) {
				t.Fatalf("status known %t at height %d, in a hollow block", known, h)
			}
		}
		if min(empty, absent, whole) < 10 {
			t.Fatalf("%d blocks are empty, %d without a list, %d whole", empty, absent, whole)
		}
	})
}

// TestCrooked finds blocks of other slots, and blocks that do not hang on their
// parents.
func TestCrooked(t *testing.T) {
	cfg := Config{Seed: 3, Nodes: []NodeConfig{{Gaps: Gaps{Crooked: 0.3}}, {}}}
	inBubble(t, cfg, func(t *testing.T, w *World) {
		c, honest := newClient(t, w, "rpc0"), newClient(t, w, "rpc1")
		before, after, unchained := 0, 0, 0
		for slot := range old(w, 300) {
			var b, truth full
			c.call(&b, "getBlock", slot, withSignatures)
			honest.call(&truth, "getBlock", slot, withSignatures)
			switch {
			case b.BlockHeight < truth.BlockHeight:
				before++
			case b.BlockHeight > truth.BlockHeight:
				after++
			case b.Blockhash != truth.Blockhash || b.ParentSlot != truth.ParentSlot:
				t.Fatalf("%+v in place of %+v", b, truth)
			case b.PreviousBlockhash != truth.PreviousBlockhash:
				unchained++
			}
		}
		if min(before, after, unchained) < 5 {
			t.Fatalf("%d blocks of the slot before, %d of the one after, %d hang on others", before, after, unchained)
		}
	})
}

// TestVersions is refused blocks and transactions of version 0 unless it can
// read them.
func TestVersions(t *testing.T) {
	inBubble(t, Config{Seed: 3}, func(t *testing.T, w *World) {
		c := newClient(t, w, "rpc0")
		codes := map[int]int{}
		for _, s := range old(w, 900) {
			codes[c.code("getTransaction", s.String())]++
			if code := c.code("getTransaction", s.String(), object{"maxSupportedTransactionVersion": 0}); code != 0 {
				t.Fatalf("code %d", code)
			}
		}
		if codes[0] == 0 || codes[codeVersion] == 0 || len(codes) != 2 {
			t.Fatal(codes)
		}
	})
}
