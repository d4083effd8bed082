package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// gone is a node that has shown everything of a blockhash whose last height is 1151:
// its end in slot 1260, and two answers without the transaction.
func gone(number int) walletfi.NodeEvidence {
	return walletfi.NodeEvidence{
		Node: ids(9)[number-1], Seen: 1100, Bound: 1000, Gone: head{Slot: 1260, Height: 1152},
		Nulls: []walletfi.Null{
			{AsOfSlot: 1292, To: head{Slot: 1260, Height: 1152}, Final: 1260},
			{AsOfSlot: 1324, To: head{Slot: 1292, Height: 1184}, Final: 1292},
		},
	}
}

// but is gone with something missing.
func but(number int, spoil func(*walletfi.NodeEvidence)) walletfi.NodeEvidence {
	n := gone(number)
	spoil(&n)
	return n
}

type node = walletfi.NodeEvidence

// ids are the identities of some nodes.
func ids(nodes int) []string {
	return []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}[:nodes]
}

// TestDead: each of a majority of the nodes has shown the end, and twice that the
// transaction is not there.
func TestDead(t *testing.T) {
	notSeen := func(n *node) { n.Seen, n.Bound = 0, 0 }
	notGone := func(n *node) { n.Gone = head{} }
	goneEarly := func(n *node) { n.Gone.Height = 1151 }
	once := func(n *node) { n.Nulls = n.Nulls[:1] }
	early := func(n *node) { n.Nulls[1].Final = 1291 }
	shortFirst := func(n *node) { n.Nulls[0].To.Height = 1151 }
	shortSecond := func(n *node) { n.Nulls[1].To.Height = 1151 }
	behind := func(n *node) { n.Nulls[0].AsOfSlot = 1259 }
	// The witness need not be of the block at which the blockhash was seen to have ended.
	past := func(n *node) {
		n.Gone = head{Slot: 1265, Height: 1157}
		n.Nulls[0].To.Slot, n.Nulls[1].To = 1255, n.Nulls[0].To
	}
	const (
		noBound = " has not shown it valid, nor its block"
		unknown = "it is not known when its blockhash ends: "
		noEnd   = " has not shown the end of its blockhash, after height 1151"
		noNulls = " has not shown twice that a store with the whole window does not have it"
	)
	for _, row := range []struct {
		what  string
		nodes int
		shown []node
		want  string // what is missing; "" if it is dead
	}{
		{"a lone node", 1, []node{gone(1)}, ""},
		{"nobody was asked", 1, nil, unknown + "node 1" + noBound},
		{"not seen valid", 1, []node{but(1, notSeen)}, unknown + "node 1" + noBound},
		{"no end", 1, []node{but(1, notGone)}, "node 1" + noEnd},
		{"the end at the last height", 1, []node{but(1, goneEarly)}, "node 1" + noEnd},
		{"one answer", 1, []node{but(1, once)}, "node 1" + noNulls},
		{"no answer", 1, []node{but(1, func(n *node) { n.Nulls = nil })}, "node 1" + noNulls},
		{"three answers", 1, []node{but(1, func(n *node) { n.Nulls = append(n.Nulls, n.Nulls[1]) })}, "node 1" + noNulls},
		{"the second a slot too early", 1, []node{but(1, early)}, "node 1" + noNulls},
		{"the first ends a block too early", 1, []node{but(1, shortFirst)}, "node 1" + noNulls},
		{"the second ends a block too early", 1, []node{but(1, shortSecond)}, "node 1" + noNulls},
		{"the first before the end was reached", 1, []node{but(1, behind)}, "node 1" + noNulls},
		{"both end past the window, before the end was seen", 1, []node{but(1, past)}, ""},
		{"of two, one", 2, []node{gone(1)}, unknown + "node 2" + noBound},
		{"of two, one and the other's bound", 2, []node{gone(1), but(2, notGone)}, "node 2" + noEnd},
		{"both", 2, []node{gone(1), gone(2)}, ""},
		{"both, in another order", 2, []node{gone(2), gone(1)}, ""},
		{"of three, two", 3, []node{gone(1), gone(3)}, ""},
		{"of three, two, one of them once", 3, []node{gone(1), but(3, once)}, "node 2" + noEnd + "; node 3" + noNulls},
		{"of three, one", 3, []node{gone(1), but(2, once), but(3, early)}, "node 2" + noNulls + "; node 3" + noNulls},
		{"of three, two, and the bounds of two", 3, []node{but(1, notSeen), gone(2), gone(3)}, ""},
		{"of three, two, and the bound of one", 3, []node{but(1, notSeen), but(2, notSeen), gone(3)},
			unknown + "node 1" + noBound + "; node 2" + noBound},
		{"of three, one bound, from slot 1", 3, []node{but(3, func(n *node) { n.Seen = 1 })},
			unknown + "node 1" + noBound + "; node 2" + noBound},
		{"of five, two", 5, []node{gone(1), gone(2), but(3, once), but(4, notGone), but(5, once)},
			"node 3" + noNulls + "; node 4" + noEnd + "; node 5" + noNulls},
		{"of five, three", 5, []node{gone(1), gone(2), but(3, once), but(4, notGone), gone(5)}, ""},
		{"what a node said is told", 1, []node{but(1, func(n *node) { n.Gone, n.Missing = head{}, "it is away" })},
			"node 1" + noEnd + ": it is away"},
		{"a node of another configuration", 1, []node{but(1, once), gone(2)}, "node 1" + noNulls},
		{"a node that is there twice: the first", 1, []node{gone(1), but(1, once)}, ""},
		{"a node that is there twice is one", 3, []node{gone(1), gone(1), but(2, once)}, "node 2" + noNulls + "; node 3" + noEnd},
	} {
		e := &walletfi.Evidence{Nodes: row.shown}
		dead, missing := proof.Dead(e, ids(row.nodes))
		require.Equal(t, row.want == "", dead, row.what)
		require.Equal(t, row.want, missing, row.what)
	}
	e := &walletfi.Evidence{Told: 1152, Nodes: []node{gone(1)}}
	dead, missing := proof.Dead(e, ids(1))
	require.False(t, dead, "the service names a later end")
	require.Equal(t, "node 1 has not shown the end of its blockhash, after height 1153", missing)

	// One node that is configured three times is one.
	e = &walletfi.Evidence{Nodes: []node{gone(1), gone(2)}}
	dead, _ = proof.Dead(e, []string{"a", "a", "a"})
	require.False(t, dead)
	dead, missing = proof.Dead(e, []string{"c", "a", "a"})
	require.False(t, dead)
	require.Contains(t, missing, "node 3 has not")
	dead, _ = proof.Dead(e, []string{"b", "a", "a"})
	require.True(t, dead)
}

// used is a node that has shown that a nonce had the transaction's value up to slot 1000
// at least, another in slot 1050, and no transaction between.
func used(number int, spoil func(*node)) node {
	n := node{
		Node: ids(9)[number-1], Held: head{Slot: 1000, Height: 900}, Gone: head{Slot: 1050, Height: 950},
		Nulls: []walletfi.Null{
			{AsOfSlot: 1090, To: head{Slot: 1050, Height: 950}, Final: 1058},
			{AsOfSlot: 1130, To: head{Slot: 1050, Height: 950}, Final: 1090},
		},
	}
	if spoil != nil {
		spoil(&n)
	}
	return n
}

// TestDeadNonce: another transaction used the nonce, or none that a store with the whole
// window knows.
func TestDeadNonce(t *testing.T) {
	byAnother := func(n *node) { n.UsedBy, n.Held, n.Nulls = "another", head{}, nil }
	const noUse = "node 1 has not shown what the nonce was used by"
	const noValue = "node 1 has not shown another value of the nonce"
	for _, row := range []struct {
		what  string
		nodes int
		shown []node
		want  string
	}{
		{"whole", 1, []node{used(1, nil)}, ""},
		{"used by another", 1, []node{used(1, byAnother)}, ""},
		{"used, and the value is held", 1, []node{used(1, func(n *node) { byAnother(n); n.Gone = head{} })}, noValue},
		{"nobody was asked", 1, nil, noValue},
		{"the value is held", 1, []node{used(1, func(n *node) { n.Gone = head{} })}, noValue},
		{"never seen held", 1, []node{used(1, func(n *node) { n.Held = head{} })}, noUse},
		{"held in the slot of the other value", 1, []node{used(1, func(n *node) { n.Held.Slot = 1050 })}, noUse},
		{"held a slot before", 1, []node{used(1, func(n *node) { n.Held.Slot = 1049 })}, ""},
		{"held later", 1, []node{used(1, func(n *node) { n.Held.Slot = 1051 })}, noUse},
		{"held in slot 1", 1, []node{used(1, func(n *node) { n.Held.Slot = 1 })}, ""},
		{"one answer", 1, []node{used(1, func(n *node) { n.Nulls = n.Nulls[1:] })}, noUse},
		{"the second too early", 1, []node{used(1, func(n *node) { n.Nulls[1].Final = 1089 })}, noUse},
		{"it ends too early", 1, []node{used(1, func(n *node) { n.Nulls[1].To.Height = 949 })}, noUse},
		{"of two, one", 2, []node{used(1, nil)}, "node 2 has not shown another value of the nonce"},
		{"both, each in its way", 2, []node{used(1, nil), used(2, byAnother)}, ""},
		{"of three, two", 3, []node{used(1, byAnother), used(3, nil)}, ""},
		{"of three, one", 3, []node{used(2, byAnother)}, noValue + "; node 3 has not shown another value of the nonce"},
	} {
		dead, missing := proof.DeadNonce(&walletfi.Evidence{Nodes: row.shown}, ids(row.nodes))
		require.Equal(t, row.want == "", dead, row.what)
		require.Equal(t, row.want, missing, row.what)
	}
}

// TestNode: what a node has shown is kept in one place.
func TestNode(t *testing.T) {
	e := &walletfi.Evidence{}
	proof.Node(e, "c").Seen = 7
	proof.Node(e, "a").Seen = 5
	require.Equal(t, []node{{Node: "c", Seen: 7}, {Node: "a", Seen: 5}}, e.Nodes)
	proof.Node(e, "c").Seen = 8
	require.Equal(t, uint64(8), e.Nodes[0].Seen)
	require.Equal(t, uint64(5), proof.Node(e, "a").Seen)
	require.Len(t, e.Nodes, 2)
}
