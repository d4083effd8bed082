package world

import (
	"slices"
	"testing"
	"time"
)

func wildCluster() Cluster {
	return Cluster{
		SlotMin: 200 * time.Millisecond, SlotMax: 600 * time.Millisecond,
		SkipRate: 0.15, ForkRate: 0.8, ForkLen: 40, FinalityMin: 31, FinalityMax: 60,
	}
}

// TestHeights counts blocks by hand: skipped slots have no height, and forks
// share heights with the surviving chain.
func TestHeights(t *testing.T) {
	for seed := range uint64(8) {
		c := newChain(seed, wildCluster())
		height := c.lastMain(c.base).height
		shared, skipped := 0, 0
		for slot := c.base + 1; slot < c.first+8*spanLen; slot++ {
			b, ok := c.block(slot)
			if !ok {
				skipped++
				continue
			}
			parent := c.parent(b)
			if b.height != parent.height+1 || parent.slot >= slot {
				t.Fatalf("seed %d: %+v on %+v", seed, b, parent)
			}
			if b.fork {
				if _, other := c.main(c.atHeight(b.height).slot); other {
					shared++
				}
				continue
			}
			height++
			if b.height != height || c.atHeight(height) != b || c.lastMain(slot) != b {
				t.Fatalf("seed %d: height %d of %+v", seed, height, b)
			}
		}
		if shared == 0 || skipped == 0 {
			t.Fatalf("seed %d: %d shared heights, %d skipped slots", seed, shared, skipped)
		}
	}
}

// TestAncestors compares contains with a walk along the parents.
func TestAncestors(t *testing.T) {
	c := newChain(3, wildCluster())
	for slot := c.first; slot < c.first+6*spanLen; slot++ {
		b, ok := c.block(slot)
		if !ok {
			continue
		}
		walk := map[uint64]bool{}
		for a := b; a.slot > c.first-spanLen; a = c.parent(a) {
			walk[a.slot] = true
		}
		var list []uint64
		for s := c.first; s <= slot+5; s++ {
			if c.contains(b, s) != walk[s] {
				t.Fatalf("contains(%+v, %d) is %t", b, s, !walk[s])
			}
			if walk[s] {
				list = append(list, s)
			}
		}
		if got := c.blocks(b, c.first, slot+5, nil); !slices.Equal(got, list) {
			t.Fatalf("blocks of %+v: %v, want %v", b, got, list)
		}
	}
}

// TestFinalityVaries checks that what is rooted never goes back, trails the
// newest slot by the configured number of slots, and is never on a fork.
func TestFinalityVaries(t *testing.T) {
	c := newChain(5, wildCluster())
	before := uint64(0)
	depths := map[uint64]bool{}
	for slot := c.first; slot < c.first+100*spanLen; slot++ {
		root := c.rooted(slot)
		if root < before || root > slot-31 {
			t.Fatalf("rooted(%d) is %d after %d", slot, root, before)
		}
		depths[slot-root] = true
		before = root
	}
	if len(depths) < 10 {
		t.Fatalf("finality depths %v", depths)
	}
	plain := newChain(5, Cluster{})
	if got := plain.first - plain.rooted(plain.first); got != 32 {
		t.Fatalf("finality is %d slots, want 32", got)
	}
}

// TestSlotTimesChange checks that slots take 200 to 600 ms, and that times
// and slots agree.
func TestSlotTimesChange(t *testing.T) {
	c := newChain(9, wildCluster())
	lengths := map[time.Duration]bool{}
	for slot := c.first - spanLen; slot < c.first+40*spanLen; slot++ {
		begin, end := c.begins(slot), c.begins(slot+1)
		d := time.Duration(end - begin)
		if d < 200*time.Millisecond || d > 600*time.Millisecond {
			t.Fatalf("slot %d takes %s", slot, d)
		}
		lengths[d] = true
		if c.slotAt(begin) != slot || c.slotAt(end-1) != slot {
			t.Fatalf("slot %d is not at %d to %d", slot, begin, end)
		}
	}
	if c.begins(c.first) != 0 || len(lengths) < 20 {
		t.Fatalf("first slot at %d, %d lengths", c.begins(c.first), len(lengths))
	}
}

// TestHashesTellTheirSlot checks that blockhashes and strangers' signatures
// are found again, and that others are not taken for them.
func TestHashesTellTheirSlot(t *testing.T) {
	c := newChain(11, wildCluster())
	for slot := c.first; slot < c.first+200; slot++ {
		h := c.blockhash(slot)
		if got, ok := c.slotOf(h); !ok || got != slot {
			t.Fatalf("slotOf(blockhash(%d)) = %d, %t", slot, got, ok)
		}
		h[20] ^= 1
		if _, ok := c.slotOf(h); ok {
			t.Fatal("a changed blockhash is taken for one of the chain")
		}
		count, _ := c.strangers(slot)
		for i := range crowd {
			s := c.strangerSignature(slot, i)
			got, index, ok := c.stranger(s)
			if ok != (i < count) || ok && (got != slot || index != i) {
				t.Fatalf("stranger %d of slot %d: %d %d %t", i, slot, got, index, ok)
			}
			s[3] ^= 1
			if _, _, ok := c.stranger(s); ok {
				t.Fatal("a changed signature is taken for a stranger's")
			}
		}
	}
}

// TestBlocksMayBeEmptyOrFailing checks the shares of such blocks.
func TestBlocksMayBeEmptyOrFailing(t *testing.T) {
	c := newChain(1, Cluster{EmptyRate: 0.1, FailingRate: 0.1})
	empty, failing := 0, 0
	const n = 4000
	for slot := c.first; slot < c.first+n; slot++ {
		count, all := c.strangers(slot)
		if count == 0 {
			empty++
		}
		if all {
			failing++
		}
	}
	if empty < n/20 || empty > n/5 || failing < n/20 || failing > n/5 {
		t.Fatalf("%d empty, %d failing of %d", empty, failing, n)
	}
}

// TestSameSeedSameChain checks that a chain does not depend on the order in
// which it is looked at.
func TestSameSeedSameChain(t *testing.T) {
	a, b := newChain(4, wildCluster()), newChain(4, wildCluster())
	b.at(b.first + 90*spanLen)
	for slot := a.first; slot < a.first+90*spanLen; slot++ {
		x, ok := a.block(slot)
		y, ok2 := b.block(slot)
		if x != y || ok != ok2 || a.begins(slot) != b.begins(slot) || a.rooted(slot) != b.rooted(slot) {
			t.Fatalf("slot %d differs", slot)
		}
	}
	if other := newChain(5, wildCluster()); other.genesis() == a.genesis() {
		t.Fatal("two seeds, one genesis")
	}
}
