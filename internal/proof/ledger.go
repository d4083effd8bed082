package proof

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go"
)

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
