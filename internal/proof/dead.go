package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// Dead reports whether it is proven that a transaction on a blockhash can never be
// executed, by a majority of the nodes. If not, missing says what is, and from whom.
func Dead(e *walletfi.Evidence, nodes []string) (dead bool, missing string) {
	last, known := Last(e, nodes)
	if !known {
		return false, "it is not known when its blockhash ends: " + list(e, nodes, func(n walletfi.NodeEvidence) string {
			if n.Seen > 0 {
				return ""
			}
			return "has not shown it valid, nor its block"
		})
	}
	return majority(e, nodes, func(n walletfi.NodeEvidence) string {
		switch {
		case n.Gone.Height <= last:
			return fmt.Sprintf("has not shown the end of its blockhash, after height %d", last)
		case !twice(n, last+1):
			return "has not shown twice that a store with the whole window does not have it"
		}
		return ""
	})
}

// DeadNonce is Dead for a transaction on a durable nonce.
func DeadNonce(e *walletfi.Evidence, nodes []string) (dead bool, missing string) {
	return majority(e, nodes, func(n walletfi.NodeEvidence) string {
		switch {
		case n.Gone.Slot == 0:
			return "has not shown another value of the nonce"
		case n.UsedBy != "" || n.Held.Slot > 0 && n.Held.Slot < n.Gone.Slot && twice(n, n.Gone.Height):
			return ""
		}
		return "has not shown what the nonce was used by"
	})
}

// twice reports two answers from where the end was reached that cover everything up to a height,
// the second after all that the first had seen was finalized.
func twice(n walletfi.NodeEvidence, height uint64) bool {
	for _, null := range n.Nulls {
		if null.To.Height < height || null.AsOfSlot < n.Gone.Slot {
			return false
		}
	}
	return len(n.Nulls) == 2 && n.Nulls[1].Final >= n.Nulls[0].AsOfSlot
}

// majority asks for what each node has yet to show, "" if it has shown all.
func majority(e *walletfi.Evidence, nodes []string, lacks func(walletfi.NodeEvidence) string) (bool, string) {
	rest := slices.DeleteFunc(of(e, nodes), func(n walletfi.NodeEvidence) bool { return lacks(n) == "" })
	if len(nodes)-len(rest) >= Quorum(len(nodes)) {
		return true, ""
	}
	return false, list(e, nodes, lacks)
}

// list says in words what each node lacks.
func list(e *walletfi.Evidence, nodes []string, lacks func(walletfi.NodeEvidence) string) string {
	var all []string
	for i, n := range of(e, nodes) {
		if text := lacks(n); text != "" {
			if n.Missing != "" {
				text += ": " + n.Missing
			}
			all = append(all, fmt.Sprintf("node %d %s", i+1, text))
		}
	}
	return strings.Join(all, "; ")
}

// of returns the evidence of each configured node, by its identity. That of another one
// does not count: it was gathered under another configuration.
func of(e *walletfi.Evidence, nodes []string) []walletfi.NodeEvidence {
	all := make([]walletfi.NodeEvidence, len(nodes))
	for i, id := range nodes {
		if k := at(e, id); k >= 0 && !slices.Contains(nodes[:i], id) { // one that is configured twice is one
			all[i] = e.Nodes[k]
		}
	}
	return all
}

// at is where a node's evidence is, -1 if it has shown nothing.
func at(e *walletfi.Evidence, id string) int {
	return slices.IndexFunc(e.Nodes, func(n walletfi.NodeEvidence) bool { return n.Node == id })
}

// Node returns the evidence of a node, by its identity.
func Node(e *walletfi.Evidence, id string) *walletfi.NodeEvidence {
	k := at(e, id)
	if k < 0 {
		k, e.Nodes = len(e.Nodes), append(e.Nodes, walletfi.NodeEvidence{Node: id})
	}
	return &e.Nodes[k]
}
