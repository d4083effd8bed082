package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func TestAssociatedToken(t *testing.T) {
	create := txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true)
	data := func(b ...byte) txbuild.Instruction { ins := create; ins.Data = b; return ins }
	wrapped2022 := AssociatedTokenAddress(owner, NativeMintToken2022, Token2022Program)
	forged := AssociatedTokenAddress(owner, bonk, rogue)
	runVerdicts(t, []verdict{
		allow("idempotent", create),
		allow("plain", txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, false)),
		allow("tag 0", data(0)),
		allow("for another", txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)),
		refuse("lamports stay in no account of another mint", RuleTip, txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true), txbuild.Transfer(owner, ourBonk, 1<<50)),
		allow("lamports stay in Token-2022's native account made here", txbuild.CreateATA(owner, wrapped2022, owner, NativeMintToken2022, Token2022Program, true), txbuild.Transfer(owner, wrapped2022, 1<<50)),
		refuse("an address that nothing derives", RuleAssociatedToken, txbuild.CreateATA(owner, vault, thief, usdc, TokenProgram, true)),
		refuse("the address of the other token program", RuleAssociatedToken, txbuild.CreateATA(owner, ourUSDC, owner, usdc, Token2022Program, true)),
		refuse("recover nested", RuleAssociatedToken, data(2)),
		refuse("tag 3", RuleAssociatedToken, data(3)),
		refuse("trailing bytes", RuleAssociatedToken, data(1, 0)),
		refuse("too few accounts", RuleAssociatedToken, txbuild.Instruction{Program: create.Program, Accounts: create.Accounts[:5]}),
		refuse("of a rogue token program", RuleAssociatedToken, txbuild.CreateATA(owner, forged, owner, bonk, rogue, true)),
		refuse("another's is not ours", RuleTip, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true), txbuild.Transfer(owner, thiefUSDC, 1<<50)),
		refuse("past the rent", RuleRent, create).with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(accountRent - 1)) }),
		allow("at the rent", create).with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(accountRent)) }),
		refuse("for another, where the intent allows none", RuleRent, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)).with(func(s *scene) { s.intent.MaxForeignRentLamports = 0 }),
		allow("for another, as the policy allows", txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)).with(func(s *scene) { s.intent.MaxForeignRentLamports, s.policy.ForeignRentLamports = 0, accountRent }),
		refuse("no rent at all, says the policy", RuleRent, create).with(func(s *scene) { s.policy.MaxRentLamports = new(walletfi.Amount(0)) }),
		allow("a sponsor pays the rent", txbuild.CreateATA(sponsor, ourUSDC, owner, usdc, TokenProgram, true), txbuild.Memo("x", owner)).with(func(s *scene) {
			s.intent.Sponsor, s.intent.MaxRentLamports, s.build.Payer = sponsor.String(), new(walletfi.Amount(0)), sponsor
		}),
	})
}

func TestComputeBudget(t *testing.T) {
	capped := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxNetworkFeeLamports = &lamports }
	}
	runVerdicts(t, []verdict{
		allow("each once", txbuild.UnitLimit(1), txbuild.UnitPrice(1), txbuild.HeapFrame(32*1024), txbuild.DataLimit(1)),
		refuse("price twice", RuleComputeBudget, txbuild.UnitPrice(1), txbuild.UnitPrice(1)),
		refuse("limit twice", RuleComputeBudget, txbuild.UnitLimit(1), txbuild.UnitLimit(2)),
		refuse("tag 0", RuleComputeBudget, txbuild.Instruction{Program: txbuild.ComputeBudget, Data: []byte{0, 1, 1, 1, 1, 1, 1, 1, 1}}),
		refuse("tag 5", RuleComputeBudget, txbuild.Instruction{Program: txbuild.ComputeBudget, Data: []byte{5, 1, 1, 1, 1, 1, 1, 1, 1}}),
		refuse("no data", RuleComputeBudget, txbuild.Instruction{Program: txbuild.ComputeBudget}),
		refuse("cut short", RuleComputeBudget, short(txbuild.UnitPrice(1), 1)),
		allow("trailing bytes", trailing(txbuild.UnitPrice(1))),
		refuse("a small heap", RuleComputeBudget, txbuild.HeapFrame(31*1024)),
		refuse("a large heap", RuleComputeBudget, txbuild.HeapFrame(257*1024)),
		refuse("an odd heap", RuleComputeBudget, txbuild.HeapFrame(32*1024+1)),
	})
	old := []txbuild.Format{txbuild.Legacy, txbuild.V0}
	runVerdicts(t, []verdict{
		// 2 x 3,000 units by default at 10^6 micro-lamports: 6,000 lamports.
		allow("builtins by default", txbuild.UnitPrice(1_000_000), txbuild.Transfer(owner, owner, 1)).with(capped(5000 + 6000)),
		refuse("builtins by default, a lamport less", RuleNetworkFee, txbuild.UnitPrice(1_000_000), txbuild.Transfer(owner, owner, 1)).with(capped(5000 + 5999)),
		// 3,000 + 200,000 units.
		allow("others by default", txbuild.UnitPrice(1_000_000), txbuild.Memo("x")).with(capped(5000 + 203_000)),
		refuse("others by default, a lamport less", RuleNetworkFee, txbuild.UnitPrice(1_000_000), txbuild.Memo("x")).with(capped(5000 + 202_999)),
		// 1 micro-lamport costs a whole lamport.
		allow("rounded up", txbuild.UnitPrice(1), txbuild.UnitLimit(1)).with(capped(5001)),
		refuse("rounded up, a lamport less", RuleNetworkFee, txbuild.UnitPrice(1), txbuild.UnitLimit(1)).with(capped(5000)),
		allow("a limit past the most", txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(1<<32-1)).with(capped(5000 + 1_400_000)),
		refuse("a limit past the most, a lamport less", RuleNetworkFee, txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(1<<32-1)).with(capped(5000 + 1_399_999)),
		refuse("past 64 bits", RuleNetworkFee, txbuild.UnitPrice(1<<64-1), txbuild.UnitLimit(1_400_000)).with(capped(1<<64 - 1 - 1)),
		refuse("the default cap", RuleNetworkFee, txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(1_400_000), txbuild.Memo("x")).with(func(s *scene) { s.policy.MaxNetworkFeeLamports = new(walletfi.Amount(1_404_999)) }),
		allow("a sponsor pays", txbuild.UnitPrice(1<<60), txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor }),
	}, old...)
	config := func(fee uint64, heap uint32) func(*scene) {
		return func(s *scene) { s.build.Config = txbuild.Config{PriorityFee: &fee, Heap: &heap} }
	}
	runVerdicts(t, []verdict{
		allow("config at the cap", txbuild.Memo("x")).with(config(77, 32*1024)).with(capped(5077)),
		refuse("config past the cap", RuleNetworkFee, txbuild.Memo("x")).with(config(78, 32*1024)).with(capped(5077)),
		refuse("config past 64 bits", RuleNetworkFee, txbuild.Memo("x")).with(config(1<<64-1, 32*1024)),
		refuse("config heap", RuleComputeBudget, txbuild.Memo("x")).with(config(1, 33*1000)),
		allow("instructions count for nothing", txbuild.UnitPrice(1<<60), txbuild.UnitLimit(1_400_000)).with(capped(5000)),
	}, txbuild.V1)
}

func TestPrecompilesAndMemos(t *testing.T) {
	verify := func(program PublicKey, n uint8) txbuild.Instruction {
		return txbuild.Instruction{Program: program, Data: []byte{n, 0}}
	}
	fee := func(lamports walletfi.Amount) func(*scene) {
		return func(s *scene) { s.intent.MaxNetworkFeeLamports = &lamports }
	}
	for _, program := range []PublicKey{Ed25519Program, Secp256k1Program, Secp256r1Program} {
		runVerdicts(t, []verdict{
			allow("verifies/"+ProgramName(program), verify(program, 2)).with(fee(15_000)),
			refuse("costs a fee each/"+ProgramName(program), RuleNetworkFee, verify(program, 3)).with(fee(15_000)),
		})
	}
	for _, program := range []PublicKey{MemoProgram, MemoProgramV1, MemoProgramV4} {
		report := ordinary(txbuild.Instruction{Program: program, Data: []byte("hi\nREFUSED")}).report(t, txbuild.V0)
		assert.Equal(t, []Note{{Kind: NoteMemo, Text: "hi\nREFUSED"}}, report.Notes)
		assert.NotContains(t, report.String(), "\nREFUSED")
	}
}

func TestPrograms(t *testing.T) {
	call := func(program PublicKey, accounts ...txbuild.Account) txbuild.Instruction {
		return txbuild.Call(program, []byte{1, 2, 3}, accounts...)
	}
	var verdicts []verdict
	for _, program := range []PublicKey{StakeProgram, UpgradeableLoader, LoaderV4, BPFLoader, BPFLoader2, LookupTableProgram, VoteProgram} {
		verdicts = append(verdicts, refuse("denied/"+ProgramName(program), RuleDeniedProgram, call(program)))
	}
	runVerdicts(t, append(verdicts,
		allow("pinned", call(exchange, txbuild.WritableSigner(owner))),
		refuse("not pinned", RuleUnknownProgram, call(rogue)),
		refuse("pinned for another service", RuleUnknownProgram, call(exchange)).with(func(s *scene) { s.intent.Service = "lending" }),
		refuse("pinning lifts no rule", RuleTip, txbuild.Transfer(owner, thief, 1<<40)),
		refuse("a protected account", RuleProtectedAccount, call(exchange, txbuild.Writable(guarded))),
		allow("a protected account, read only", call(exchange, txbuild.Readonly(guarded))),
		refuse("a protected account by a ruled program", RuleProtectedAccount, spl.SyncNative(guarded)),
	))
	report := ordinary(call(exchange, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(vault), txbuild.Readonly(ourPump))).report(t, txbuild.V0)
	assert.Equal(t, []Reach{{Program: exchange, Ours: []PublicKey{owner, ourUSDC}, Unshown: 1}}, report.Reaches)
	assert.Contains(t, report.Unseen()[0], "nothing was simulated")
}
