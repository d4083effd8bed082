package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// TestMintsOfASet are remembered once each, up to a bound.
func TestMintsOfASet(t *testing.T) {
	l := &ledger{}
	var all []Key
	for i := range 2 * maxMintsTried {
		all = append(all, Key{byte(i), byte(i >> 8), 1})
	}
	l.nameMints(all[:2])
	l.nameMints(all[:2])
	require.Equal(t, all[:2], l.mints)
	l.nameMints(all)
	require.Equal(t, all[:256], l.mints)
}

// TestRentOfASet is no more than new accounts got. If some of the accounts were not shown, the caps alone
// hold.
func TestRentOfASet(t *testing.T) {
	for _, row := range []struct {
		rents, own uint64
		unseen     bool
		want       uint64
	}{{2, 1, false, 3}, {2, 9, false, 7}, {20, 9, false, 12}, {0, 0, false, 0}, {2, 1, true, 12}} {
		l := &ledger{want: &wanted{caps: caps.Caps{Rent: 5, ForeignRent: 7}}, rents: row.rents, own: row.own, unseen: row.unseen}
		require.Equal(t, row.want, l.rentAllowed(), "%+v", row)
	}
}

// TestAccountThatIsNotThereBefore: only one that was shown without lamports.
func TestAccountThatIsNotThereBefore(t *testing.T) {
	empty, full, other := Key{1}, Key{2}, Key{3}
	c := &checker{seen: &outcome{accounts: []Key{empty, full}, before: []program.State{{}, {Lamports: 5}}}}
	require.True(t, c.shownUnmade(&empty))
	require.False(t, c.shownUnmade(&full))
	require.False(t, c.shownUnmade(&other))
	c.seen = nil
	require.False(t, c.shownUnmade(&empty), "nothing was shown")
}

// TestAssetThatShouldArrive is of use, and no other if nothing follows.
func TestAssetThatShouldArrive(t *testing.T) {
	c := &checker{set: make([]*txwire.Transaction, 1), want: &wanted{receive: []caps.Limit{{Mint: Key{9}}}}}
	require.True(t, c.useful(Key{9}))
	require.False(t, c.useful(Key{8}))
}

// TestDelegatedOfAnAccount: others may take nothing of one without a delegate, or whose delegate is a key of
// ours.
func TestDelegatedOfAnAccount(t *testing.T) {
	owner, key, other := Key{1}, Key{2}, Key{3}
	c := &checker{want: &wanted{owner: owner}, judge: &Judge{Policy: Policy{Keys: []Key{key}}}}
	for delegate, want := range map[Key]uint64{{}: 0, owner: 0, key: 0, other: 7} {
		require.Equal(t, want, c.delegated(program.TokenState{Delegate: delegate, Delegated: 7}), delegate)
	}
}

// TestSumsAreAdded without loss.
func TestSumsAreAdded(t *testing.T) {
	var none caps.Sum
	two, most := none.Plus(2), none.Plus(1<<64-1)
	require.Equal(t, uint64(5), two.And(none.Plus(3)).Low())
	require.False(t, most.And(none).Exceeds(1<<64-1))
	require.True(t, most.And(two).Exceeds(1<<64-1))
	require.Equal(t, uint64(1), most.And(two).Low())
}
