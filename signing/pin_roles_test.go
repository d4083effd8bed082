package signing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
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
	lends := &stage{before: accts{owner: {Lamports: 9000}}, after: accts{owner: {Lamports: 4000}}}
	_, report, err := s.sign(t, NewGuard(s.policy).WithNode(lends, nil), txbuild.V0)
	require.NoError(t, err)
	require.Equal(t, 1, lends.requests)
	require.True(t, report.Simulated)
}

// TestRolesAreApart: a pin that names every role but an account's own does not let it be written, and one
// that names its own alone does.
func TestRolesAreApart(t *testing.T) {
	roles := []Role{OwnerWallet, SpentAccount, ReceivedAccount, MadeAccount, NamedAccount}
	makes := txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, false)
	own := func(s *scene) { s.policy.Accounts = []OwnAccount{{Address: listed}} }
	gets := func(s *scene) {
		s.policy.Accounts = []OwnAccount{{Address: vault, Mint: bonk}, {Address: listed}}
		s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}}
	}
	for role, row := range map[Role]struct {
		change func(*scene)
		list   []txbuild.Instruction
	}{
		OwnerWallet:     {own, []txbuild.Instruction{txbuild.Call(exchange, tradeD, txbuild.WritableSigner(owner))}},
		SpentAccount:    {own, []txbuild.Instruction{txbuild.Call(exchange, tradeD, txbuild.Writable(ourUSDC))}},
		ReceivedAccount: {gets, []txbuild.Instruction{txbuild.Call(exchange, tradeD, txbuild.Writable(ourBonk))}},
		MadeAccount:     {own, []txbuild.Instruction{makes, txbuild.Call(exchange, tradeD, txbuild.Writable(ourBonk))}},
		NamedAccount:    {own, []txbuild.Instruction{txbuild.Call(exchange, tradeD, txbuild.Writable(listed))}},
	} {
		others := slices.DeleteFunc(slices.Clone(roles), func(r Role) bool { return r == role })
		runVerdicts(t, []verdict{
			allow(string(role), row.list...).with(row.change).with(typed([]Discriminator{tradeD}, role)),
			refuse("not "+string(role), RulePinnedCall, row.list...).with(row.change).with(typed([]Discriminator{tradeD}, others...)),
		})
	}
}
