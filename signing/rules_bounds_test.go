package signing

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// fees are what a scene costs, whether or not it is refused.
func (s *scene) fees(t *testing.T, format txbuild.Format) (base, priority uint64) {
	t.Helper()
	_, report, _ := s.sign(t, NewGuard(s.policy), format)
	require.NotNil(t, report)
	return uint64(report.Transactions[0].BaseFeeLamports), uint64(report.Transactions[0].PriorityLamports)
}

func TestFeesAreExact(t *testing.T) {
	const most = ^uint64(0)
	call := txbuild.Call(exchange, nil)
	signatures := func(data ...byte) txbuild.Instruction {
		return txbuild.Call(addressOfProgram("Ed25519SigVerify111111111111111111111111111"), data)
	}
	for _, row := range []struct {
		name           string
		base, priority uint64
		instructions   []txbuild.Instruction
	}{
		{"nothing set", 5000, 0, []txbuild.Instruction{call}},
		{"units of a call and of the price's own instruction", 5000, 203_000, []txbuild.Instruction{txbuild.UnitPrice(1_000_000), call}},
		{"a batch is one instruction", 5000, 203_000, []txbuild.Instruction{txbuild.UnitPrice(1_000_000), spl.Batch(spl.Revoke(ourUSDC, owner), spl.Revoke(ourUSDC, owner))}},
		{"at most 1.4 million", 5000, 1_400_000, append(slices.Repeat([]txbuild.Instruction{call}, 8), txbuild.UnitPrice(1_000_000))},
		{"a limit", 5000, 7, []txbuild.Instruction{txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(7)}},
		{"a limit past the most", 5000, 1_400_000, []txbuild.Instruction{txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(1_400_001)}},
		{"a limit of 0", 5000, 0, []txbuild.Instruction{txbuild.UnitPrice(1_000_000), txbuild.UnitLimit(0)}},
		{"rounded up", 5000, 1, []txbuild.Instruction{txbuild.UnitPrice(1), txbuild.UnitLimit(1)}},
		{"not rounded", 5000, 1, []txbuild.Instruction{txbuild.UnitPrice(500_000), txbuild.UnitLimit(2)}},
		{"just within 64 bits", 5000, most - 999, []txbuild.Instruction{txbuild.UnitPrice(most - 999), txbuild.UnitLimit(1_000_000)}},
		{"saturated", 5000, most, []txbuild.Instruction{txbuild.UnitPrice(most), txbuild.UnitLimit(1_000_001)}},
		{"signatures that are verified", 5000 * 4, 0, []txbuild.Instruction{signatures(3, 0, 0)}},
		{"none of them", 5000, 0, []txbuild.Instruction{signatures()}},
		{"one, and another instruction", 5000 * 3, 0, []txbuild.Instruction{signatures(1), signatures(1)}},
	} {
		base, priority := ordinary(row.instructions...).fees(t, txbuild.V0)
		assert.Equal(t, row.base, base, row.name)
		assert.Equal(t, row.priority, priority, row.name)
	}
	assert.Equal(t, []Note{{Kind: NoteSignatures, Text: "Ed25519"}}, ordinary(signatures(1)).report(t, txbuild.V0).Notes)
}

func addressOfProgram(text string) PublicKey { return MustPublicKey(text) }

// A fee's refusal names the instruction that sets the price, if it is the price
// that makes most of the fee.
func TestFeeRefusalNamesWhatCosts(t *testing.T) {
	free := func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(0)) }
	priced := func(price uint64) *scene {
		return ordinary(txbuild.Memo("x"), txbuild.UnitLimit(1_000_000), txbuild.UnitPrice(price)).with(free)
	}
	for _, row := range []struct {
		name   string
		scene  *scene
		format txbuild.Format
		at     int
	}{
		{"the price", priced(5001), txbuild.V0, 2},
		{"as much as the signatures", priced(5000), txbuild.V0, EnvelopeInstruction},
		{"less than the signatures", priced(4999), txbuild.V0, EnvelopeInstruction},
		{"no price", ordinary(txbuild.Memo("x")).with(free), txbuild.V0, EnvelopeInstruction},
		{"a v1 config", priced(5001).with(func(s *scene) { s.build.Config.PriorityFee = new(uint64(9000)) }), txbuild.V1, EnvelopeInstruction},
	} {
		refusal, _ := row.scene.refusal(t, row.format)
		assert.Equal(t, RuleNetworkFee, refusal.Rule, row.name)
		assert.Equal(t, row.at, refusal.Instruction, row.name)
	}
}

// What a refusal says of an amount: which cap, what it is, and what it adds up to.
func TestRefusalsOfAmounts(t *testing.T) {
	one := func(s *scene) { s.intent.PayTo = []string{friend.String()} }
	for _, row := range []struct {
		name           string
		scene          *scene
		found, allowed string
	}{
		{"spend", ordinary(spl.TransferChecked(ourUSDC, usdc, vault, owner, 600, 6)),
			"600 units of " + usdc.String() + " to " + vault.String(), "to spend at most 500 units of " + usdc.String()},
		{"spend in all", ordinary(times(2, spl.TransferChecked(ourUSDC, usdc, vault, owner, 400, 6))...),
			"400 units of " + usdc.String() + " to " + vault.String() + ", 800 units of " + usdc.String() + " in all so far", "to spend at most 500 units of " + usdc.String()},
		{"burn", ordinary(spl.Burn(ourUSDC, usdc, owner, 41)),
			"41 units of " + usdc.String() + " to " + ourUSDC.String(), "to burn at most 40 units of " + usdc.String()},
		{"rent", ordinary(txbuild.CreateAccount(owner, fresh, 3_000_000, 300, exchange)).with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(100)) }),
			"0.00297888 SOL of rent, past the cap with those before", "rent of at most 0.0000001 SOL in all"},
		{"rent for another", ordinary(txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)).with(func(s *scene) { s.intent.MaxForeignRentLamports = 100 }),
			"0.00203928 SOL of rent for " + thiefUSDC.String() + ", an account of another wallet", "rent of at most 0.0000001 SOL for accounts of other wallets"},
		{"no payee", ordinary(txbuild.Transfer(owner, thief, 10_001)).with(one),
			"0.000010001 SOL to " + thief.String(), "it goes to those whom your request pays; or to anyone else a tip of at most 0.00001 SOL; or to anyone else a service fee of at most 0.000005 SOL"},
	} {
		refusal, _ := row.scene.refusal(t, txbuild.V0)
		assert.Equal(t, row.found, refusal.Found, row.name)
		assert.Equal(t, row.allowed, refusal.Allowed, row.name)
	}
	refusal, _ := ordinary(spl.InitializeAccount3(stranger, usdc, thief)).refusal(t, txbuild.V0)
	assert.Equal(t, "a token account "+stranger.String()+" of "+thief.String(), refusal.Found)
	refusal, _ = ordinary(txbuild.Call(ComputeBudgetProgram, []byte{2})).refusal(t, txbuild.V0)
	assert.Equal(t, "instruction 2 with 1 bytes", refusal.Found)
	refusal, _ = ordinary(txbuild.Call(ComputeBudgetProgram, nil)).refusal(t, txbuild.V0)
	assert.Equal(t, "instruction 0 with 0 bytes", refusal.Found)
	refusal, _ = ordinary(txbuild.Memo("x")).with(func(s *scene) {
		s.options = []Option{AtBlockHeight(1000), WithLastValidBlockHeight(1215)}
	}).refusal(t, txbuild.V0)
	assert.Equal(t, "an end in the 214 blocks after 1000", refusal.Allowed)
	refusal, _ = ordinary(short(spl.Burn(ourUSDC, usdc, owner, 1), 1)).refusal(t, txbuild.V0)
	assert.Equal(t, "instruction 8 with 8 bytes and 3 accounts", refusal.Found)
	refusal, _ = ordinary(spl.Raw(nil, txbuild.Writable(ourUSDC))).refusal(t, txbuild.V0)
	assert.Equal(t, "an instruction without data", refusal.Found)
	refusal, _ = ordinary(spl.SetAuthority(ourUSDC, owner, 2, thief)).refusal(t, txbuild.V0)
	assert.Equal(t, "control of your account "+ourUSDC.String()+" given to "+thief.String(), refusal.Found)
}

// An amount that was refused counts as nothing.
func TestRefusedAmountsCountAsNothing(t *testing.T) {
	pay := txbuild.Transfer(owner, friend, 7)
	report := ordinary(pay).report(t, txbuild.V0)
	require.Equal(t, CountsAsSpend, report.Leaves[0].CountsAs)
	_, report = ordinary(pay, spl.SetAuthority(ourUSDC, owner, 2, thief)).refusal(t, txbuild.V0)
	require.Len(t, report.Leaves, 1)
	assert.Empty(t, report.Leaves[0].CountsAs)
}

func TestBurnBounds(t *testing.T) {
	all := func(what PublicKey) func(*scene) {
		return func(s *scene) { s.intent.Burn, s.intent.BurnAll = nil, []string{what.String()} }
	}
	two := spl.Burn(ourUSDC, usdc, owner, 1)
	two.Accounts = two.Accounts[:2]
	runVerdicts(t, []verdict{
		allow("within the cap", spl.Burn(ourUSDC, usdc, owner, 40)),
		refuse("past it", RuleTokenBurn, spl.Burn(ourUSDC, usdc, owner, 41)),
		refuse("with two accounts", RuleTokenUnknown, two),
		refuse("of the checked form, cut short", RuleTokenUnknown, short(spl.BurnChecked(ourUSDC, usdc, owner, 1, 6), 1)),
		allow("of the checked form", spl.BurnChecked(ourUSDC, usdc, owner, 1, 6)),
		refuse("of another mint than the account's", RuleTokenBurn, spl.Burn(listed, bonk, owner, 1)),
		allow("all of the mint", spl.Burn(ourUSDC, usdc, owner, 1<<60)).with(all(usdc)),
		allow("all of the account", spl.Burn(ourUSDC, usdc, owner, 1<<60)).with(all(ourUSDC)),
		refuse("all of another account", RuleTokenBurn, spl.Burn(listed, usdc, owner, 1<<60)).with(all(ourUSDC)),
		allow("somebody else's", spl.Burn(vault, usdc, fresh, 1<<60)),
	})
	runVerdicts(t, []verdict{
		allow("a hidden mint, of an account whose mint is known", spl.Burn(listed, usdc, owner, 40)).with(behindTables).with(unprotected),
		refuse("the same past the cap", RuleTokenBurn, spl.Burn(listed, usdc, owner, 41)).with(behindTables).with(unprotected),
	}, txbuild.V0)
	report := ordinary(spl.Burn(ourUSDC, usdc, owner, 1<<60)).with(all(usdc)).report(t, txbuild.V0)
	assert.Equal(t, []Movement{{Rule: RuleTokenBurn, Mint: usdc, Amount: 1 << 60, To: ourUSDC, CountsAs: CountsAsBurn}}, report.Leaves)
}

// The lamports of a token account go to us; only its rent to a sponsor, and only of
// an account that is known to hold no more.
func TestCloseBounds(t *testing.T) {
	sponsored := func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor }
	noMint := func(s *scene) { s.policy.Accounts[0].Mint = PublicKey{} }
	two := spl.Close(ourUSDC, owner, owner)
	two.Accounts = two.Accounts[:2]
	runVerdicts(t, []verdict{
		allow("to a sponsor", spl.Close(ourUSDC, sponsor, owner)).with(sponsored),
		refuse("to a sponsor that nobody named", RuleTokenClose, spl.Close(ourUSDC, sponsor, owner)),
		refuse("to a sponsor, of wrapped SOL", RuleTokenClose, spl.Close(ourWrapped, sponsor, owner)).with(sponsored),
		refuse("to a sponsor, of an account that is not ours", RuleTokenClose, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true), spl.Close(thiefUSDC, sponsor, owner)).with(sponsored),
		refuse("to a sponsor, of an account of an unknown mint", RuleTokenClose, spl.Close(listed, sponsor, owner)).with(sponsored).with(noMint),
		refuse("to a sponsor, with the lamports of another", RuleTokenClose, spl.Close(ourWrapped, listed, owner), spl.Close(listed, sponsor, owner)).with(sponsored),
		refuse("to a sponsor, with what was paid in", RuleTokenClose, txbuild.Transfer(owner, listed, 5), spl.Close(listed, sponsor, owner)).with(sponsored),
		allow("to a sponsor, of a listed account", spl.Close(listed, sponsor, owner)).with(sponsored),
		refuse("what is past the rent, to a sponsor", RuleTokenClose, t22.WithdrawExcess(ourPump, sponsor, owner)).with(sponsored),
		refuse("with two accounts", RuleTokenUnknown, two),
		allow("to itself, which the program refuses", spl.Close(ourWrapped, ourWrapped, owner)),
		allow("somebody else's", spl.Close(vault, thief, fresh)),
		refuse("unwrapping without a length", RuleTokenUnknown, spl.Raw([]byte{45}, txbuild.Writable(ourWrapped), txbuild.Writable(owner), txbuild.Signer(owner))),
		allow("unwrapping all", spl.Raw([]byte{45, 0}, txbuild.Writable(ourWrapped), txbuild.Writable(owner), txbuild.Signer(owner))),
		refuse("unwrapping an amount, cut short", RuleTokenUnknown, short(spl.Unwrap(ourWrapped, owner, owner, 5), 1)),
		refuse("unwrapping with an option that is none", RuleTokenUnknown, spl.Raw([]byte{45, 2, 0, 0, 0, 0, 0, 0, 0, 0}, txbuild.Writable(ourWrapped), txbuild.Writable(owner), txbuild.Signer(owner))),
		allow("unwrapping an amount", spl.Unwrap(ourWrapped, owner, owner, 5)),
	})
	report := ordinary(spl.Close(ourUSDC, sponsor, owner), spl.Close(listed, sponsor, owner)).with(sponsored).with(func(s *scene) {
		s.intent.CloseAccounts = []string{listed.String()}
	}).report(t, txbuild.V0)
	assert.Equal(t, []Note{{Kind: NoteClose, Account: ourUSDC, To: sponsor}, {Instruction: 1, Kind: NoteClose, Account: listed, To: sponsor, Text: "as asked"}}, report.Notes)
	assert.Equal(t, []Movement{{Rule: RuleRent, Mint: NativeMint, Amount: accountRent, To: sponsor, CountsAs: CountsAsRent}}, report.Leaves, "what was asked for costs nothing")
	report = ordinary(txbuild.CreateATA(owner, ourPump, owner, pump, Token2022Program, true)).report(t, txbuild.V0)
	assert.EqualValues(t, program.Token2022AccountRent, report.Leaves[0].Amount)
}

// A batch is taken apart as the program does: each part is whole.
func TestBatchBounds(t *testing.T) {
	raw := func(data ...byte) txbuild.Instruction {
		return spl.Raw(append([]byte{255}, data...), txbuild.Writable(ourUSDC), txbuild.Signer(owner))
	}
	runVerdicts(t, []verdict{
		allow("two parts", raw(1, 1, 17, 1, 1, 17)),
		allow("of nothing", raw()),
		refuse("a part without data", RuleTokenUnknown, raw(1, 0)),
		refuse("a count alone", RuleTokenBatch, raw(1)),
		refuse("more data than there is", RuleTokenBatch, raw(1, 2, 17)),
		refuse("more accounts than there are", RuleTokenBatch, raw(2, 1, 17, 1, 1, 17)),
		refuse("a batch within", RuleTokenBatch, raw(1, 1, 255)),
	})
}

// After so many refusals a set is judged no further.
func TestRefusalsAreBounded(t *testing.T) {
	notes := func(bad int) int {
		parts := slices.Repeat([]txbuild.Instruction{spl.Raw([]byte{7}, txbuild.Writable(ourUSDC))}, bad)
		_, report := ordinary(spl.Batch(parts...), txbuild.Memo("x")).refusal(t, txbuild.Legacy)
		require.Equal(t, RuleTokenUnknown, report.Refusal.Rule)
		return len(report.Notes)
	}
	assert.Equal(t, 1, notes(63))
	assert.Equal(t, 0, notes(64))
	assert.Equal(t, 0, notes(65))
}

// A check says of an occupied slot of the owner's what signing would.
func TestCheckOfAnOccupiedSlot(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	guard := NewGuard(s.policy)
	require.NoError(t, wiretest.Error(guard.Check(t.Context(), tx, s.intent)))
	tx.wire.Slot(0)[5] = 1
	_, err = guard.Check(t.Context(), tx, s.intent)
	refusal := wiretest.As[*GuardError](t, err)
	assert.Equal(t, RuleSigners, refusal.Rule)
	assert.Equal(t, EnvelopeInstruction, refusal.Instruction)
	*tx.wire.Slot(0) = [64]byte{}
	require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
	require.NoError(t, wiretest.Error(guard.Check(t.Context(), tx, s.intent)), "its valid signature")
}
