package rpcnode_test

import (
	"encoding/base64"
	"maps"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/signing"
)

type query = walletfi.AbsenceQuery

// between is the window after a slot's block up to the one before another's.
func (m *made) between(after, until uint64, signatures ...string) walletfi.AbsenceQuery {
	u := m.last(until)
	return walletfi.AbsenceQuery{
		Signatures: signatures, After: m.head(m.last(after).slot), Last: u.height - 1, Until: m.head(u.slot),
	}
}

// ago is the same, of a window that the newest block is far from.
func (m *made) ago(after, until uint64, signatures ...string) walletfi.AbsenceQuery {
	q := m.between(after, until, signatures...)
	q.Until = m.head(m.final().slot)
	return q
}

// TestAbsenceInTheCache: two blocks are read and one call asks for all, without the
// history. What was read of a block is not read again.
func TestAbsenceInTheCache(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	q := m.between(2800, 2960, unsent(48)...)
	m.landed[q.Signatures[1]] = 2860
	for _, blocks := range []int{2, 0} {
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err)
		require.NoError(t, proof.Covered(q, a))
		require.Equal(t, uint64(3000), a.AsOfSlot)
		require.Len(t, a.Statuses, 48)
		for i, s := range a.Statuses {
			require.Equal(t, i == 1, s.Found)
		}
		require.Equal(t, []walletfi.Head{q.After, q.Until}, heads(a))
		calls := m.spent()
		require.Equal(t, blocks, calls["getBlock"])
		require.Equal(t, calls["getBlock"], calls["signatures of blocks"])
		require.Equal(t, 1, calls["getSignatureStatuses"])
	}
	require.Equal(t, []bool{false, false}, m.searched)
	require.Equal(t, q.Signatures, m.asked[0][:48])
	require.Len(t, m.asked[0], 50)

	// The block at the beginning is empty: the one before it that is not serves.
	m.empty(2800, 2799)
	a, err := m.client().Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, m.head(2797), a.Witnesses[0].Head)
	// The block at the end is empty: the next one that is not serves.
	m.empty(q.Until.Slot, 2961)
	a, err = m.client().Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, m.head(2962), a.Witnesses[1].Head)
	for slot := q.Until.Slot; slot <= m.final().slot; slot++ {
		if m.blocks[slot] != nil {
			m.empty(slot)
		}
	}
	_, err = m.client().Absence(t.Context(), q)
	require.Error(t, err, "there is none yet")
}

func heads(a *walletfi.Absence) (all []walletfi.Head) {
	for _, w := range a.Witnesses {
		all = append(all, w.Head)
	}
	return all
}

// blocks are those of m from one slot to another.
func (m *made) heads(from, to uint64) (all []walletfi.Head) {
	for slot := from; slot <= to; slot++ {
		if m.blocks[slot] != nil {
			all = append(all, m.head(slot))
		}
	}
	return all
}

// TestAbsenceOfLongAgo: a transaction of each block is asked for, with the history, and
// slots without a block are left out.
func TestAbsenceOfLongAgo(t *testing.T) {
	for what, ask := range map[string]func(*made, *query) (first uint64){
		"from a final block": func(*made, *query) uint64 { return 2300 },
		"from its own block": func(m *made, q *query) uint64 { q.Blockhash = m.blocks[2350].hash; return 2350 },
		"from nowhere": func(m *made, q *query) uint64 {
			q.Blockhash, q.After = m.blocks[2350].hash, walletfi.Head{}
			return 2350
		},
		"empty at the first": func(m *made, _ *query) uint64 { m.empty(2300); return 2299 },
	} {
		m := makeLedger(t)
		q := m.ago(2300, 2500, unsent(2)...)
		first := ask(m, &q)
		c := m.client()
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err, what)
		require.NoError(t, proof.Covered(q, a), what)
		require.Equal(t, m.heads(first, 2500), heads(a), what)
		require.Equal(t, []bool{true}, m.searched, what)
		calls := m.spent()
		require.Equal(t, 1, calls["getSignatureStatuses"], what)
		require.LessOrEqual(t, calls["signatures of blocks"], len(a.Witnesses)+1, what)
		asked := len(q.Signatures)
		for i, w := range a.Witnesses {
			require.Equal(t, m.blocks[w.Slot].hash, w.Blockhash, what)
			if len(m.blocks[w.Slot].signatures) == 0 {
				require.Empty(t, w.Signature, what)
				continue
			}
			require.Contains(t, m.blocks[w.Slot].signatures, w.Signature, what)
			require.Equal(t, w.Signature, m.asked[0][asked], "%s: witness %d", what, i)
			asked++
		}
		require.Len(t, m.asked[0], asked, what)
		_, err = c.Absence(t.Context(), q)
		require.NoError(t, err, what)
		require.Zero(t, m.spent()["signatures of blocks"], "%s: they were read", what)
	}
}

// TestAbsenceFromAnArchiveThatLags: it can show a window as soon as it has a block after that, however
// far the slot is until which it is asked for, and nothing before.
func TestAbsenceFromAnArchiveThatLags(t *testing.T) {
	for what, lose := range map[string]func(m *made, slot uint64){
		"blocks and statuses": func(m *made, slot uint64) {
			m.archiveLacks = func(s uint64) bool { return s > slot }
			maps.DeleteFunc(m.landed, func(_ string, s uint64) bool { return s > slot })
		},
		"statuses": func(m *made, slot uint64) {
			maps.DeleteFunc(m.landed, func(_ string, s uint64) bool { return s > slot })
		},
		"the transactions of the first after it": func(m *made, slot uint64) {
			m.empty(2500)
			maps.DeleteFunc(m.landed, func(_ string, s uint64) bool { return s > slot && s < 2900 })
		},
	} {
		m := makeLedger(t)
		q := m.ago(2300, 2500, unsent(1)...)
		lose(m, 2501)
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err, what)
		require.NoError(t, proof.Covered(q, a), what)
		require.Greater(t, heads(a)[len(a.Witnesses)-1].Height, q.Last, what)
		lose(m, 2480)
		a, err = m.client().Absence(t.Context(), q)
		require.True(t, err != nil || proof.Covered(q, a) != nil, what)
	}
}

// TestAbsenceFromTheCacheThatMovedOn: the answer is of a slot for which the window is
// too old, so that it is asked for block by block after all.
func TestAbsenceFromTheCacheThatMovedOn(t *testing.T) {
	for _, row := range []struct{ tip, calls uint64 }{{2999, 1}, {3000, 1}, {3001, 2}} {
		m := makeLedger(t)
		m.tip = row.tip
		q := m.between(2700, 2960, unsent(1)...)
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err)
		require.NoError(t, proof.Covered(q, a), "at slot %d", row.tip)
		require.Len(t, m.searched, int(row.calls), "at slot %d", row.tip)
		require.Equal(t, row.calls == 2, m.searched[row.calls-1])
	}
	for _, row := range []struct {
		until  uint64
		blocks bool
	}{{2966, false}, {2972, true}} { // 296 blocks after the first
		m := makeLedger(t)
		m.tip = 3040
		q := m.between(2600, row.until, unsent(1)...)
		q.Last = q.After.Height + 200
		_, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, row.blocks, m.searched[0], "until %d", row.until)
	}
}

// TestAbsenceFromANodeBehind: a provider may have the history from another node than the rest. As long as that one's
// cache has a window that the farthest node's has not any more, two blocks are enough. It is asked first: it is the
// sooner asked again.
func TestAbsenceFromANodeBehind(t *testing.T) {
	for _, row := range []struct {
		what          string
		behind, after uint64
		searched      []bool
		witnesses     int
	}{
		{"only its cache has the window", 70, 2610, []bool{true, true}, 2},
		{"both have it", 70, 2800, []bool{false}, 2},
		{"the same node has both", 0, 2800, []bool{false}, 2},
		{"neither has it", 0, 2645, []bool{true, true}, 0},
	} {
		m := makeLedger(t)
		m.behind = row.behind
		c := m.client()
		_, err := c.Head(t.Context())
		require.NoError(t, err)
		q := m.between(row.after, 2890, unsent(1)...)
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err, row.what)
		require.NoError(t, proof.Covered(q, a), row.what)
		require.Equal(t, row.searched, m.searched, row.what)
		if row.witnesses > 0 {
			require.Len(t, a.Witnesses, row.witnesses, row.what)
		}
		require.Equal(t, a.History, row.searched[0], row.what)
		if a.History {
			require.Equal(t, 3000-row.behind, a.AsOfSlot, row.what)
		}
	}
}

// TestAbsenceFromWhatIsRooted: the cache of statuses goes by what is rooted. If the node does not
// call a newer transaction final in the same call, it reaches farther back than from its tip.
func TestAbsenceFromWhatIsRooted(t *testing.T) {
	for _, row := range []struct {
		what   string
		after  uint64
		change func(*made)
		cached bool
		calls  int
	}{
		{"near", 2800, func(*made) {}, true, 1},
		{"as far as from the newest that is final", 2610, func(*made) {}, true, 1},
		{"farther", 2595, func(*made) {}, false, 1},
		{"the open block is skipped", 2610, func(m *made) { m.skips = func(s uint64) bool { return s == 2972 } }, true, 1},
		{"the open block shows no transaction", 2610, func(m *made) { m.empty(2972) }, true, 1},
		{"no open block is shown", 2610, func(m *made) { m.hides = func(s uint64) bool { return s > 2968 } }, false, 1},
		{"it is final by then", 2630, func(m *made) {
			m.edit = func(method string, result any) any {
				if method == "getBlock" && m.calls["open blocks"] == 1 {
					m.tip = 3004
				}
				return result
			}
		}, true, 2},
		{"the first block shows no transaction", 2700, func(m *made) {
			for slot := uint64(2605); slot <= 2700; slot++ {
				if m.blocks[slot] != nil {
					m.empty(slot)
				}
			}
		}, true, 2},
		{"the node forgets it sooner", 2630, func(m *made) { m.fromRoot = false }, false, 2},
	} {
		m := makeLedger(t)
		m.fromRoot = true
		row.change(m)
		c := m.client()
		_, err := c.FinalHead(t.Context())
		require.NoError(t, err, row.what)
		_, err = c.Head(t.Context())
		require.NoError(t, err, row.what)
		q := m.between(row.after, 2960, unsent(1)...)
		q.Last = q.After.Height + 120
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err, row.what)
		require.NotEmpty(t, m.searched, row.what)
		require.Equal(t, !row.cached, m.searched[len(m.searched)-1], "%s: %v", row.what, m.searched)
		require.Len(t, m.searched, row.calls, row.what)
		if row.cached {
			require.NoError(t, proof.Covered(q, a), row.what)
			require.Len(t, a.Witnesses, 2, row.what)
			require.Equal(t, row.after < 2800, a.Open.Found, row.what)
		}
	}
}

// TestAbsenceByTheNewestHeight: of the slots after the window many have no block. By the height of the block after
// the window the cache may not reach back to it, and by that of the newest final one it does.
func TestAbsenceByTheNewestHeight(t *testing.T) {
	for after, cached := range map[uint64]bool{2592: false, 2605: true, 2630: true, 2700: true} {
		for _, hollow := range []bool{false, true} { // the nearest block with a transaction is before the window
			m := makeLedger(t)
			m.fromRoot = true
			c := m.client()
			newest, err := c.FinalHead(t.Context())
			require.NoError(t, err)
			_, err = c.Head(t.Context())
			require.NoError(t, err)
			q := m.between(after, 2860, unsent(1)...)
			q.Last = q.After.Height + 120
			if hollow {
				q = m.between(after+100, 2860, unsent(1)...)
				for slot := after + 1; slot <= after+100; slot++ {
					if m.blocks[slot] != nil {
						m.blocks[slot].signatures = nil
					}
				}
			}
			a, err := c.Absence(t.Context(), q)
			if !cached && hollow {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err, after)
			require.NoError(t, proof.Covered(q, a), after)
			require.Equal(t, cached, len(a.Witnesses) == 2, after)
			if cached {
				require.Equal(t, m.head(after), a.Witnesses[0].Head)
				require.Equal(t, after < 2630, a.Witnesses[1].Head == newest, after)
			}
		}
	}
}

// TestSightingsAreWitnesses: where the blocks list no transactions, those that the node was asked
// for and has stand in, if it shows their block.
func TestSightingsAreWitnesses(t *testing.T) {
	m := makeLedger(t)
	q := m.between(2800, 2950, unsent(1)...)
	own := []string{m.blocks[2701].signatures[0], m.blocks[2702].signatures[0], m.blocks[2960].signatures[1]}
	open := m.blocks[2990].signatures[0] // is not final yet
	landed := maps.Clone(m.landed)
	for slot, b := range m.blocks {
		if slot >= 2600 && slot <= 2800 || slot >= 2950 {
			b.signatures = nil // of hollow blocks; the cache has them
		}
	}
	m.landed = landed
	c := m.client()
	_, err := c.Absence(t.Context(), q)
	require.Error(t, err, "no witness")
	got, err := c.SignatureStatuses(t.Context(), append(own, open, q.Signatures[0]))
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, true, true, false}, []bool{
		got.Statuses[0].Found, got.Statuses[1].Found, got.Statuses[2].Found, got.Statuses[3].Found, got.Statuses[4].Found,
	})
	a, err := c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, []walletfi.Head{m.head(2702), m.head(2960)}, heads(a))
	require.Equal(t, []string{own[1], own[2]}, []string{a.Witnesses[0].Signature, a.Witnesses[1].Signature})

	delete(m.landed, own[1]) // it was on a fork
	_, err = c.SignatureStatuses(t.Context(), own)
	require.NoError(t, err)
	a, err = c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Equal(t, []walletfi.Head{m.head(2701), m.head(2960)}, heads(a))

	m.hides = func(slot uint64) bool { return slot == 2960 }
	again := m.client()
	_, err = again.SignatureStatuses(t.Context(), own)
	require.NoError(t, err)
	_, err = again.Absence(t.Context(), q)
	require.Error(t, err, "its block is not shown: neither is its height")
}

// TestAbsenceFromItsOwnBlock: what was final before is too old for the cache, and the block
// that the blockhash belongs to is not. It is looked for a few blocks back from the last
// that it can be.
func TestAbsenceFromItsOwnBlock(t *testing.T) {
	for own, cached := range map[uint64]bool{2690: false, 2704: true, 2726: true} {
		m := makeLedger(t)
		q := m.between(2680, 2960, unsent(2)...)
		q.Blockhash, q.Last = m.blocks[own].hash, m.blocks[own].height+6+proof.Age
		q.Until = m.head(2960)
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err)
		require.NoError(t, proof.Covered(q, a), "own block %d", own)
		require.Equal(t, !cached, m.searched[len(m.searched)-1], "own block %d", own)
		if cached {
			require.NotContains(t, m.searched, true)
			require.Equal(t, []walletfi.Head{m.head(own), q.Until}, heads(a))
			require.Less(t, m.spent()["getBlock"], 32)
		}
	}
}

// TestOtherWitnesses: in place of a witness that the node puts elsewhere, and of a block that
// it shows in part, that of a block near is asked for.
func TestOtherWitnesses(t *testing.T) {
	for what, spoil := range map[string]func(m *made, b *madeBlock){
		"of another block": func(m *made, b *madeBlock) { b.signatures = m.blocks[b.slot-10].signatures },
		"without its list": func(_ *made, b *madeBlock) { b.signatures = nil },
	} {
		m := makeLedger(t)
		q := m.between(2800, 2960, unsent(1)...)
		spoil(m, m.blocks[q.After.Slot])
		spoil(m, m.blocks[q.Until.Slot])
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err, what)
		require.NoError(t, proof.Covered(q, a), what)
		require.Equal(t, []walletfi.Head{m.head(2799), m.head(2961)}, heads(a), what)
	}
}

// TestOneBlockBeforeAHole: of the blocks after the window, only one shows transactions, wherever that is.
func TestOneBlockBeforeAHole(t *testing.T) {
	for whole := uint64(2941); whole < 2944; whole++ {
		m := makeLedger(t)
		if m.blocks[whole] == nil {
			continue
		}
		c := m.client()
		_, err := c.FinalHead(t.Context())
		require.NoError(t, err)
		q := m.between(2800, 2960, unsent(1)...)
		q.Last = m.last(2940).height
		for slot := uint64(2941); slot <= m.tip; slot++ {
			if m.blocks[slot] != nil && slot != whole {
				m.empty(slot)
			}
		}
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err, whole)
		require.NoError(t, proof.Covered(q, a), whole)
		require.Equal(t, m.head(whole), a.Witnesses[1].Head)
		require.Less(t, m.spent()["getBlock"], 40, whole)
	}
}

// TestOneBlockAfterAHole: of the blocks after the window, only the newest final one shows transactions, however far
// that is.
func TestOneBlockAfterAHole(t *testing.T) {
	for until := uint64(2840); until < 2968; until += 9 {
		m := makeLedger(t)
		c := m.client()
		newest, err := c.FinalHead(t.Context())
		require.NoError(t, err)
		q := m.between(2700, until, unsent(1)...)
		q.Last = m.last(2830).height
		for slot := uint64(2831); slot < newest.Slot; slot++ {
			if m.blocks[slot] != nil {
				m.blocks[slot].signatures = nil
			}
		}
		a, err := c.Absence(t.Context(), q)
		require.NoError(t, err, until)
		require.NoError(t, proof.Covered(q, a), until)
		require.Equal(t, newest, a.Witnesses[1].Head, until)
		require.Less(t, m.spent()["getBlock"], 20, until)
	}
}

// TestWitnessesAtTheEndsOfAHole: where the node's blocks list nothing for long, the nearest that do
// are the witnesses, so that they stay in the cache of statuses, and nothing is read again.
func TestWitnessesAtTheEndsOfAHole(t *testing.T) {
	for _, row := range []struct {
		what         string
		holes        [][2]uint64 // from one slot to another
		skipped      bool        // else the blocks show no transaction
		first, last  uint64
		most, second int // calls of getBlock, and in a second turn
	}{
		{"before the window", [][2]uint64{{2731, 2800}}, false, 2730, 2960, 24, 0},
		{"before the window, without blocks", [][2]uint64{{2731, 2800}}, true, 2730, 2960, 30, 0},
		{"before the window, a long one", [][2]uint64{{2701, 2800}}, false, 2700, 2960, 26, 0},
		{"from the end on", [][2]uint64{{2959, 3100}}, false, 2800, 2957, 12, 0},
		{"at both ends", [][2]uint64{{2751, 2800}, {2957, 3100}}, false, 2750, 2956, 32, 0},
	} {
		m := makeLedger(t)
		q := m.between(2800, 2960, unsent(1)...)
		q.Last = m.blocks[2955].height
		for _, hole := range row.holes {
			for slot := hole[0]; slot <= hole[1] && !row.skipped; slot++ {
				if m.blocks[slot] != nil {
					m.empty(slot)
				}
			}
		}
		m.skips = func(slot uint64) bool { return row.skipped && slot >= row.holes[0][0] && slot <= row.holes[0][1] }
		c := m.client()
		_, err := c.FinalHead(t.Context())
		require.NoError(t, err, row.what)
		m.spent()
		for _, most := range []int{row.most, row.second} {
			a, err := c.Absence(t.Context(), q)
			require.NoError(t, err, row.what)
			require.NoError(t, proof.Covered(q, a), row.what)
			require.Equal(t, []walletfi.Head{m.head(row.first), m.head(row.last)}, heads(a), row.what)
			require.LessOrEqual(t, m.spent()["getBlock"], most, row.what)
		}
		m.tip = 2993 // those after slot 2961 are not final
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err, row.what)
		require.NoError(t, proof.Covered(q, a), row.what)
		require.Equal(t, []walletfi.Head{m.head(row.first), m.head(row.last)}, heads(a), row.what)
	}
}

// TestLastBlockThatIsNull: a storage that fails answers so. Where no other block can be the last, it is
// asked again.
func TestLastBlockThatIsNull(t *testing.T) {
	m := makeLedger(t)
	nulls := 3
	m.edit = func(method string, result any) any {
		b, _ := result.(map[string]any)
		if method == "getBlock" && b["blockHeight"] == m.final().height && nulls > 0 {
			nulls--
			return nil
		}
		return result
	}
	c := m.client()
	q := m.between(2800, m.final().slot, unsent(1)...)
	a, err := c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	require.Zero(t, nulls)
	require.LessOrEqual(t, m.spent()["getBlock"], 14)
}

// TestAbsenceWithoutHistory: the cache answers if it reaches so far back.
func TestAbsenceWithoutHistory(t *testing.T) {
	m := makeLedger(t)
	m.noHistory = true
	q := m.between(2800, 2960, unsent(1)...)
	a, err := m.client().Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
	q = m.ago(2300, 2500, unsent(1)...)
	a, err = m.client().Absence(t.Context(), q)
	require.NoError(t, err)
	require.Error(t, proof.Covered(q, a), "what the cache does not have is not in it")
	require.Equal(t, []bool{false, false}, m.searched)
}

// TestAbsenceThatCannotBeShown: nothing is asked for that would show nothing.
func TestAbsenceThatCannotBeShown(t *testing.T) {
	for _, row := range []struct {
		what  string
		spoil func(*made, *query)
		want  string
	}{
		{"a gap in the store", func(m *made, _ *query) { m.from = 2400 }, "no"},
		{"a block that is not final", func(m *made, q *query) { q.Until.Slot = 2970 }, "no"},
		{"parents that do not meet", func(m *made, _ *query) { m.blocks[2400].parent = 2390 }, "1820, its parent 1812"},
		{"a parent that comes later", func(m *made, _ *query) { m.blocks[2400].parent = 2400 }, "lacks"},
		{"a window that is too wide", func(m *made, q *query) { q.After = m.head(2100) }, "more than 254 blocks"},
		{"a signature that is none", func(m *made, _ *query) { m.blocks[2400].signatures[1] = "x" }, "lacks"},
		{"none in a signature's place", func(m *made, _ *query) { m.blocks[2400].signatures[1] = "" }, "lacks"},
		{"no signature", func(_ *made, q *query) { q.Signatures = nil }, "must be 1 to 48, are 0"},
		{"too many", func(_ *made, q *query) { q.Signatures = unsent(49) }, "must be 1 to 48, are 49"},
		{"none at all", func(_ *made, q *query) { q.Signatures = []string{"x"} }, "signatures[0]"},
	} {
		m := makeLedger(t)
		q := m.ago(2300, 2500, unsent(1)...)
		row.spoil(m, &q)
		a, err := m.client().Absence(t.Context(), q)
		require.ErrorContains(t, err, row.want, row.what)
		require.Nil(t, a, row.what)
		require.Empty(t, m.asked, row.what)
	}
	// As many as fit into a call, and one more.
	for _, blocks := range []int{254, 255} {
		m := makeLedger(t)
		all := m.heads(2100, 2600)
		q := query{Signatures: unsent(1), After: all[0], Last: all[blocks-1].Height, Until: m.head(m.final().slot)}
		a, err := m.client().Absence(t.Context(), q)
		if blocks == 255 {
			require.ErrorContains(t, err, "more than 254 blocks")
			continue
		}
		require.NoError(t, err)
		require.NoError(t, proof.Covered(q, a))
		require.Len(t, m.asked[0], 256)
	}
	// A chain of empty blocks is not walked to its beginning.
	m := makeLedger(t)
	for slot := range m.blocks {
		if slot <= 2800 {
			m.empty(slot)
		}
	}
	_, err := m.client().Absence(t.Context(), m.between(2800, 2960, unsent(1)...))
	require.Error(t, err)
	require.Less(t, m.spent()["getBlock"], 300)
}

// TestGapInTheHistory: a node that has lost a block's transactions from its store says
// so by the witness, and its word on ours counts for nothing.
func TestGapInTheHistory(t *testing.T) {
	for _, lost := range m0heads(t) {
		m := makeLedger(t)
		q := m.ago(2300, 2500, unsent(1)...)
		for _, s := range m.blocks[lost.Slot].signatures {
			delete(m.landed, s)
		}
		a, err := m.client().Absence(t.Context(), q)
		require.NoError(t, err)
		require.ErrorContains(t, proof.Covered(q, a), "does not know transaction")
	}
}

// TestHollowArchive: a block that shows no transaction, as its archive has lost them, and one
// that does not follow on its parent, prove nothing of what is in them.
func TestHollowArchive(t *testing.T) {
	tx := signedOffline(t)
	sent, err := signing.Decode(tx.Transaction)
	require.NoError(t, err)
	for what, spoil := range map[string]func(*made){
		"no transactions":        func(m *made) { m.blocks[2400].signatures = []string{} },
		"those of another block": func(m *made) { m.blocks[2400].hash, m.blocks[2400].signatures = hashOf(9), m.blocks[2390].signatures },
		"another parent":         func(m *made) { m.blocks[2401].hash = hashOf(9) },
	} {
		m := makeLedger(t)
		q := m.ago(2300, 2500, unsent(1)...)
		m.blocks[2400].signatures[0] = tx.Signature // it did land
		spoil(m)
		a, err := m.client().Absence(t.Context(), q)
		require.True(t, err != nil || proof.Covered(q, a) != nil, what)
		at, err := m.client().MessageAbsence(t.Context(), q, sent.FeePayer().String(), sent.Message())
		require.Error(t, err, "%s: the payer's history, too, does not have it", what)
		require.Empty(t, at.Signature, what)
	}
}

// TestChainThatPassesByItsBeginning: a window that does not lead to the block that it begins
// after is of another ledger.
func TestChainThatPassesByItsBeginning(t *testing.T) {
	m := makeLedger(t)
	for what, change := range map[string]func(*query){
		"another height":     func(q *query) { q.After.Height-- },
		"a slot without one": func(q *query) { q.After.Slot = 2303 },
	} {
		q := m.ago(2304, 2500, unsent(1)...)
		change(&q)
		_, err := m.client().Absence(t.Context(), q)
		require.ErrorContains(t, err, "the blocks lead to", what)
		_, err = m.client().MessageAbsence(t.Context(), q, signing.PublicKey{5}.String(), []byte("m"))
		require.ErrorContains(t, err, "the blocks lead to", what)
	}
}

// TestParentThatIsDropped: the node does not tell its hash, as it has it no more. What follows
// on it is asked for again.
func TestParentThatIsDropped(t *testing.T) {
	m := makeLedger(t)
	q := m.ago(2300, 2500, unsent(1)...)
	dropped := true
	m.edit = func(method string, result any) any {
		if b, ok := result.(map[string]any); ok && method == "getBlock" && b["blockhash"] == hashOf(2400) && dropped {
			b["previousBlockhash"] = solana.Hash{}.String()
		}
		return result
	}
	c := m.client()
	_, err := c.Absence(t.Context(), q)
	require.ErrorContains(t, err, "slot 2400 follows on")
	dropped = false
	a, err := c.Absence(t.Context(), q)
	require.NoError(t, err)
	require.NoError(t, proof.Covered(q, a))
}

// m0heads are blocks of the window of old tests, each thirteenth.
func m0heads(t *testing.T) (some []walletfi.Head) {
	m := makeLedger(t)
	all := m.heads(2300, 2499)
	for i := 0; i < len(all); i += 13 {
		some = append(some, all[i])
	}
	some = append(some, all[len(all)-1], m.head(2500))
	require.Greater(t, len(some), 10)
	return some
}

// TestMessagesShareBlocks: the signatures of a block that was read serve for each message that is looked for in it,
// one after the other.
func TestMessagesShareBlocks(t *testing.T) {
	m := makeLedger(t)
	c, q := m.client(), m.between(2400, 2450)
	look := func(payer byte) {
		at, err := c.MessageAbsence(t.Context(), q, signing.PublicKey{payer}.String(), []byte{payer})
		require.NoError(t, err)
		require.Empty(t, at.Signature)
	}
	look(1)
	require.InDelta(t, 39, m.spent()["signatures of blocks"], 16)
	look(2)
	require.Empty(t, m.spent())
}

// TestMessageAbsence: every block of the window is read whole, and no other. Only the
// payer's own signature of the message counts.
func TestMessageAbsence(t *testing.T) {
	tx := signedOffline(t)
	sent, err := signing.Decode(tx.Transaction)
	require.NoError(t, err)
	payer, message := sent.FeePayer().String(), sent.Message()
	var window []uint64
	for _, h := range makeLedger(t).heads(2401, 2449) {
		window = append(window, h.Slot)
	}
	look := func(m *made, change func(*query)) (string, error) {
		q := m.between(2400, 2450)
		if change != nil {
			change(&q)
		}
		found, err := m.client().MessageAbsence(t.Context(), q, payer, message)
		return found.Signature, err
	}
	m := makeLedger(t)
	found, err := look(m, nil)
	require.NoError(t, err)
	require.Empty(t, found)
	require.InDelta(t, len(window), m.spent()["signatures of blocks"], 16, "and what lies at its end")
	require.Len(t, window, 39)
	for i := 0; i < len(window); i += 19 { // the first, the last and one between
		m, slot := makeLedger(t), window[i]
		m.blocks[slot].signatures = append([]string{tx.Signature}, m.blocks[slot].signatures...)
		found, err := look(m, nil)
		require.NoError(t, err)
		require.Equal(t, tx.Signature, found, "in slot %d", slot)
	}
	m = makeLedger(t)
	m.blocks[2400].signatures[0] = tx.Signature
	found, err = look(m, nil)
	require.NoError(t, err)
	require.Empty(t, found, "before the window")
	found, err = look(m, func(q *query) { q.Blockhash, q.After = m.blocks[2400].hash, m.head(2300) })
	require.NoError(t, err)
	require.Empty(t, found, "before its own block's end")
	m.blocks[2402].signatures[0] = tx.Signature
	found, err = look(m, func(q *query) { q.Blockhash, q.After = m.blocks[2400].hash, m.head(2300) })
	require.NoError(t, err)
	require.Equal(t, tx.Signature, found, "after it")

	for what, spoil := range map[string]func(*made){
		"a block is missing":             func(m *made) { m.from = 2410 },
		"parents do not meet":            func(m *made) { m.blocks[2420].parent = 2411 },
		"no list of signatures":          func(m *made) { m.blocks[2420].signatures = nil },
		"a signature that is none":       func(m *made) { m.blocks[2420].signatures[2] = "x" },
		"nothing in a signature's place": func(m *made) { m.blocks[2420].signatures[2] = "" },
	} {
		m := makeLedger(t)
		spoil(m)
		found, err := look(m, nil)
		require.Error(t, err, what)
		require.Empty(t, found, what)
	}
	_, err = makeLedger(t).client().MessageAbsence(t.Context(), walletfi.AbsenceQuery{}, "nobody", message)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
}

// TestNonceAt: the value in a finalized block, not before the slot that is asked for.
func TestNonceAt(t *testing.T) {
	m := makeLedger(t)
	account, value := signing.PublicKey{5}.String(), signing.PublicKey{42}
	m.nonce = func(slot uint64) signing.PublicKey {
		require.Equal(t, m.final().slot, slot)
		return value
	}
	for _, slot := range []uint64{0, m.final().slot} {
		state, err := m.client().NonceAt(t.Context(), account, slot)
		require.NoError(t, err)
		require.Equal(t, value.String(), state.Value)
		require.Equal(t, m.final().slot, state.AsOfSlot)
	}
	_, err := m.client().NonceAt(t.Context(), account, m.final().slot+1)
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	m.deaf = true
	_, err = m.client().NonceAt(t.Context(), account, m.final().slot+1)
	require.ErrorContains(t, err, "before")
	m.nonce = nil
	_, err = m.client().NonceAt(t.Context(), account, 0)
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	_, err = m.client().NonceAt(t.Context(), "x", 0)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	_, err = m.client().NonceUse(t.Context(), "x", value.String(), 0, 1)
	require.ErrorAs(t, err, &invalid)
}

// using is a transaction on a value that first advances a nonce account, of the ones that it
// mentions.
func using(t *testing.T, value solana.Hash, account solana.PublicKey, mentioned ...solana.PublicKey) walletfi.Signed {
	t.Helper()
	key, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	me := solana.PublicKey(key.PublicKey())
	ins := []solana.Instruction{system.NewAdvanceNonceAccountInstruction(account, solana.SysVarRecentBlockHashesPubkey, me).Build()}
	for _, m := range mentioned {
		ins = append(ins, system.NewAdvanceNonceAccountInstruction(m, solana.SysVarRecentBlockHashesPubkey, me).Build())
	}
	built, err := solana.NewTransaction(ins, value, solana.TransactionPayer(me))
	require.NoError(t, err)
	tx, err := solanago.FromSolana(built)
	require.NoError(t, err)
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	return tx.Signed()
}

// useOf asks what advanced a made account from a value between two slots.
func useOf(t *testing.T, c *rpcnode.Client, value solana.Hash, since, until uint64) (string, walletfi.Head, error) {
	t.Helper()
	use, err := c.NonceUse(t.Context(), solana.PublicKey{5}.String(), value.String(), since, until)
	return use.Signature, use.Changed, err
}

// TestNonceUse: the transaction that advanced the account from a value. What was read of a
// history is not read again, and nothing before or after the two slots.
func TestNonceUse(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	account, value := solana.PublicKey{5}, solana.Hash{1}
	use := func(value solana.Hash, since, until uint64) string {
		t.Helper()
		signature, changed, err := useOf(t, c, value, since, until)
		require.NoError(t, err)
		require.Equal(t, signature == "" && len(m.uses) > 0, changed.Slot > 0)
		return signature
	}
	require.Empty(t, use(value, 0, 2600), "no history")
	for i := range 3 {
		m.uses = append(m.uses, madeUse{using(t, value, account), uint64(2502 - i), nil})
	}
	require.Equal(t, m.uses[2].tx.Signature, use(value, 0, 2600), "the oldest is first")
	require.Equal(t, 1, m.spent()["getTransaction"])
	require.Equal(t, m.uses[1].tx.Signature, use(value, 2500, 2600))
	require.Equal(t, 1, m.spent()["getTransaction"])
	require.Empty(t, use(solana.Hash{2}, 2499, 2501), "of two that were read")
	require.Zero(t, m.spent()["getTransaction"])
	require.Empty(t, use(solana.Hash{2}, 2499, 2502))
	require.Equal(t, 1, m.spent()["getTransaction"])
	m.uses = slices.Insert(m.uses, 0, madeUse{using(t, solana.Hash{3}, account), 2600, "it failed"})
	require.Equal(t, m.uses[0].tx.Signature, use(solana.Hash{3}, 2502, 2600), "also if it failed")
}

// TestNonceUseBehindABalancer: a node that has not reached the last slot does not answer, and
// what one lacks the next one is asked for.
func TestNonceUseBehindABalancer(t *testing.T) {
	m := makeLedger(t)
	c := m.client()
	account, value := solana.PublicKey{5}, solana.Hash{1}
	m.uses = []madeUse{{signedOffline(t), 2600, nil}, {using(t, value, account), 2500, nil}}
	until := m.final().slot
	m.tip -= 10
	_, _, err := useOf(t, c, value, 0, until)
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	m.tip += 10

	nulls := map[string]int{m.uses[0].tx.Signature: 9, m.uses[1].tx.Signature: 1}
	m.edit = func(method string, result any) any {
		if method != "getTransaction" {
			return result
		}
		raw, err := base64.StdEncoding.DecodeString(result.(map[string]any)["transaction"].([]string)[0])
		require.NoError(t, err)
		tx, err := signing.DecodeBytes(raw)
		require.NoError(t, err)
		if nulls[tx.Signature().String()]--; nulls[tx.Signature().String()] >= 0 {
			return nil
		}
		return result
	}
	signature, _, err := useOf(t, c, value, 0, until)
	require.NoError(t, err)
	require.Equal(t, m.uses[1].tx.Signature, signature)
	_, changed, err := useOf(t, c, solana.Hash{3}, 0, until)
	require.NoError(t, err)
	require.Equal(t, m.head(2500), changed, "what no node has is newer")
	_, _, err = useOf(t, c, solana.Hash{3}, 2500, until)
	require.ErrorIs(t, err, walletfi.ErrDecode, "it may be the one that no node has")
}

// TestNonceThatAnotherTransactionAdvanced: one on a blockhash can advance a nonce too. The
// first that did is told, if it succeeded and is of this account.
func TestNonceThatAnotherTransactionAdvanced(t *testing.T) {
	account, other := solana.PublicKey{5}, solana.PublicKey{6}
	advance := func() walletfi.Signed { return using(t, solana.Hash{7}, account) }
	for what, row := range map[string]struct {
		uses  []madeUse // the newest first
		since uint64
		want  uint64 // 0 for none
	}{
		"one":                     {[]madeUse{{advance(), 2500, nil}}, 2400, 2500},
		"the first of two":        {[]madeUse{{advance(), 2501, nil}, {advance(), 2500, nil}}, 2400, 2500},
		"one that failed":         {[]madeUse{{advance(), 2501, nil}, {advance(), 2500, "no"}}, 2400, 2501},
		"all failed":              {[]madeUse{{advance(), 2500, "no"}}, 2400, 0},
		"of another account":      {[]madeUse{{using(t, solana.Hash{7}, other, account), 2500, nil}}, 2400, 0},
		"that mentions it":        {[]madeUse{{signedOffline(t), 2500, nil}}, 2400, 0},
		"in the first slot":       {[]madeUse{{advance(), 2500, nil}}, 2500, 0},
		"a slot after that":       {[]madeUse{{advance(), 2500, nil}}, 2499, 2500},
		"in the last slot":        {[]madeUse{{advance(), 2600, nil}}, 2400, 2600},
		"a slot after the last":   {[]madeUse{{advance(), 2601, nil}}, 2400, 0},
		"and then ours, which is": {[]madeUse{{advance(), 2600, nil}, {advance(), 2401, nil}}, 2400, 2401},
	} {
		m := makeLedger(t)
		m.uses = row.uses
		signature, changed, err := useOf(t, m.client(), solana.Hash{1}, row.since, 2600)
		require.NoError(t, err, what)
		require.Empty(t, signature, what)
		if row.want == 0 {
			require.Zero(t, changed, what)
			continue
		}
		require.Equal(t, m.head(row.want), changed, what)
	}

	m := makeLedger(t)
	m.uses = []madeUse{{advance(), 2500, nil}}
	m.edit = func(method string, result any) any {
		if method == "getSignaturesForAddress" {
			delete(result.([]any)[0].(map[string]any), "err")
		}
		return result
	}
	_, changed, err := useOf(t, m.client(), solana.Hash{1}, 2400, 2600)
	require.NoError(t, err)
	require.Zero(t, changed, "it does not say that it succeeded")
}

// TestBlockThatOneNodeLacks: of one address's nodes one has not reached a block, has dropped it
// or has a gap there. It is asked for again at once, and not for ever.
func TestBlockThatOneNodeLacks(t *testing.T) {
	for code, lacks := range map[int]func(*made, func(uint64) bool){
		-32004: func(m *made, once func(uint64) bool) { m.hides = once },
		-32001: func(m *made, once func(uint64) bool) { m.drops = once },
		-32007: func(m *made, once func(uint64) bool) { m.skips = once },
	} {
		for times, want := range map[int]bool{1: true, 2: true, 3: false} {
			m := makeLedger(t)
			m.uses = []madeUse{{using(t, solana.Hash{7}, solana.PublicKey{5}), 2500, nil}}
			left := times
			lacks(m, func(slot uint64) bool { left--; return slot == 2500 && left >= 0 })
			_, changed, err := useOf(t, m.client(), solana.Hash{1}, 2400, 2600)
			require.Equal(t, want, err == nil && changed == m.head(2500), "%d %d", code, times)
			require.Equal(t, min(times+1, 3), m.spent()["getBlock"], "%d %d", code, times)
		}
	}
	m := makeLedger(t)
	missed := 0
	m.skips = func(slot uint64) bool {
		if slot == 2310 {
			missed++
		}
		return slot == 2310 && missed%3 != 0 // two of three nodes have a gap there
	}
	require.NoError(t, covers(t, m.client(), m.ago(2300, 2330, unsent(1)...)))
	require.Equal(t, 3, missed)
}

// TestNonceUseOfAnotherAccount: two accounts that were advanced in one block hold the same
// value. What used the one and mentions the other says nothing of the other.
func TestNonceUseOfAnotherAccount(t *testing.T) {
	m := makeLedger(t)
	account, other, value := solana.PublicKey{5}, solana.PublicKey{6}, solana.Hash{1}
	m.uses = []madeUse{
		{using(t, value, other, account), 2502, nil}, {signedOffline(t), 2501, nil}, {using(t, value, other), 2500, nil},
	}
	used, _, err := useOf(t, m.client(), value, 0, 2600)
	require.NoError(t, err)
	require.Empty(t, used)
	m.uses = append(m.uses, madeUse{using(t, value, account, other), 2500, nil})
	used, _, err = useOf(t, m.client(), value, 0, 2600)
	require.NoError(t, err)
	require.Equal(t, m.uses[3].tx.Signature, used)

	// An answer that has the signature somewhere is not the transaction.
	m.uses[3].tx.Transaction = holding(t, m.uses[3].tx.Signature)
	_, _, err = useOf(t, m.client(), value, 0, 2600)
	require.ErrorContains(t, err, "the answer is not transaction")
}

// holding is a transaction that has a signature in its data.
func holding(t *testing.T, signature string) walletfi.Base64Transaction {
	t.Helper()
	data := solana.MustSignatureFromBase58(signature)
	built, err := solana.NewTransaction([]solana.Instruction{solana.NewInstruction(solana.MemoProgramID, nil, data[:])},
		solana.Hash{1}, solana.TransactionPayer(shop))
	require.NoError(t, err)
	built.Signatures = make([]solana.Signature, 1)
	text, err := built.ToBase64()
	require.NoError(t, err)
	return walletfi.Base64Transaction(text)
}
