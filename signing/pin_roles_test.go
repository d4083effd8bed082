package signing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestBurnedAccountsAreSpent: an account or a mint of which all may be burned has the role of
// what is spent, and nothing else of the owner's gets it by that.
func TestBurnedAccountsAreSpent(t *testing.T) {
	call := txbuild.Call(exchange, tradeD, txbuild.Writable(ourBonk))
	burning := func(k PublicKey) func(*scene) {
		return func(s *scene) {
			s.intent.BurnAll, s.intent.CloseAccounts = []string{k.String()}, nil
			s.intent.Receive = nil
			typed([]Discriminator{tradeD}, SpentAccount)(s)
		}
	}
	names := txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true) // so that it is known to be ours
	runVerdicts(t, []verdict{
		allow("the account", names, call).with(burning(ourBonk)),
		allow("its mint", names, call).with(burning(bonk)),
		refuse("another account", RulePinnedCall, names, call).with(burning(ourUSDC)),
	})
}

// TestLentSimulatorIsAskedAboutTypedPins: a node that is lent to a guard is asked about a set that
// calls a program which only a typed pin names.
func TestLentSimulatorIsAskedAboutTypedPins(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, tradeD, txbuild.WritableSigner(owner))).with(typed([]Discriminator{tradeD}, OwnerWallet))
	s.policy.Pins, s.policy.AllowBlind = nil, nil
	lends := &stage{before: accts{owner: {Lamports: 9}}}
	_, report, err := s.sign(t, NewGuard(s.policy).WithNode(lends, nil), txbuild.V0)
	require.NoError(t, err)
	require.Equal(t, 1, lends.requests)
	require.True(t, report.Simulated)
}
