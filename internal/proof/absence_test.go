package proof_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// window is from after slot 1000 of height 900 to height 903. Slot 1002 was skipped.
func window() walletfi.AbsenceQuery {
	return walletfi.AbsenceQuery{
		Signatures: []string{"a", "b"}, Last: 903,
		After: head{Slot: 1000, Height: 900}, Until: head{Slot: 1005, Height: 904},
	}
}

// at is a witness of one of its blocks, that the node knows.
func at(slot, height uint64) walletfi.Witness {
	return walletfi.Witness{
		Head: head{Slot: slot, Height: height}, Blockhash: "of " + string(rune('a'+height-900)), Signature: "w",
		Status: walletfi.SignatureStatus{Found: true, Slot: slot, Commitment: walletfi.CommitmentFinalized},
	}
}

// without is a block that holds nothing.
func without(w walletfi.Witness) walletfi.Witness {
	return walletfi.Witness{Head: w.Head, Blockhash: w.Blockhash}
}

// open adds to an answer what the node says of a transaction of a slot.
func open(slot uint64, c walletfi.Commitment, a *walletfi.Absence) *walletfi.Absence {
	a.Open = walletfi.SignatureStatus{Found: true, Slot: slot, Commitment: c}
	return a
}

// answered is an answer with witnesses, by a node at a slot.
func answered(asOf uint64, witnesses ...walletfi.Witness) *walletfi.Absence {
	return &walletfi.Absence{AsOfSlot: asOf, Statuses: make([]walletfi.SignatureStatus, 2), Witnesses: witnesses}
}

// whole has a witness of each block.
func whole() []walletfi.Witness {
	return []walletfi.Witness{at(1000, 900), at(1001, 901), at(1003, 902), at(1004, 903), at(1005, 904)}
}

// Slots of a node: the first window is in its cache of statuses, the second is not.
const (
	inCache = 1005 + proof.Cache - 4 // the block of slot 1005 is the fourth after the first
	beyond  = inCache + 1
)

// TestCovered: a row for each way in which an answer may not cover its window.
func TestCovered(t *testing.T) {
	require.Equal(t, 300, proof.Cache, "what a node's cache of statuses holds")
	ends := []walletfi.Witness{at(1000, 900), at(1005, 904)}
	skip := func(i int) []walletfi.Witness { return slices.Delete(whole(), i, i+1) }
	change := func(w []walletfi.Witness, i int, spoil func(*walletfi.Witness)) []walletfi.Witness {
		w = slices.Clone(w)
		spoil(&w[i])
		return w
	}
	empty := func(w *walletfi.Witness) { *w = without(*w) }
	unknown := func(w *walletfi.Witness) { w.Status = walletfi.SignatureStatus{} }
	elsewhere := func(w *walletfi.Witness) { w.Status.Slot++ }
	confirmed := func(w *walletfi.Witness) { w.Status.Commitment = walletfi.CommitmentConfirmed }
	hash := func(h string) func(*walletfi.AbsenceQuery) {
		return func(q *walletfi.AbsenceQuery) { q.Blockhash = h }
	}
	last := func(height uint64) func(*walletfi.AbsenceQuery) {
		return func(q *walletfi.AbsenceQuery) { q.Last = height }
	}
	statuses := func(n int) *walletfi.Absence {
		a := answered(inCache, ends...)
		a.Statuses = make([]walletfi.SignatureStatus, n)
		return a
	}
	for _, row := range []struct {
		what   string
		answer *walletfi.Absence
		change func(*walletfi.AbsenceQuery)
		want   string // in the error; "" if it covers
	}{
		// In the cache, from both ends.
		{"both ends", answered(inCache, ends...), nil, ""},
		{"every block", answered(inCache, whole()...), nil, ""},
		{"one between is not known", answered(inCache, change(whole(), 2, unknown)...), nil, "transaction w of slot 1003"},
		{"an older and a newer block", answered(1299, at(999, 899), at(1009, 908)), nil, ""},
		{"no witness", answered(inCache), nil, "0 witnesses"},
		{"one witness", answered(inCache, at(1005, 904)), nil, "1 witnesses"},
		{"a status short", statuses(1), nil, "1 statuses for 2"},
		{"a status more", statuses(3), nil, "3 statuses for 2"},
		{"the first is not known", answered(inCache, change(ends, 0, unknown)...), nil, "transaction w of slot 1000"},
		{"the last is not known", answered(inCache, change(ends, 1, unknown)...), nil, "transaction w of slot 1005"},
		{"the first in another slot", answered(inCache, change(ends, 0, elsewhere)...), nil, "into slot 1001"},
		{"the last in another slot", answered(inCache, change(ends, 1, elsewhere)...), nil, "into slot 1006"},
		{"the first is not final", answered(inCache, change(ends, 0, confirmed)...), nil, "finalized slot 1000 confirmed"},
		{"the last is not final", answered(inCache, change(ends, 1, confirmed)...), nil, "finalized slot 1005 confirmed"},
		{"the first block is empty", answered(inCache, change(ends, 0, empty)...), nil, "no transaction"},
		{"the last block is empty", answered(inCache, change(ends, 1, empty)...), nil, "no transaction"},
		{"begins a slot late", answered(inCache, at(1001, 901), at(1005, 904)), nil, "witness is of slot 1001, after 1000"},
		{"ends past the window, and before the slot", answered(1298, at(1000, 900), at(1004, 904)), nil, ""},
		{"the same, and the node is a slot behind", answered(1004, at(1000, 900), at(1004, 904)), nil,
			"had reached slot 1004, before 1005"},
		{"ends at the last height", answered(inCache, at(1000, 900), at(1005, 903)), nil, "the last witness"},
		{"the node is a slot behind", answered(1004, ends...), nil, "had reached slot 1004, before 1005"},
		{"the node is as far", answered(1005, ends...), nil, ""},
		// What was not final yet: the cache goes by what was rooted before.
		{"confirmed", open(beyond, walletfi.CommitmentConfirmed, answered(1334, ends...)), nil, ""},
		{"processed", open(beyond, walletfi.CommitmentProcessed, answered(1334, ends...)), nil, ""},
		{"confirmed a slot later", open(beyond+1, walletfi.CommitmentConfirmed, answered(1334, ends...)), nil, "height 901"},
		{"final", open(beyond, walletfi.CommitmentFinalized, answered(1334, ends...)), nil, "height 901"},
		{"no commitment", open(beyond, "", answered(1334, ends...)), nil, "height 901"},
		{"newer than the answer", open(1336, walletfi.CommitmentConfirmed, answered(1334, ends...)), nil, "height 901"},
		{"of no slot", open(0, walletfi.CommitmentConfirmed, answered(1334, ends...)), nil, "height 901"},
		// The blockhash's own block.
		{"its own block is first", answered(inCache, at(1001, 901), at(1005, 904)), hash("of b"), ""},
		{"another block is first", answered(inCache, at(1001, 901), at(1005, 904)), hash("of c"), "the first witness"},
		{"its own is second", answered(inCache, at(1001, 901), at(1003, 902), at(1005, 904)), hash("of c"), "first witness"},
		{"no blockhash, and a block without", answered(inCache, walletfi.Witness{
			Head: head{Slot: 1001, Height: 901}, Signature: "w", Status: at(1001, 901).Status,
		}, at(1005, 904)), nil, "the first witness"},
		// Older than the cache, block by block.
		{"older, both ends", answered(beyond, ends...), nil, "the block of height 901 has no witness"},
		{"older, every block", answered(beyond, whole()...), nil, ""},
		{"older, the second is missing", answered(beyond, skip(1)...), nil, "height 901"},
		{"older, one between is missing", answered(beyond, skip(2)...), nil, "height 902"},
		{"older, the last of the window is missing", answered(beyond, skip(3)...), nil, "height 903"},
		{"older, one comes twice", answered(beyond, slices.Insert(whole(), 2, at(1001, 901))...), nil, "height 902"},
		{"older, one between is empty", answered(beyond, change(whole(), 2, empty)...), nil, "the block of slot 1003 shows no"},
		{"one between is empty", answered(inCache, change(whole(), 2, empty)...), nil, ""},
		{"older, one between is not known", answered(beyond, change(whole(), 2, unknown)...), nil, "does not know"},
		{"older, one between in another slot", answered(beyond, change(whole(), 3, elsewhere)...), nil, "into slot 1005"},
		{"older, one between is not final", answered(beyond, change(whole(), 1, confirmed)...), nil, "confirmed"},
		{"older, blocks before the window", answered(beyond, slices.Insert(whole(), 0, at(999, 899))...), nil, ""},
		{"older, a gap before the window", answered(beyond, slices.Insert(whole(), 0, at(998, 898))...), nil, "height 899"},
		{"older, a gap after the window", answered(beyond, append(whole()[:4:4], at(1090, 980))...), nil, ""},
		{"older, from its own block", answered(beyond+1, whole()[1:]...), hash("of b"), ""},
		{"older, nothing between", answered(beyond, at(1000, 903), at(1005, 904)),
			func(q *walletfi.AbsenceQuery) { q.After.Height = 903 }, ""},
		{"older, the window is one block", answered(beyond, ends...), last(901), "height 901"},
		{"older, the window ends where it begins", answered(beyond, ends...), last(900), ""},
		{"a first one that is later, no higher", answered(inCache, at(1001, 900), at(1005, 904)), nil, "the first witness"},
		{"a first block that is too high", answered(beyond, at(1000, 904), at(1005, 904)), nil, "the first witness"},
	} {
		q := window()
		if row.change != nil {
			row.change(&q)
		}
		err := proof.Covered(q, row.answer)
		if row.want == "" {
			require.NoError(t, err, row.what)
		} else {
			require.ErrorContains(t, err, row.want, row.what)
		}
	}
}

// TestAbsent: the first answer stays, and one that comes too early after it does not count.
func TestAbsent(t *testing.T) {
	null := func(asOf, final uint64) walletfi.Null { return walletfi.Null{AsOfSlot: asOf, Final: final} }
	n := &walletfi.NodeEvidence{}
	for _, row := range []struct {
		what  string
		given walletfi.Null
		want  []walletfi.Null
	}{
		{"the first", null(1000, 960), []walletfi.Null{null(1000, 960)}},
		{"a slot too early", null(1031, 999), []walletfi.Null{null(1000, 960)}},
		{"final in the same slot", null(1032, 1000), []walletfi.Null{null(1000, 960), null(1032, 1000)}},
		{"too early again", null(1031, 999), []walletfi.Null{null(1000, 960), null(1032, 1000)}},
		{"a later one", null(1040, 1008), []walletfi.Null{null(1000, 960), null(1040, 1008)}},
	} {
		before := slices.Clone(n.Nulls)
		was := n.Nulls
		proof.Absent(n, row.given)
		require.Equal(t, row.want, n.Nulls, row.what)
		require.Equal(t, before, was, "%s: what was told before does not change", row.what)
	}
}

// TestNullOf: what is kept of an answer.
func TestNullOf(t *testing.T) {
	require.Equal(t, walletfi.Null{
		AsOfSlot: 1040, From: head{Slot: 1000, Height: 900}, To: head{Slot: 1005, Height: 904}, Witnesses: 5, Final: 1008,
	}, proof.NullOf(answered(1040, whole()...), head{Slot: 1008, Height: 907}))
}

// TestAbsentMessage: blocks that were read whole count twice, as they do not change.
func TestAbsentMessage(t *testing.T) {
	n := &walletfi.NodeEvidence{}
	proof.AbsentMessage(n, window())
	want := walletfi.Null{
		AsOfSlot: 1005, From: head{Slot: 1000, Height: 900}, To: head{Slot: 1005, Height: 904}, Witnesses: 3, Final: 1005,
	}
	require.Equal(t, []walletfi.Null{want, want}, n.Nulls)
}

// TestRecall: what an earlier version took for evidence is shown again. A null of one
// signature says nothing of a message that somebody else can sign again, and the use of a
// nonce's value nothing of an account.
func TestRecall(t *testing.T) {
	one, other := walletfi.Null{AsOfSlot: 1000, Final: 960}, walletfi.Null{AsOfSlot: 1040, Final: 1008}
	for _, row := range []struct {
		nulls       []walletfi.Null
		fixed, kept bool
	}{
		{[]walletfi.Null{one, other}, true, true},
		{[]walletfi.Null{one}, true, true},
		{[]walletfi.Null{one, other}, false, false},
		{[]walletfi.Null{one}, false, false},
		{[]walletfi.Null{one, one}, false, true},
	} {
		n := walletfi.NodeEvidence{Seen: 7, UsedBy: "x", Nulls: slices.Clone(row.nulls)}
		proof.Recall(&n, row.fixed)
		want := walletfi.NodeEvidence{Seen: 7}
		if row.kept {
			want.Nulls = row.nulls
		}
		require.Equal(t, want, n)
	}
}

// TestRooted: what the node calls confirmed was not rooted when it answered, nor any slot after it.
func TestRooted(t *testing.T) {
	for _, row := range []struct {
		slot uint64
		is   walletfi.Commitment
		want uint64
	}{
		{1, walletfi.CommitmentConfirmed, 0},
		{500, walletfi.CommitmentConfirmed, 499},
		{500, walletfi.CommitmentProcessed, 499},
		{500, walletfi.CommitmentFinalized, 600},
		{600, walletfi.CommitmentConfirmed, 599},
		{601, walletfi.CommitmentConfirmed, 600}, // after what it had reached
		{0, walletfi.CommitmentConfirmed, 600},   // no slot is told
	} {
		require.Equal(t, row.want, proof.Rooted(open(row.slot, row.is, answered(600))), row)
	}
}

// TestAhead: only one first answer tells by how much the node was newer than its heads.
func TestAhead(t *testing.T) {
	for newer, want := range map[uint64]bool{63: false, 64: true} {
		n := &walletfi.NodeEvidence{Nulls: []walletfi.Null{{AsOfSlot: 5000 + newer, Final: 5000}}}
		require.Equal(t, want, proof.Ahead(n), newer)
		n.Nulls = append(n.Nulls, n.Nulls[0])
		require.False(t, proof.Ahead(n), "the second was given by what was final")
	}
	require.False(t, proof.Ahead(&walletfi.NodeEvidence{}))
}
