package rpcnode_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// What is asked of one address with several nodes, of which some are behind the others.

// TestNewestOfAnEarlierHead: where blocks lag heads, the newest final block that is known is the one of an earlier
// head. From there on, a block is looked for that is not final yet.
func TestNewestOfAnEarlierHead(t *testing.T) {
	m := makeLedger(t)
	m.tip, m.fromRoot = 2990, true
	lag := uint64(40)
	m.hides = func(slot uint64) bool { return slot > m.tip-lag }
	c := m.client()
	_, err := c.FinalHead(t.Context())
	require.Error(t, err, "no block is shown yet")
	earlier := m.final().slot
	m.tip = 3030
	head, err := c.FinalHead(t.Context())
	require.NoError(t, err)
	require.Equal(t, m.head(earlier), head)
	m.tip, lag = earlier+32, 0 // another node answers
	m.spent()
	q := m.between(2605, earlier, unsent(1)...)
	q.Last = q.After.Height + 120
	a, err := c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, []bool{false}, m.searched, "the cache has it")
	require.Equal(t, 1, m.spent()["open blocks"])
	require.True(t, a.Open.Found)
}

// TestLastBlockOfANodeAhead: the block that ends a window was shown, and the node that is asked for its transactions
// has not reached it. It is asked for again, and one that is older serves if it is past the window.
func TestLastBlockOfANodeAhead(t *testing.T) {
	for what, row := range map[string]struct {
		shown  bool
		last   uint64 // slot of the window's last block
		behind uint64 // the last that the second node shows
		times  int    // that it does not show the newest
		want   uint64 // slot of the last witness; 0 if there is none
		blocks int    // asked for
	}{
		"it is asked again":       {true, 2900, 2967, 1, 2967, 3},
		"a block before":          {true, 2900, 2965, 9, 2965, 4},
		"one long before":         {true, 2900, 2936, 9, 2935, 6},
		"none so long before":     {true, 2900, 2934, 9, 0, 5},
		"it was never shown":      {false, 2900, 2966, 9, 0, 1},
		"they are in the window":  {true, 2965, 2965, 9, 0, 3},
		"there is none between":   {true, 2966, 2967, 9, 0, 2},
		"again, and none between": {true, 2966, 2967, 1, 2967, 3},
		"the node has reached it": {true, 2900, 2967, 0, 2967, 2},
	} {
		m := makeLedger(t)
		require.Equal(t, uint64(2967), m.final().slot)
		c := m.client()
		if row.shown {
			_, err := c.FinalHead(t.Context())
			require.NoError(t, err)
		}
		m.spent()
		m.hides = func(slot uint64) bool {
			row.times--
			return slot > row.behind || slot == 2967 && row.times >= 0
		}
		q := m.between(2800, m.final().slot, unsent(1)...)
		q.Last = m.last(row.last).height
		a, err := c.Absence(t.Context(), q)
		require.Equal(t, row.blocks, m.spent()["getBlock"], what)
		if row.want == 0 {
			require.ErrorIs(t, err, walletfi.ErrUnavailable, what)
			continue
		}
		require.NoError(t, err, what)
		require.NoError(t, proof.Covered(q, a), what)
		require.Equal(t, m.head(row.want), a.Witnesses[1].Head, what)
	}
}

// TestBlockThatDoesNotMeet: a node shows another slot's block in place of one. It is asked for again, as of one
// address's nodes another may show the true one, and if they all do so what was read is not kept.
func TestBlockThatDoesNotMeet(t *testing.T) {
	for times, want := range map[int]bool{0: true, 1: true, 2: true, 3: false} {
		m := makeLedger(t)
		left, read := times, 0
		m.edit = func(method string, result any) any {
			b, _ := result.(map[string]any)
			if method != "getBlock" || b["blockhash"] != hashOf(2401) {
				return result
			}
			if read++; left <= 0 {
				return result
			}
			left--
			other := maps.Clone(b)
			other["blockhash"], other["blockHeight"] = hashOf(2400), m.blocks[2400].height
			other["previousBlockhash"], other["parentSlot"] = hashOf(2399), uint64(2399)
			return other
		}
		c := m.client()
		q := m.ago(2300, 2500, unsent(1)...)
		err := covers(t, c, q)
		require.Equal(t, want, err == nil, "%d times: %v", times, err)
		require.Equal(t, min(times+1, 3), read, "%d times", times)
		if !want {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.NoError(t, covers(t, c, q), "nothing of it was kept")
		}
	}
}

// TestOpenBlockOfANodeBehind: the node that has the history has a window at the end of its cache, that of its tip does
// not reach back to, and that of what it has rooted does. The fresher ones have forgotten it.
func TestOpenBlockOfANodeBehind(t *testing.T) {
	for what, row := range map[string]struct {
		after  uint64
		behind uint64
		cached bool
	}{
		"in the cache by what is rooted": {2525, 100, true},
		"in the cache by its tip":        {2600, 100, true},
		"it is not far behind":           {2650, 20, false},
	} {
		m := makeLedger(t)
		m.fromRoot, m.behind = true, row.behind
		fresh := m.tip
		m.tip -= row.behind
		c := m.client()
		_, err := c.FinalHead(t.Context()) // of the node that is behind
		require.NoError(t, err, what)
		until := m.final().slot
		m.tip = fresh
		_, err = c.Head(t.Context())
		require.NoError(t, err, what)
		m.hides = func(slot uint64) bool { return slot > fresh-row.behind }
		q := m.between(row.after, until, unsent(1)...)
		q.Last = q.After.Height + 120
		a, err := c.Absence(t.Context(), q)
		if !row.cached {
			require.NotEqual(t, []bool{true, true}, m.searched, what)
			continue
		}
		require.NoError(t, err, what)
		require.NoError(t, proof.Covered(q, a), what)
		require.Len(t, a.Witnesses, 2, what)
		require.NotContains(t, m.searched, false, what)
		require.Equal(t, fresh-row.behind, a.AsOfSlot, what)
	}
}

// TestNewestOfAnOlderNode: that one of an address's nodes shows an older final block takes nothing back of what
// another one has shown. What is not final yet is looked for after the newest.
func TestNewestOfAnOlderNode(t *testing.T) {
	m := makeLedger(t)
	m.fromRoot = true
	c := m.client()
	for _, tip := range []uint64{3000, 2960} {
		m.tip = tip
		head, err := c.FinalHead(t.Context())
		require.NoError(t, err)
		require.Equal(t, m.head(m.final().slot), head)
	}
	m.tip = 3000
	_, err := c.Head(t.Context())
	require.NoError(t, err)
	q := m.between(2605, m.final().slot, unsent(1)...)
	q.Last = q.After.Height + 120
	m.spent()
	a, err := c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, []bool{false}, m.searched)
	require.True(t, a.Open.Found)
	require.Equal(t, 1, m.spent()["open blocks"])
}

// TestArchiveWithAHole: the history of an address is an archive's, which is behind, has no cache of statuses
// and lacks a block. What landed there must not be called absent on the word of two witnesses at the window's ends.
func TestArchiveWithAHole(t *testing.T) {
	const behind = 100
	tried := 0
	for _, after := range []uint64{2525, 2600} {
		m := makeLedger(t)
		m.fromRoot, m.behind, m.archive = true, behind, true
		fresh := m.tip
		m.tip -= behind
		c := m.client()
		_, err := c.FinalHead(t.Context())
		require.NoError(t, err)
		until := m.final().slot
		m.tip = fresh
		_, err = c.Head(t.Context())
		require.NoError(t, err)
		m.hides = func(slot uint64) bool { return slot > fresh-behind }
		landed := m.last(after + 60)
		ours := landed.signatures[0]
		for _, s := range landed.signatures {
			delete(m.landed, s) // the hole
		}
		q := m.between(after, until, ours)
		q.Last = q.After.Height + 120
		require.Greater(t, q.Last, landed.height)
		a, err := c.Absence(t.Context(), q)
		if tried++; err != nil {
			continue
		}
		require.True(t, a.Statuses[0].Found || proof.Covered(q, a) != nil,
			"after %d: %d witnesses, asked with the history: %v", after, len(a.Witnesses), m.searched)
	}
	require.Equal(t, 2, tried)
}
