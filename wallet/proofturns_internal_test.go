package wallet

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

var errAway = errors.New("away")

// TestStepsShareTheirBlockhash: what a step's node has shown of its blockhash serves a later step of the
// set, and nothing else that it has shown does.
func TestStepsShareTheirBlockhash(t *testing.T) {
	end := func(seen, bound uint64) walletfi.NodeEvidence {
		return walletfi.NodeEvidence{Node: "a", Seen: seen, Bound: bound, Age: 152, Block: made(bound + 1000)}
	}
	shown := end(5010, 4005)
	shown.Gone, shown.Nulls, shown.Missing = made(5200), []walletfi.Null{{AsOfSlot: 5200}}, "something"
	for what, row := range map[string]struct {
		change func(first, second *EntryStep)
		want   []walletfi.NodeEvidence
	}{
		"nothing shown": {func(*EntryStep, *EntryStep) {}, []walletfi.NodeEvidence{end(5010, 4005)}},
		"shown later": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "a", Seen: 5050, Bound: 4050, UsedBy: "x"}}
		}, []walletfi.NodeEvidence{end(5010, 4005)}},
		"shown before": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "a", Seen: 5001, Bound: 4001}}
		}, []walletfi.NodeEvidence{{Node: "a", Seen: 5001, Bound: 4001}}},
		"another node": {func(_, second *EntryStep) {
			second.Evidence.Nodes = []walletfi.NodeEvidence{{Node: "b", Seen: 5001, Bound: 4001}}
		}, []walletfi.NodeEvidence{{Node: "b", Seen: 5001, Bound: 4001}, end(5010, 4005)}},
		"another blockhash": {func(first, _ *EntryStep) { first.Blockhash = "other" }, nil},
		"a nonce":           {func(first, _ *EntryStep) { first.NonceAccount = "n" }, nil},
		"for a nonce":       {func(_, second *EntryStep) { second.NonceAccount = "n" }, nil},
		"not seen":          {func(first, _ *EntryStep) { first.Evidence.Nodes[0].Seen = 0 }, nil},
		"nothing known":     {func(first, _ *EntryStep) { first.Evidence = nil }, nil},
	} {
		first := EntryStep{Blockhash: "5000", Evidence: &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{shown}}}
		second := EntryStep{Blockhash: "5000", Evidence: &walletfi.Evidence{After: made(4960)}}
		row.change(&first, &second)
		f := newFlight(&parcel{}, Entry{Steps: []EntryStep{first, second}}, 1)
		require.Equal(t, row.want, f.evidence.Nodes, what)
		require.Equal(t, made(4960), f.evidence.After, what)
	}
}

// TestValidBeforeAHeadIsKnown: that a blockhash was valid is asked once, and bounds its block by the first final
// head that is known afterwards, whether that is older or newer.
func TestValidBeforeAHeadIsKnown(t *testing.T) {
	for final, bound := range map[uint64]uint64{5050: 4068, 5068: 4068, 5080: 4080} { // it was valid in slot 5068
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.tip = 5069
		ask := func() []string {
			b.mu.Lock()
			p := b.passOf(0, []*flight{f})
			b.mu.Unlock()
			p.Ask(t.Context())
			b.mu.Lock()
			b.shown(0, p)
			b.mu.Unlock()
			return b.nodes[0].Asked()
		}
		require.Equal(t, []string{"valid"}, ask())
		require.Contains(t, f.evidence.Nodes[0].Missing, "no final block is known")
		require.Zero(t, f.evidence.Nodes[0].Seen)
		require.Empty(t, ask(), "it is known")
		b.prover.Learn(made(final))
		require.Equal(t, []string{"age"}, ask())
		require.Equal(t, uint64(5068), f.evidence.Nodes[0].Seen)
		require.Equal(t, bound, f.evidence.Nodes[0].Bound)
	}
}

// TestNearerHeads: a final head that is nearer to the slot in which the blockhash was valid tells how many blocks
// there are up to it, and the end is reached sooner.
func TestNearerHeads(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	b.turn(5069, f)
	require.Equal(t, uint64(4068), f.evidence.Nodes[0].Bound, "a block a slot")
	for _, row := range []struct {
		final Head
		bound uint64
	}{
		{Head{Slot: 5060, Height: 4050}, 4058}, {Head{Slot: 5068, Height: 4051}, 4051}, {Head{Slot: 5069, Height: 4051}, 4051},
	} {
		b.prover.Learn(row.final)
		b.mu.Lock()
		p := b.passOf(0, []*flight{f})
		b.mu.Unlock()
		require.Equal(t, row.bound, p.Items[0].Shown.Bound)
		require.Equal(t, row.bound+proof.Age, p.Items[0].Last)
		require.Equal(t, row.bound, f.evidence.Nodes[0].Bound)
	}
}

// TestPaceOfANodeAhead: its blocks may be final before the heads say so.
func TestPaceOfANodeAhead(t *testing.T) {
	for _, row := range []struct {
		seen uint64
		want time.Duration
	}{{5263, 12600 * time.Millisecond}, {5264, 6400 * time.Millisecond}, {5220, 4 * time.Second}} {
		b := provingOn(t, 1)
		f := b.sent("s", 5000, 4960)
		b.turn(5232, f) // 5200 is final
		*proof.Node(f.evidence, "node 0") = walletfi.NodeEvidence{
			Node: "node 0", Seen: 5000, Bound: 4000, Gone: made(5160), Nulls: []walletfi.Null{{AsOfSlot: row.seen, Final: 5200}},
		}
		require.Equal(t, row.want, b.untilNews(f), row.seen)
	}
}
