package proof

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go"
)

// Age is how many blocks after its own one a blockhash lets transactions in, at least:
// an executing block looks at the 151 most recent hashes of its parent.
const Age = 151

// raised is how far a service's word can raise the end that the nodes have shown. An
// honest one does not: its own node, which may be ahead, has the blockhash's block as well.
const raised = 32

// Bound is the height that a blockhash's own block cannot exceed if the blockhash was
// valid in slot seen, by a finalized head: each slot since has at most one block.
func Bound(final walletfi.Head, seen uint64) uint64 {
	return final.Height + (seen - min(seen, final.Slot))
}

// Last is the height of the last block in which the transaction can be executed, false
// if that is not known. It is the least that a quorum of the nodes vouch for. A
// service's word, which is one short of its own, only raises it.
func Last(e *walletfi.Evidence, nodes []string) (height uint64, known bool) {
	var ends []uint64
	for _, n := range of(e, nodes) {
		if n.Seen > 0 {
			ends = append(ends, n.Bound+max(Age, n.Age))
		}
	}
	quorum := Quorum(len(nodes))
	if len(ends) < quorum {
		return 0, false
	}
	slices.Sort(ends)
	last := ends[quorum-1]
	if e.Told >= last && e.Told-last < raised {
		last = e.Told + 1
	}
	return last, true
}

// Valid takes in that a node's blockhash was valid in a slot, by a finalized head.
func Valid(n *walletfi.NodeEvidence, final walletfi.Head, slot uint64) {
	bound := Bound(final, slot)
	if n.Seen == 0 || bound < n.Bound {
		n.Seen, n.Bound = slot, bound
	}
	n.Gone, n.Nulls = walletfi.Head{}, nil
}

// Nearer takes in a finalized head that is nearer to the slot in which a node's blockhash was valid
// than the one by which its bound is known: of the slots between, some have no block.
func Nearer(n *walletfi.NodeEvidence, final walletfi.Head) {
	if n.Block.Slot == 0 && 0 < final.Slot && final.Slot <= n.Seen {
		n.Bound = min(n.Bound, Bound(final, n.Seen))
	}
}

// Ended takes in that the blockhash was not valid in a finalized block of a slot, by a finalized head.
// From a slot at which it was seen valid on, that means that it is too old: what is executed on it is
// in no later block.
func Ended(n *walletfi.NodeEvidence, final walletfi.Head, slot uint64) {
	age, end := max(Age, n.Age), Bound(final, slot)
	if n.Seen > 0 && n.Seen <= slot && end < n.Bound+age {
		n.Bound = end - min(end, age)
	}
}

// Found takes in the finalized block that the blockhash belongs to.
func Found(n *walletfi.NodeEvidence, block walletfi.Head) {
	n.Seen, n.Bound, n.Block = block.Slot, block.Height, block
}

// Share takes in what each node has shown of the same blockhash for another transaction.
func Share(e, other *walletfi.Evidence) {
	for _, has := range other.Nodes {
		if has.Seen > 0 {
			Alike(Node(e, has.Node), has)
		}
	}
}

// Alike takes in what one node has shown of the same blockhash for another transaction.
func Alike(n *walletfi.NodeEvidence, has walletfi.NodeEvidence) {
	sooner := n.Seen == 0 || has.Bound < n.Bound || has.Bound == n.Bound && n.Block.Slot == 0
	if has.Seen > 0 && sooner {
		n.Seen, n.Bound, n.Block, n.Age = has.Seen, has.Bound, has.Block, has.Age
	}
}

// Quorum is how many of the configured nodes must have shown what is to be believed.
func Quorum(nodes int) int { return nodes/2 + 1 }

// Grow returns the newer of two finalized heads. What is known only grows: told counts
// only if it can follow on known, with no more blocks than slots.
func Grow(known, told walletfi.Head) (head walletfi.Head, grown bool) {
	switch {
	case told.Slot <= known.Slot || told.Height < known.Height:
		return known, false
	case known.Slot > 0 && told.Height-known.Height > told.Slot-known.Slot:
		return known, false
	}
	return told, true
}

// Candidates are the heads that a quorum of the nodes have reached, the newest first.
// Which of them is final for a quorum is asked then: a node that lies may have told one.
func Candidates(heads []walletfi.Head, nodes int) []walletfi.Head {
	sorted := slices.SortedFunc(slices.Values(heads), func(a, b walletfi.Head) int {
		return cmp.Or(cmp.Compare(b.Slot, a.Slot), cmp.Compare(a.Height, b.Height))
	})
	if len(sorted) < Quorum(nodes) {
		return nil
	}
	return slices.Compact(sorted[Quorum(nodes)-1:])
}
