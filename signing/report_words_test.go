package signing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestReportNamesOtherSigners: who has signed, who must still sign, and who pays, in a set with
// the transaction.
func TestReportNamesOtherSigners(t *testing.T) {
	sponsored := func() *scene {
		return ordinary(txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor })
	}
	text := sponsored().report(t, txbuild.V0).Text()
	named := func(k PublicKey, of string) string {
		return "  " + shortOf(k) + ", named by your request, must still sign" + of + ": without that, nothing of it is executed\n"
	}
	pays := "  " + shortOf(sponsor) + " pays the network fee"
	require.Contains(t, text, pays+"\n"+named(sponsor, ""))
	require.Contains(t, text, "  You pay to the network: 0 SOL, in addition to what you spend\n")
	first := sponsored()
	_, report, err := NewGuard(first.policy).CheckSet(t.Context(), set(txbuild.V0, first, sponsored()))
	require.NoError(t, err)
	require.Contains(t, report.Text(), pays+" of transaction 2\n"+named(sponsor, " transaction 2"))
	require.NotContains(t, ordinary(txbuild.Transfer(owner, friend, 1)).report(t, txbuild.V0).Text(), "must still sign")

	others := ordinary(txbuild.Memo("x", owner, fresh, maker)) // the intent names one, the policy the other
	others.policy.CoSigners = []PublicKey{maker}
	others.signedBy = []string{"maker"}
	_, report, err = others.sign(t, NewGuard(others.policy), txbuild.V0)
	require.NoError(t, err)
	require.Equal(t, []PublicKey{fresh}, report.Transactions[0].Named)
	require.Equal(t, []PublicKey{maker}, report.Transactions[0].SignedBy)
	require.Contains(t, report.Text(), named(fresh, ""))
	require.Contains(t, report.Text(), "  "+shortOf(maker)+" has signed already; that does not make it safe\n")
	require.Contains(t, report.String(), ", named co-signer "+fresh.String())
}

// TestRefusalsSayWhatWasMet: what could not be checked is not called a theft, and what a simulation
// showed not unsimulated.
func TestRefusalsSayWhatWasMet(t *testing.T) {
	const theft, unchecked = "Treat this as an attempted theft", "What it does could not be checked."
	unseen := blindSwap()
	unseen.policy.AllowBlind = nil
	refusal, report := unseen.refusal(t, txbuild.V0)
	require.Equal(t, RuleBlind, refusal.Rule)
	require.Contains(t, report.Text(), unchecked)
	require.NotContains(t, report.Text(), theft)
	require.Contains(t, report.Text(), "\n  Program "+shortOf(exchange)+" could have taken all SOL of your wallet")

	taken := honestSwap()
	taken.intent.Receive[0].Amount *= 2
	refusal, report = taken.refusal(t, txbuild.V0)
	require.True(t, refusal.Simulated)
	require.Contains(t, report.Text(), "; simulated\n")
	require.Contains(t, report.Text(), "  In the simulation you paid: ")
	require.NotContains(t, report.Text(), "You pay")
	require.NotContains(t, report.Text(), "At worst")
	require.NotContains(t, report.Text(), theft)
}

// TestPermissionThatEnds: only one that lasts is said to remain.
func TestPermissionThatEnds(t *testing.T) {
	const remains = "  Permission that remains: "
	given := spl.Approve(ourUSDC, approved, owner, 20)
	text := ordinary(given).report(t, txbuild.V0).Text()
	require.Contains(t, text, remains+shortOf(approved)+" can take 20 units of unknown size of token "+shortOf(usdc)+
		" in all from your account "+shortOf(ourUSDC)+", at any time until you revoke it by another transaction\n")
	require.NotContains(t, text, "Note: ", "it is said once")
	text = ordinary(given, spl.Revoke(ourUSDC, owner)).report(t, txbuild.V0).Text()
	require.NotContains(t, text, remains)
	require.Contains(t, text, "  Permission that ends with the transaction: "+shortOf(approved)+" may take 20 units of unknown size")
}

// TestLookAlikeSaysHowItDiffers: by which character, and what it means.
func TestLookAlikeSaysHowItDiffers(t *testing.T) {
	for symbols, want := range map[[2]string]string{
		{"USD\u0421", "USDC"}:     "the last character of its name is Cyrillic, \\u0421 here",
		{"\u03a5SDC", "YSDC"}:     "character 1 of its name is Greek, \\u03a5 here",
		{"S1IM", "SLIM"}:          `character 2 of its name is "1"`,
		{"US\u200bDC", "USDC"}:    "its name has other characters, some of which may be invisible",
		{"USDC", "USDC"}:          "the name is the same, the token is another",
		{"\U0001d414SDC", "USDC"}: "character 1 of its name is another one",
	} {
		require.Equal(t, want, differs(symbols[0], symbols[1]), symbols)
	}
	s := lookingAlike()
	require.Contains(t, s.report(t, txbuild.V0).Text(), " is Cyrillic, \\u0421 here. You get no USDC; what you get may be worth nothing. This wallet does not stop it: do not sign unless you mean this token\n")
	tokens := []ReportToken{{Mint: pump, TokenInfo: TokenInfo{Symbol: "SOL"}}}
	says := (&people{ends: 4, report: &Report{}}).warning(&tokens[0], (&people{}).likeness(tokens, 0))
	require.Equal(t, "is not SOL, and only looks like it: the name is the same, the token is another", says)
}

// TestAuthorityNamesWhatIsGiven: control of an account, the right to close one, another authority,
// and to whom.
func TestAuthorityNamesWhatIsGiven(t *testing.T) {
	none := spl.SetAuthority(ourUSDC, owner, 2, thief)
	none.Data = append(none.Data[:2:2], 0)
	for want, call := range map[string]txbuild.Instruction{
		"control of your account " + ourUSDC.String() + " given to " + thief.String():         spl.SetAuthority(ourUSDC, owner, 2, thief),
		"the right to close your account " + ourUSDC.String() + " given to " + thief.String(): spl.SetAuthority(ourUSDC, owner, 3, thief),
		"an authority over " + usdc.String() + " given to " + thief.String():                  spl.SetAuthority(usdc, owner, 0, thief),
		"control of your account " + ourUSDC.String() + " given to no key":                    none,
	} {
		refusal, report := ordinary(call).refusal(t, txbuild.V0)
		require.Equal(t, want, refusal.Found)
		require.Contains(t, report.Text(), "REFUSED: would give ")
	}
}

// TestOnlyWhatComesBackIsSaidTo: of an account that another is paid the SOL of, the report names them.
func TestOnlyWhatComesBackIsSaidTo(t *testing.T) {
	for to, want := range map[PublicKey]string{
		owner:   "your account " + shortOf(ourUSDC) + " is closed: all SOL that is left in it comes back to you, its rent too",
		sponsor: "the SOL in " + shortOf(ourUSDC) + ", its rent of 0.00203928 SOL or more, goes to " + shortOf(sponsor),
	} {
		p := &people{ends: 4, report: &Report{Owner: owner}}
		require.Equal(t, want, p.note(&Note{Kind: NoteClose, Account: ourUSDC, To: to}))
	}
	p := &people{ends: 4, report: &Report{Owner: owner}}
	s := stake{unknown: 1}
	require.Contains(t, p.stakes(&s, false), "1 account, if it is yours")
	s.add(&Reach{Unknown: 2})
	require.Contains(t, p.stakes(&s, false), "all in up to 3 accounts, as far as they are yours")
}

// TestBothAreGot: who gets the real one, too, is not told to get none.
func TestBothAreGot(t *testing.T) {
	s := lookingAlike()
	report := s.report(t, txbuild.V0)
	report.Brings = append(report.Brings, report.Intent.Spend...)
	require.Contains(t, report.Text(), " is Cyrillic, \\u0421 here\n")
}

// TestFailedSimulationWasOne: the report of what would fail says that it was simulated.
func TestFailedSimulationWasOne(t *testing.T) {
	s := honestSwap()
	s.policy.Simulator = answering(func(SimulationRequest) (*Simulation, error) { return &Simulation{Err: "it fails"}, nil })
	refusal, report := s.refusal(t, txbuild.V0)
	require.Equal(t, RuleSimulationFailed, refusal.Rule)
	require.Contains(t, report.Text(), "; simulated\n")
}

// TestRentOfOnesOwn: what lies in a new account of the owner's is not said to leave, and of one
// that a program may write not to be kept.
func TestRentOfOnesOwn(t *testing.T) {
	makes := []txbuild.Instruction{
		txbuild.CreateAccount(owner, fresh, 2_039_280, 165, TokenProgram), spl.InitializeAccount3(fresh, NativeMint, owner),
	}
	rent := "\n  You put rent, a deposit, into your account " + shortOf(fresh) + ", in addition to what you spend: 0.00203928 SOL; "
	closed := rent + "the same transaction closes that account, and it comes back then, unless program " + shortOf(exchange) + " takes it first\n"
	open := rent + "you get it back only if you close that account yourself later"
	call := txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(fresh))
	for says, list := range map[string][]txbuild.Instruction{
		open + "\n": {txbuild.Transfer(owner, fresh, 1_000), spl.SyncNative(fresh)},
		closed:      {call, spl.Close(fresh, owner, owner)},
		open + ", unless program " + shortOf(exchange) + " takes it first\n": {call},
	} {
		s := ordinary(append(makes[:2:2], list...)...)
		s.signedBy = []string{"fresh"}
		text := s.report(t, txbuild.V0).Text()
		require.Contains(t, text, says)
		require.NotContains(t, text, "You pay: ")
		require.NotContains(t, text, "Note: ")
	}
}

// TestRentComesBackIfClosedLater: an account that is closed before it is made, or by another transaction, which
// may not be executed, keeps its rent.
func TestRentComesBackIfClosedLater(t *testing.T) {
	for at, back := range map[[2]int]bool{{0, 0}: false, {0, 2}: true, {1, 2}: false} {
		r := &Report{Owner: owner, Notes: []Note{{Kind: NoteClose, Transaction: at[0], Instruction: at[1], Account: fresh, To: owner}}}
		p := &people{ends: 4, report: r, told: make([]bool, 1)}
		p.rent(Movement{Instruction: 1, Rule: RuleRent, Mint: NativeMint, Amount: 5, To: fresh})
		require.Equal(t, back, strings.Contains(p.text.String(), " it comes back "), at)
		require.Equal(t, back, p.told[0], at)
	}
}

// TestUntilWhen: a block height is told with about how many minutes there are to it.
func TestUntilWhen(t *testing.T) {
	for _, row := range []struct {
		at, last uint64
		want     string
	}{
		{1000, 1001, "block height 1001, about 1 minute from this check" + serviceSays},
		{1000, 1150, "block height 1150, about 1 minute from this check" + serviceSays},
		{1000, 1151, "block height 1151, about 2 minutes from this check" + serviceSays},
		{1000, 1000, "block height 1000" + serviceSays},
		{0, 1150, "block height 1150" + serviceSays},
		{1000, 0, "usually 1 to 2 minutes after you sign, which is not certain; no last block height was given"},
	} {
		require.Equal(t, row.want, (&Report{BlockHeight: row.at, LastValidBlockHeight: row.last}).until(), row)
	}
	require.Empty(t, (&Report{LastValidBlockHeight: 7, Notes: []Note{{Kind: NoteNonce}}}).until())
}

// TestWarnsOfOddRecipients: who is named for what is bought is not named for what is spent, and of an account that
// rent is paid for, the wallet is named or warned of. A simulated amount is no part of what is approved.
func TestWarnsOfOddRecipients(t *testing.T) {
	spends := Movement{Mint: usdc, Amount: 3, To: friend, CountsAs: CountsAsSpend}
	rents := Movement{Mint: NativeMint, Amount: 3, To: thiefUSDC, Wallet: thief, CountsAs: CountsAsForeignRent}
	simulated := spends
	simulated.Simulated = true
	buys := walletfi.Intent{OutputTo: []string{friend.String()}}
	pays := walletfi.Intent{OutputTo: []string{friend.String()}, PayTo: []string{friend.String(), thief.String()}}
	const takes, pay = ", whom your request names only to get what you buy", "WARNING: your request does not name "
	for name, row := range map[string]struct {
		leaves Movement
		intent walletfi.Intent
		warns  string
	}{
		"named for what is bought":  {spends, buys, takes},
		"named to be paid":          {spends, pays, ""},
		"within a call":             {simulated, buys, ""},
		"not named":                 {spends, walletfi.Intent{}, ""},
		"rent for somebody":         {rents, buys, pay},
		"rent for who is paid":      {rents, pays, ""},
		"rent of an unknown wallet": {Movement{Amount: 3, To: thiefUSDC, CountsAs: CountsAsForeignRent}, buys, ""},
	} {
		text := (&Report{Owner: owner, Intent: row.intent, Leaves: []Movement{row.leaves}}).Text()
		require.Equal(t, row.warns == takes, strings.Contains(text, takes), name)
		require.Equal(t, row.warns == pay, strings.Contains(text, pay), name)
	}
}
