package lending_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/lending"
)

// TestWithdrawReceives: what is withdrawn comes back whole, a boosted deposit after its
// cooldown.
func TestWithdrawReceives(t *testing.T) {
	for kind, after := range map[lending.DepositType]*time.Duration{
		lending.DepositProtected: nil, lending.DepositRegular: nil, lending.DepositBoosted: new(lending.BoostedCooldown),
	} {
		c, _ := carriedClient(t, lending.TierFree, walletfi.Options{}, answer{Status: 200, Body: `{"transaction":"AQID","lastValidBlockHeight":9}`})
		built, err := c.BuildWithdraw(t.Context(), lending.WithdrawRequest{Owner: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", WithdrawType: kind, Amount: 3})
		require.NoError(t, err)
		i := built.Unsigned().Intent
		require.Equal(t, []walletfi.Asset{{Mint: "M1111111111111111111111111111111", Amount: 3}}, i.Receive, kind)
		require.Equal(t, after, i.ReceiveAfter, kind)
	}
}

// TestClaimReceives: the caller says what a claim should pay out, and of which mint.
func TestClaimReceives(t *testing.T) {
	none, m1 := walletfi.Asset{}, walletfi.Asset{Mint: "M1111111111111111111111111111111", Amount: 8}
	for name, row := range map[string]struct {
		claimed string
		least   walletfi.Asset
		refused bool
	}{
		"nothing said": {"1", none, false}, "as much": {"8", m1, false}, "less": {"7", m1, true}, "nothing": {"0", m1, true},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carriedClient(t, lending.TierFree, walletfi.Options{}, answer{Status: 200, Body: `{"transaction":"AQID","claimAmount":` + row.claimed + `}`})
			built, err := c.BuildReferrerClaim(t.Context(), lending.ReferrerClaimRequest{Owner: "R1", MinReceive: row.least})
			if row.refused {
				require.ErrorIs(t, err, walletfi.ErrMismatch)
				return
			}
			require.NoError(t, err)
			var want []walletfi.Asset
			if row.least != none {
				want = []walletfi.Asset{row.least}
			}
			require.Equal(t, want, built.Unsigned().Intent.Receive)
		})
	}
	c, wire := carriedClient(t, lending.TierFree, walletfi.Options{})
	_, err := c.BuildReferrerClaim(t.Context(), lending.ReferrerClaimRequest{Owner: "R1", MinReceive: walletfi.Asset{Amount: 1}})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Empty(t, wire.Seen)
}
