package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
)

type head = walletfi.Head

// TestQuorum: more than half of the nodes.
func TestQuorum(t *testing.T) {
	for i, want := range []int{1, 1, 2, 2, 3, 3} {
		require.Equal(t, want, proof.Quorum(i), "%d nodes", i)
	}
}

// TestGrow: a newer head follows on the known one, with at most a block a slot.
func TestGrow(t *testing.T) {
	known := head{Slot: 1000, Height: 900}
	for _, row := range []struct {
		what        string
		known, told head
		want        bool
	}{
		{"the first", head{}, head{Slot: 5, Height: 900}, true},
		{"none on none", head{}, head{}, false},
		{"of slot 0", head{}, head{Height: 1}, false},
		{"the same", known, known, false},
		{"older", known, head{Slot: 999, Height: 899}, false},
		{"older, and higher", known, head{Slot: 999, Height: 901}, false},
		{"the same slot, higher", known, head{Slot: 1000, Height: 901}, false},
		{"a slot without a block", known, head{Slot: 1001, Height: 900}, true},
		{"a block a slot", known, head{Slot: 1001, Height: 901}, true},
		{"more blocks than slots", known, head{Slot: 1001, Height: 902}, false},
		{"many blocks, a block a slot", known, head{Slot: 1500, Height: 1400}, true},
		{"one more", known, head{Slot: 1500, Height: 1401}, false},
		{"lower", known, head{Slot: 1001, Height: 899}, false},
		{"much lower", known, head{Slot: 5000, Height: 0}, false},
		{"on a height without a slot", head{Height: 5}, head{Slot: 1, Height: 4}, false},
		{"on slot 1", head{Slot: 1}, head{Slot: 2, Height: 2}, false},
	} {
		got, grown := proof.Grow(row.known, row.told)
		require.Equal(t, row.want, grown, row.what)
		want := row.known
		if row.want {
			want = row.told
		}
		require.Equal(t, want, got, row.what)
	}
}

// TestCandidates: those that a quorum of the configured nodes have reached, the newest
// first; of one slot the lowest first, as a node that lies may have told the other.
func TestCandidates(t *testing.T) {
	at := func(slots ...uint64) (all []head) {
		for _, slot := range slots {
			all = append(all, head{Slot: slot, Height: slot - 1})
		}
		return all
	}
	higher := head{Slot: 8, Height: 8}
	for _, row := range []struct {
		what  string
		heads []head
		nodes int
		want  []head
	}{
		{"a lone node", at(9), 1, at(9)},
		{"nobody", nil, 1, nil},
		{"both of two", at(9, 7), 2, at(7)},
		{"one of two", at(9), 2, nil},
		{"three", at(7, 9, 8), 3, at(8, 7)},
		{"three, the newest last", at(7, 8, 9), 3, at(8, 7)},
		{"two of three", at(7, 9), 3, at(7)},
		{"one of three", at(9), 3, nil},
		{"one is far ahead", at(1<<40, 9, 8), 3, at(9, 8)},
		{"the same", at(9, 9, 9), 3, at(9)},
		{"one has another height", append(at(8, 8), higher), 3, append(at(8), higher)},
		{"one has another height and is first", []head{higher, at(8)[0], at(7)[0]}, 3, []head{higher, at(7)[0]}},
		{"four", at(9, 8, 7, 6), 4, at(7, 6)},
		{"two of four", at(9, 8), 4, nil},
		{"five", at(5, 9, 6, 8, 7), 5, at(7, 6, 5)},
	} {
		asked := append([]head(nil), row.heads...)
		require.Equal(t, row.want, proof.Candidates(row.heads, row.nodes), row.what)
		require.Equal(t, asked, row.heads, "what it was given stays as it is")
	}
}
