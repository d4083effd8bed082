package signing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// refusal is the first ground for refusing a scene.
func (s *scene) refusal(t *testing.T, format txbuild.Format) (*GuardError, *Report) {
	t.Helper()
	_, report, err := s.sign(t, NewGuard(s.policy), format)
	refusal := wiretest.As[*GuardError](t, err)
	require.NotNil(t, report)
	return refusal, report
}

// grounds are the rules that refuse a scene, each once.
func (s *scene) grounds(t *testing.T) (rules []Rule) {
	t.Helper()
	_, report, _ := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.NotNil(t, report)
	if report.Refusal != nil {
		for _, refusal := range append([]*GuardError{report.Refusal}, report.Also...) {
			rules = append(rules, refusal.Rule)
		}
	}
	return rules
}

// Two entries of one mint in an intent add up, and those of SOL and its wrapped
// forms are one.
func TestEntriesOfOneMintAddUp(t *testing.T) {
	two := func(s *scene) {
		s.intent.Spend = []walletfi.Asset{{Mint: usdc.String(), Amount: 300}, {Mint: pump.String(), Amount: 1}, {Mint: usdc.String(), Amount: 200},
			{Mint: walletfi.NativeMint, Amount: 10}, {Mint: NativeMintToken2022.String(), Amount: 20}}
		s.intent.ServiceFee = nil
	}
	runVerdicts(t, []verdict{
		allow("both entries", spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6)).with(two),
		refuse("more than both", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, vault, owner, 501, 6)).with(two),
		allow("SOL of either form", txbuild.Transfer(owner, friend, 30)).with(two).with(func(s *scene) { s.intent.TipLamports = 0 }),
		refuse("more SOL than both", RuleSystemTransfer, txbuild.Transfer(owner, friend, 31)).with(two).with(func(s *scene) { s.intent.TipLamports = 0 }),
		allow("to the most that there is", spl.TransferChecked(ourUSDC, usdc, vault, owner, 1<<64-1, 6)).with(func(s *scene) {
			s.intent.Spend = []walletfi.Asset{{Mint: usdc.String(), Amount: 1<<64 - 1}, {Mint: usdc.String(), Amount: 1<<64 - 1}}
		}),
	})
	// Two entries of Receive need two arrivals.
	brings := func(amounts ...uint64) verdict {
		v := allow("both arrive", txbuild.Transfer(owner, friend, 1))
		for _, n := range amounts {
			v.scene.instructions = append(v.scene.instructions, spl.TransferChecked(vault, usdc, ourUSDC, maker, n, 6))
		}
		return v.with(func(s *scene) {
			s.policy.CoSigners = []PublicKey{maker}
			s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 400}, {Mint: usdc.String(), Amount: 500}}
		})
	}
	less, one := brings(400, 499), brings(500)
	less.name, less.rule = "a unit less than both", RuleArrival
	one.name, one.rule = "one of them alone", RuleArrival
	runVerdicts(t, []verdict{brings(400, 500), brings(900), less, one})
}

// An account that is created, closed and created again in one transaction is ours
// from its last creation on, and not in between.
func TestCreateCloseCreate(t *testing.T) {
	create := txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram)
	init, closing := spl.InitializeAccount3(fresh, NativeMint, owner), spl.Close(fresh, owner, owner)
	pay := txbuild.Transfer(owner, fresh, 1<<40)
	ata := txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, false)
	payATA, closeATA := txbuild.Transfer(owner, ourWrapped, 1<<40), spl.Close(ourWrapped, owner, owner)
	runVerdicts(t, []verdict{
		allow("paid after the second creation", create, init, closing, create, init, pay),
		refuse("paid before it", RuleTip, create, init, closing, pay, create, init),
		refuse("paid after the second closing", RuleTip, create, init, closing, create, init, closing, pay),
		refuse("the second one to a thief", RuleSystemCreate, create, init, closing, create, spl.InitializeAccount3(fresh, NativeMint, thief)),
		allow("an associated one", ata, closeATA, ata, payATA),
		refuse("an associated one, paid in between", RuleTip, ata, closeATA, payATA, ata),
		refuse("an associated one, closed twice", RuleTip, ata, closeATA, ata, closeATA, payATA),
	})
	// A creation that is not of the address that it derives makes nothing.
	wrong := txbuild.CreateATA(owner, ourWrapped, thief, NativeMint, TokenProgram, true)
	assert.ElementsMatch(t, []Rule{RuleAssociatedToken, RuleTip}, ordinary(closeATA, wrong, payATA).grounds(t))
	// Nor does one with data that the program does not take.
	native2022 := AssociatedTokenAddress(owner, NativeMintToken2022, Token2022Program)
	made := txbuild.CreateATA(owner, native2022, owner, NativeMintToken2022, Token2022Program, true)
	longer := made
	longer.Data = []byte{1, 0}
	assert.Empty(t, ordinary(made, txbuild.Transfer(owner, native2022, 1<<40)).grounds(t))
	assert.ElementsMatch(t, []Rule{RuleAssociatedToken, RuleTip}, ordinary(longer, txbuild.Transfer(owner, native2022, 1<<40)).grounds(t))
}

// What an account got beyond its rent is drawn by transfers of wrapped SOL out of
// this very account, and by nothing else.
func TestExcessIsDrawnOnce(t *testing.T) {
	create := func(lamports uint64, mint PublicKey) []txbuild.Instruction {
		return []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, lamports, 165, TokenProgram), spl.InitializeAccount3(fresh, mint, owner)}
	}
	noSOL := func(s *scene) { s.intent.Spend = s.intent.Spend[1:] }
	filled := create(accountRent+1_000_000, NativeMint)
	runVerdicts(t, []verdict{
		allow("out of it", append(slices.Clone(filled), spl.Transfer(fresh, vault, owner, 1_000_000))...),
		refuse("out of another", RuleSystemCreate, append(slices.Clone(filled), spl.Transfer(ourWrapped, vault, owner, 1_000_000))...),
		refuse("tokens of another mint", RuleSystemCreate, append(create(accountRent+400, usdc), spl.Transfer(fresh, vault, owner, 400))...).with(noSOL),
		refuse("a lamport beyond its rent", RuleSystemCreate, create(accountRent+1, usdc)...).with(noSOL),
		allow("its rent", create(accountRent, usdc)...).with(noSOL),
		allow("out of one that was made for its rent before", slices.Concat(create(accountRent, NativeMint),
			[]txbuild.Instruction{spl.Close(fresh, owner, owner)}, filled, []txbuild.Instruction{spl.Transfer(fresh, vault, owner, 1_000_000)})...),
	})
	hidden := append(slices.Clone(filled), spl.TransferChecked(ourWrapped, pump, vault, owner, 1, 6))
	runVerdicts(t, []verdict{
		allow("tokens of a hidden account", hidden...).with(behindTables).with(unprotected),
	}, txbuild.V0)
}

// Notes say what is worth knowing and costs nothing.
func TestNotesOfTransfers(t *testing.T) {
	notes := func(instructions ...txbuild.Instruction) (all []Note) {
		for _, n := range ordinary(instructions...).report(t, txbuild.V0).Notes {
			n.Instruction = 0
			all = append(all, n)
		}
		return all
	}
	assert.Empty(t, notes(txbuild.Transfer(owner, friend, 1), spl.TransferChecked(ourUSDC, usdc, vault, owner, 1, 6)))
	assert.Equal(t, []Note{{Kind: NoteZero, Account: owner, To: thief}, {Kind: NoteZero, Account: ourUSDC, To: vault}},
		notes(txbuild.Transfer(owner, thief, 0), spl.TransferChecked(ourUSDC, usdc, vault, owner, 0, 6)))
	assert.Equal(t, []Note{{Kind: NoteApproval, Account: ourUSDC, To: approved, Amount: 1}}, notes(spl.Approve(ourUSDC, approved, owner, 1)))
	assert.Equal(t, []Note{{Kind: NoteRevoke, Account: ourUSDC}}, notes(spl.Approve(ourUSDC, approved, owner, 1), spl.Revoke(ourUSDC, owner)), "of a named one, too")
	assert.Equal(t, []Note{{Kind: NoteRevoke, Account: ourUSDC}}, notes(spl.Approve(ourUSDC, stranger, owner, 1), spl.Revoke(ourUSDC, owner)), "it ends with the transaction")
	assert.Equal(t, []Note{{Kind: NoteMint, Account: fresh}}, notes(txbuild.CreateAccount(owner, fresh, 1_461_600, 82, TokenProgram), spl.InitializeMint2(fresh, stranger, 6)))
	assert.Equal(t, []Note{{Kind: NoteRevoke, Account: stranger}}, notes(spl.Revoke(stranger, owner), spl.Revoke(vault, fresh)), "of others it is not worth a note")
}

// The owner keeps what arrives there, without what is withheld.
func TestStaysIsNet(t *testing.T) {
	report := ordinary(t22.TransferCheckedWithFee(listed, pump, ourPump, owner, 1000, 6, 60)).report(t, txbuild.V0)
	assert.Equal(t, []Movement{{Mint: pump, Amount: 940, To: ourPump}}, report.Stays)
	require.Len(t, report.Leaves, 1)
	assert.Equal(t, walletfi.Amount(60), report.Leaves[0].Amount)
	named := ordinary(t22.TransferCheckedWithFee(stranger, bonk, ourBonk, owner, 1000, 6, 60)).with(func(s *scene) { s.policy.Mints = []PublicKey{bonk} })
	assert.Equal(t, RuleTokenTransfer, must(named.refusal(t, txbuild.V0)).Rule, "a fee that the instruction names is lost whatever the mint")
}

func must(refusal *GuardError, _ *Report) *GuardError { return refusal }

// To hold a mint elsewhere than its account says is to send it away.
func TestListedAccountOfAnotherMint(t *testing.T) {
	runVerdicts(t, []verdict{
		allow("of its mint", spl.TransferChecked(ourUSDC, usdc, listed, owner, 1<<40, 6)),
		refuse("of another mint", RuleTokenTransfer, spl.TransferChecked(ourWrapped, NativeMint, listed, owner, 1<<40, 9)),
		allow("of no mint", spl.TransferChecked(ourWrapped, NativeMint, listed, owner, 1<<40, 9)).with(func(s *scene) { s.policy.Accounts[0].Mint = PublicKey{} }),
		refuse("out of one of no mint, that names none", RuleTokenTransfer, spl.Transfer(listed, vault, owner, 1)).with(func(s *scene) { s.policy.Accounts[0].Mint = PublicKey{} }),
		refuse("the same by another's authority", RuleTokenTransfer, spl.Transfer(listed, vault, fresh, 1)).with(func(s *scene) { s.policy.Accounts[0].Mint = PublicKey{} }),
	})
}

// A recipient that only a lookup table names is not known to be ours: what moves there
// does not arrive, unless a resolver says where it is.
func TestHiddenArrival(t *testing.T) {
	expects := func(mint PublicKey) func(*scene) {
		return func(s *scene) {
			s.policy.CoSigners = []PublicKey{maker}
			s.intent.Receive = []walletfi.Asset{{Mint: mint.String(), Amount: 7}}
		}
	}
	pays := txbuild.Transfer(maker, ourWrapped, 7)
	tokens := spl.TransferChecked(maker, pump, ourUSDC, maker, 7, 6)
	hidden := func(name string, bring txbuild.Instruction, mint PublicKey) verdict {
		return refuse(name+", hidden", RuleArrival, bring, txbuild.Transfer(owner, owner, 1)).with(expects(mint)).with(behindTables).with(unprotected)
	}
	runVerdicts(t, []verdict{hidden("SOL", pays, NativeMint), hidden("tokens", tokens, pump)}, txbuild.V0)
	known := ordinary(pays, txbuild.Transfer(owner, owner, 1)).with(expects(NativeMint)).with(behindTables).with(unprotected).with(resolved)
	report := known.report(t, txbuild.V0)
	assert.False(t, report.Unproven)
	assert.Len(t, report.Brings, 1)
	runVerdicts(t, []verdict{
		refuse("to others", RuleArrival, txbuild.Transfer(maker, vault, 7), txbuild.Transfer(owner, owner, 1)).with(expects(NativeMint)),
		refuse("a lamport less", RuleArrival, txbuild.Transfer(maker, ourWrapped, 6), txbuild.Transfer(owner, owner, 1)).with(expects(NativeMint)),
		allow("to ours", txbuild.Transfer(maker, ourWrapped, 7), txbuild.Transfer(owner, owner, 1)).with(expects(NativeMint)),
		allow("by a pinned program", txbuild.Call(exchange, nil, txbuild.Writable(ourWrapped))).with(expects(NativeMint)),
	})
	pinned := ordinary(txbuild.Call(exchange, nil, txbuild.Writable(ourWrapped))).with(expects(NativeMint)).report(t, txbuild.V0)
	assert.True(t, pinned.Unproven)
}
