package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// TestBound: the finalized height, and a block for each slot since.
func TestBound(t *testing.T) {
	final := head{Slot: 1000, Height: 900}
	for _, row := range []struct{ seen, want uint64 }{
		{0, 900}, {999, 900}, {1000, 900}, {1001, 901}, {1032, 932}, {1400, 1300},
	} {
		require.Equal(t, row.want, proof.Bound(final, row.seen), "seen in slot %d", row.seen)
	}
}

// bounds are nodes that vouch for heights; 0 stands for one that has shown nothing.
func bounds(heights ...uint64) (nodes []walletfi.NodeEvidence) {
	for i, h := range heights {
		n := walletfi.NodeEvidence{Node: ids(9)[i]}
		if h > 0 {
			n.Seen, n.Bound = h+100, h
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// aged has the nodes tell an age.
func aged(blocks uint64, nodes []walletfi.NodeEvidence) []walletfi.NodeEvidence {
	for i := range nodes {
		nodes[i].Age = blocks
	}
	return nodes
}

// TestLast: the least bound that a quorum vouches for and the age. A word raises it, as
// long as it is believable.
func TestLast(t *testing.T) {
	require.Equal(t, 151, proof.Age, "what an executing block looks at")
	for _, row := range []struct {
		what       string
		shown      []walletfi.NodeEvidence
		nodes      int
		told, want uint64 // 0 for unknown
	}{
		{"a lone node", bounds(1000), 1, 0, 1151},
		{"nothing shown", bounds(0), 1, 9999, 0},
		{"nobody asked", nil, 1, 9999, 0},
		{"one of two", bounds(1000), 2, 0, 0},
		{"one of two, the other has shown nothing", bounds(1000, 0), 2, 0, 0},
		{"two of two: the higher", bounds(1000, 1010), 2, 0, 1161},
		{"three: the second", bounds(1020, 1000, 1010), 3, 0, 1161},
		{"three, one far too low", bounds(1, 1000, 1010), 3, 0, 1151},
		{"three, one far too high", bounds(1<<40, 1010, 1000), 3, 0, 1161},
		{"two of three", bounds(1020, 0, 1000), 3, 0, 1171},
		{"one of three", bounds(0, 0, 1000), 3, 0, 0},
		{"three of five", bounds(0, 1020, 1000, 0, 1010), 5, 0, 1171},
		{"two of five", bounds(0, 1020, 1000, 0, 0), 5, 0, 0},
		{"bound 0 is a bound", []walletfi.NodeEvidence{{Node: "a", Seen: 1}}, 1, 0, 151},
		{"a shorter age is none", aged(150, bounds(1000)), 1, 0, 1151},
		{"a longer age", aged(152, bounds(1000)), 1, 0, 1152},
		{"an earlier word", bounds(1000), 1, 1149, 1151},
		{"a word that is one short of it", bounds(1000), 1, 1150, 1151},
		{"the next word", bounds(1000), 1, 1151, 1152},
		{"a later word", bounds(1000), 1, 1152, 1153},
		{"the latest that is believed", bounds(1000), 1, 1151 + 31, 1183},
		{"a later one", bounds(1000), 1, 1151 + 32, 1151},
		{"the age is a node's own", append(aged(200, bounds(1000)), bounds(1, 1040)[1]), 2, 0, 1200},
		{"a node of another configuration", bounds(1020, 1010, 1000), 2, 0, 1171},
		{"both", aged(160, bounds(1000)), 1, 1161, 1162},
	} {
		e := &walletfi.Evidence{Told: row.told, Nodes: row.shown}
		last, known := proof.Last(e, ids(row.nodes))
		require.Equal(t, row.want > 0, known, row.what)
		require.Equal(t, row.want, last, row.what)
	}
}

// TestValid: the lowest bound stays, and what was shown of the end is over.
func TestValid(t *testing.T) {
	final := head{Slot: 1000, Height: 900}
	for _, row := range []struct {
		what        string
		seen, bound uint64 // before
		slot        uint64
		want, at    uint64
	}{
		{"the first time", 0, 0, 1032, 932, 1032},
		{"the first time, in a finalized slot", 0, 0, 990, 900, 990},
		{"lower", 1040, 933, 1032, 932, 1032},
		{"the same", 1020, 932, 1032, 932, 1020},
		{"higher", 1020, 931, 1032, 931, 1020},
	} {
		n := walletfi.NodeEvidence{
			Node: "b", Seen: row.seen, Bound: row.bound, Block: head{Slot: 7}, Gone: head{Slot: 1}, Nulls: []walletfi.Null{{}},
		}
		proof.Valid(&n, final, row.slot)
		require.Equal(t, walletfi.NodeEvidence{Node: "b", Seen: row.at, Bound: row.want, Block: head{Slot: 7}}, n, row.what)
	}
}

// TestEnded: what is not valid any more ends there at the latest, and nothing else changes. A node that has
// not reached the slot in which the blockhash was seen may not have heard of it.
func TestEnded(t *testing.T) {
	final := head{Slot: 1000, Height: 900}
	for _, row := range []struct {
		what             string
		seen, bound, age uint64 // before
		slot, want       uint64
	}{
		{"older than it could be", 990, 890, 0, 1000, 749},
		{"in a later slot", 990, 890, 0, 1010, 759},
		{"in an earlier slot", 990, 890, 0, 995, 749},
		{"in the slot in which it was seen", 995, 890, 0, 995, 749},
		{"in one before", 996, 890, 0, 995, 890},
		{"seen in the first slot", 1, 890, 0, 1000, 749},
		{"never seen", 0, 890, 0, 1000, 890},
		{"a longer age", 990, 890, 200, 1000, 700},
		{"a shorter age", 990, 890, 100, 1000, 749},
		{"no older than was known", 990, 749, 0, 1000, 749},
		{"less old than was known", 990, 748, 0, 1000, 748},
	} {
		n := walletfi.NodeEvidence{Node: "b", Seen: row.seen, Bound: row.bound, Age: row.age, UsedBy: "u"}
		want := n
		want.Bound = row.want
		proof.Ended(&n, final, row.slot)
		require.Equal(t, want, n, row.what)
	}
	young := walletfi.NodeEvidence{Seen: 90, Bound: 80}
	proof.Ended(&young, head{Slot: 100, Height: 90}, 100)
	require.Zero(t, young.Bound, "of a ledger that has just begun")
}

// TestFound: the block is its own bound, whatever was known before.
func TestFound(t *testing.T) {
	n := walletfi.NodeEvidence{Node: "b", Seen: 9999, Bound: 8888, UsedBy: "u"}
	proof.Found(&n, head{Slot: 1000, Height: 900})
	block := head{Slot: 1000, Height: 900}
	require.Equal(t, walletfi.NodeEvidence{Node: "b", Seen: 1000, Bound: 900, Block: block, UsedBy: "u"}, n)
}

// TestShare: the lower bound of each node serves both, with the block and the age that belong to it. What
// has been seen nowhere says nothing, and no more than this is shared.
func TestShare(t *testing.T) {
	has := node{
		Node: "a", Seen: 1010, Bound: 905, Block: head{Slot: 1005, Height: 905}, Age: 152,
		Gone: head{Slot: 1200}, Nulls: []walletfi.Null{{}}, UsedBy: "u",
	}
	other := node{Node: "a", Seen: 1005, Bound: 905, Block: head{Slot: 1005, Height: 905}, Age: 151}
	shared := node{Node: "a", Seen: 1010, Bound: 905, Block: head{Slot: 1005, Height: 905}, Age: 152}
	for what, row := range map[string]struct{ own, want []node }{
		"nothing known":      {nil, []node{shared}},
		"not seen":           {[]node{{Node: "a"}}, []node{shared}},
		"a higher bound":     {[]node{{Node: "a", Seen: 1003, Bound: 906}}, []node{shared}},
		"the same bound":     {[]node{{Node: "a", Seen: 1003, Bound: 905}}, []node{shared}},
		"the same block":     {[]node{other}, []node{other}},
		"a lower bound":      {[]node{{Node: "a", Seen: 1020, Bound: 904}}, []node{{Node: "a", Seen: 1020, Bound: 904}}},
		"of another node":    {[]node{{Node: "b", Seen: 1003, Bound: 904}}, []node{{Node: "b", Seen: 1003, Bound: 904}, shared}},
		"a node's own words": {[]node{{Node: "a", Missing: "m"}}, []node{with(shared, "m")}},
	} {
		e := walletfi.Evidence{Nodes: row.own}
		proof.Share(&e, &walletfi.Evidence{Nodes: []node{{Node: "c", Bound: 1}, has}})
		require.Equal(t, row.want, e.Nodes, what)
	}
}

func with(n node, missing string) node {
	n.Missing = missing
	return n
}

// TestNearer: a final head bounds the blocks up to a slot at or after its own, and only ever lower.
func TestNearer(t *testing.T) {
	for what, row := range map[string]struct {
		seen, bound uint64
		block       head
		final       head
		want        uint64
	}{
		"none is known":       {1000, 950, head{}, head{}, 950},
		"older":               {1000, 950, head{}, head{Slot: 980, Height: 900}, 920},
		"of that slot":        {1000, 950, head{}, head{Slot: 1000, Height: 910}, 910},
		"newer":               {1000, 950, head{}, head{Slot: 1001, Height: 910}, 950},
		"not nearer":          {1000, 950, head{}, head{Slot: 900, Height: 860}, 950},
		"its block is known":  {1000, 950, head{Slot: 1000, Height: 950}, head{Slot: 1000, Height: 910}, 950},
		"it was not seen yet": {0, 0, head{}, head{Slot: 1000, Height: 910}, 0},
	} {
		n := walletfi.NodeEvidence{Seen: row.seen, Bound: row.bound, Block: row.block}
		proof.Nearer(&n, row.final)
		require.Equal(t, row.want, n.Bound, what)
		require.Equal(t, row.seen, n.Seen, what)
	}
}
