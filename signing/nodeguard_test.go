package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownTables is a resolver of a policy's own.
type ownTables struct{ name string }

func (ownTables) LookupTable(context.Context, PublicKey) (LookupTable, error) {
	return LookupTable{}, ErrUnknown
}

// TestGuardKeepsItsOwnResolver: a node's is asked only where the policy names none.
func TestGuardKeepsItsOwnResolver(t *testing.T) {
	own, node := &ownTables{"own"}, &ownTables{"node"}
	require.Same(t, own, NewGuard(Policy{Resolver: own}).WithNode(nil, node).policy.Resolver)
	require.Same(t, node, NewGuard(Policy{}).WithNode(nil, node).policy.Resolver)
	require.Nil(t, NewGuard(Policy{}).WithNode(nil, nil).policy.Resolver)
}

// TestZeroGuardHasAPolicyToo: what a person approved on it is not what one with a pin allows.
func TestZeroGuardHasAPolicyToo(t *testing.T) {
	require.NotEmpty(t, (&Guard{}).allows())
	require.Equal(t, (&Guard{}).allows(), (&Guard{}).allows())
	require.NotEqual(t, NewGuard(Policy{Pins: map[string][]PublicKey{"test": {{7}}}}).allows(), (&Guard{}).allows())
}

// TestDangerOfACall: most with the owner's signature on what is the owner's, less without it, least if
// only others' accounts are written.
func TestDangerOfACall(t *testing.T) {
	for _, row := range []struct {
		r    Reach
		want int
	}{
		{Reach{}, 0}, {Reach{Unshown: 1}, 1}, {Reach{Unshown: 5}, 1}, {Reach{Unsigned: true, Unshown: 1}, 1},
		{Reach{Unsigned: true, Ours: make([]PublicKey, 1)}, 2}, {Reach{Unsigned: true, Unknown: 1}, 2},
		{Reach{Ours: make([]PublicKey, 1)}, 3}, {Reach{Positions: make([]PublicKey, 1)}, 3}, {Reach{Unknown: 1}, 3},
	} {
		require.Equal(t, row.want, row.r.danger(), "%+v", row.r)
	}
}

// TestMostDangerousCallComesFirst, whatever the order of the calls.
func TestMostDangerousCallComesFirst(t *testing.T) {
	ours := make([]PublicKey, 1)
	r := &Report{Reaches: []Reach{
		{Program: PublicKey{1}, Unshown: 1}, {Program: PublicKey{2}, Unsigned: true, Ours: ours}, {Program: PublicKey{3}, Ours: ours},
	}}
	var programs []PublicKey
	for _, c := range (&people{report: r}).callers() {
		programs = append(programs, c.Program)
	}
	require.Equal(t, []PublicKey{{3}, {2}, {1}}, programs)
}
