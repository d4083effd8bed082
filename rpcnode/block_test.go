package rpcnode_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// TestSlotWithoutABlock: it is not asked for again for a while. An archive may get the
// block later.
func TestSlotWithoutABlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := makeLedger(t)
		gap := true
		m.skips = func(slot uint64) bool { return gap && slot == 2500 }
		c := m.client()
		for range 3 {
			_, err := c.FinalBlock(t.Context(), 2500)
			require.ErrorIs(t, err, walletfi.ErrUnavailable)
		}
		require.Equal(t, 1, m.spent()["getBlock"])
		gap = false
		<-time.After(5*time.Minute + 1)
		block, err := c.FinalBlock(t.Context(), 2500)
		require.NoError(t, err)
		require.Equal(t, m.head(2500), block)
	})
}

// TestBlockWithoutATransaction: likewise, and another node of the address may list some.
func TestBlockWithoutATransaction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := makeLedger(t)
		q := m.between(2800, 2960, unsent(1)...)
		listed := slices.Clone(m.blocks[2800].signatures)
		m.blocks[2800].signatures = []string{}
		c := m.client()
		first := func() walletfi.Head {
			a, err := c.Absence(t.Context(), q)
			require.NoError(t, err)
			require.NoError(t, proof.Covered(q, a))
			return heads(a)[0]
		}
		require.Equal(t, m.head(2799), first())
		m.blocks[2800].signatures = listed
		m.spent()
		require.Equal(t, m.head(2799), first())
		require.Zero(t, m.spent()["getBlock"])
		<-time.After(2 * time.Minute)
		require.Equal(t, m.head(2800), first())
		require.Equal(t, 1, m.spent()["getBlock"])
	})
}

// TestHeadInAGap: the newest block before the gap serves, and then what the node has in it,
// near a head. Slots are not asked for again.
func TestHeadInAGap(t *testing.T) {
	m := makeLedger(t)
	m.skips = func(slot uint64) bool { return slot >= 2960 && slot < 2990 && slot != 2981 }
	c := m.client()
	for _, row := range []struct{ tip, lowest, highest, most uint64 }{
		{3000, 2950, 2959, 9}, {3004, 0, 0, 4}, {3004, 0, 0, 0}, {3014, 2981, 2981, 4}, {3017, 0, 0, 4}, {3032, 2990, 3000, 1},
	} {
		m.tip = row.tip
		head, err := c.FinalHead(t.Context())
		require.LessOrEqual(t, m.spent()["getBlock"], int(row.most), "tip %d", row.tip)
		if row.lowest == 0 {
			require.ErrorIs(t, err, walletfi.ErrUnavailable, "tip %d", row.tip)
			continue
		}
		require.NoError(t, err, "tip %d", row.tip)
		require.Equal(t, m.head(head.Slot), head)
		require.GreaterOrEqual(t, head.Slot, row.lowest)
		require.LessOrEqual(t, head.Slot, row.highest)
	}
}

// TestNoHeadFromLongBeforeAGap: a block from long before the gap would stretch the window by all of
// it, and is no head.
func TestNoHeadFromLongBeforeAGap(t *testing.T) {
	for gap, found := range map[uint64]bool{95: true, 110: false} {
		m := makeLedger(t)
		newest := m.final().slot
		m.skips = func(slot uint64) bool { return slot > newest-gap }
		_, err := m.client().FinalHead(t.Context())
		require.Equal(t, found, err == nil, "a gap of %d slots", gap)
	}
}

// TestHeadAgainstTheBlockBeforeAGap: since the block that is shown there is no more than a
// block a slot.
func TestHeadAgainstTheBlockBeforeAGap(t *testing.T) {
	for _, height := range []uint64{9, 1 << 40} {
		m := makeLedger(t)
		m.skips = func(slot uint64) bool { return slot >= 2960 }
		m.edit = func(method string, result any) any {
			if method == "getEpochInfo" {
				result.(map[string]any)["blockHeight"] = height
			}
			return result
		}
		_, err := m.client().FinalHead(t.Context())
		require.ErrorIs(t, err, walletfi.ErrDecode)
	}
}

// TestBlockOfRightThere: where the block is guessed well, a few calls find it, whatever
// else there is.
func TestBlockOfRightThere(t *testing.T) {
	for _, off := range []uint64{0, 1, 3} {
		m := makeLedger(t)
		want := m.head(2500)
		near := walletfi.Head{Slot: want.Slot - 30, Height: want.Height - off} // the slot is not known
		block, err := m.client().BlockOf(t.Context(), m.blocks[2500].hash, near)
		require.NoError(t, err)
		require.Equal(t, want, block)
		require.LessOrEqual(t, m.spent()["getBlock"], 14, "%d blocks off", off)
	}
}

// TestBlocksPastAGap: a block that lies behind a gap of what the node has is found by
// other blocks than those in it.
func TestBlocksPastAGap(t *testing.T) {
	m := makeLedger(t)
	m.skips = func(slot uint64) bool { return slot >= 2440 && slot < 2495 }
	block, err := m.client().BlockOf(t.Context(), m.blocks[2500].hash, m.head(2470))
	require.NoError(t, err)
	require.Equal(t, m.head(2500), block)
	require.LessOrEqual(t, m.spent()["getBlock"], 100)
}

// TestBlockOfWhileTheHeadIsInAGap: the head that was shown before it serves as well.
func TestBlockOfWhileTheHeadIsInAGap(t *testing.T) {
	m := makeLedger(t)
	m.skips = func(slot uint64) bool { return slot >= 2970 }
	c := m.client()
	_, err := c.FinalHead(t.Context())
	require.NoError(t, err)
	m.tip += 20
	block, err := c.BlockOf(t.Context(), m.blocks[2900].hash, m.head(2890))
	require.NoError(t, err)
	require.Equal(t, m.head(2900), block)
}

// TestOldWindowThatIsMissing: that blocks near the head are there does not say that old
// ones are.
func TestOldWindowThatIsMissing(t *testing.T) {
	m := makeLedger(t)
	m.skips = func(slot uint64) bool { return slot < 2700 }
	a, err := m.client().Prove(t.Context())
	require.NoError(t, err)
	require.True(t, a.Recent)
	require.False(t, a.Old)
}

// TestBlockIsReadOnce: those who want the same block at the same time share the answer.
func TestBlockIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := makeLedger(t)
		m.edit = func(_ string, result any) any {
			<-time.After(time.Second / 2)
			return result
		}
		c := m.client()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				block, err := c.FinalBlock(t.Context(), 2500)
				require.NoError(t, err)
				require.Equal(t, m.head(2500), block)
			})
		}
		all.Wait()
		require.Equal(t, 1, m.spent()["getBlock"])
	})
}

// TestAbsenceAfterAGap: what was final before lies in a gap, and the blockhash's own block
// does not.
func TestAbsenceAfterAGap(t *testing.T) {
	m := makeLedger(t)
	m.skips = func(slot uint64) bool { return slot > 2500 && slot <= 2750 }
	q := m.between(2740, 2960, unsent(1)...)
	q.Blockhash, q.Last = m.blocks[2760].hash, m.blocks[2760].height+proof.Age
	a, err := m.client().Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, m.head(2760), heads(a)[0])
	require.NotContains(t, m.searched, true, "the cache has it")
}
