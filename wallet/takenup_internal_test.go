package wallet

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTakenUpIsBounded: what the background has taken up is told up to a bound; what is known already is
// replaced by the newest.
func TestTakenUpIsBounded(t *testing.T) {
	w := &Wallet{taken: map[string]*follower{}}
	for i := range mostTaken {
		w.hasTaken(fmt.Sprint(i), &follower{})
	}
	require.Len(t, w.taken, mostTaken)
	newer := &follower{}
	w.hasTaken("one more", newer)
	require.Len(t, w.taken, mostTaken)
	require.NotContains(t, w.taken, "one more")
	w.hasTaken("0", newer)
	require.Same(t, newer, w.taken["0"])
}
