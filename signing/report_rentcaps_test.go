package signing

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestRentCaps: the intent's own cap, or else the policy's. Of others' accounts the greater of the two.
func TestRentCaps(t *testing.T) {
	for _, c := range []struct {
		policy, intent        *walletfi.Amount
		policyOthers, intents walletfi.Amount
		own, others           walletfi.Amount
	}{
		{own: DefaultMaxRentLamports},
		{policy: new(walletfi.Amount(7)), policyOthers: 3, intents: 2, own: 7, others: 3},
		{policy: new(walletfi.Amount(7)), intent: new(walletfi.Amount(0)), policyOthers: 3, intents: 4, own: 0, others: 4},
	} {
		s := ordinary(txbuild.Memo("x"))
		s.policy.MaxRentLamports, s.policy.ForeignRentLamports = c.policy, c.policyOthers
		s.intent.MaxRentLamports, s.intent.MaxForeignRentLamports = c.intent, c.intents
		_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s))
		require.NoError(t, err)
		own, others := report.RentCaps()
		require.Equal(t, [2]walletfi.Amount{c.own, c.others}, [2]walletfi.Amount{own, others})
	}
	own, others := new(Report).RentCaps()
	require.Equal(t, [2]walletfi.Amount{DefaultMaxRentLamports, 0}, [2]walletfi.Amount{own, others})
}
