package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

var spl, t22 = txbuild.SPLToken, txbuild.Token2022

// hooked adds accounts after a transfer's authority, as for a transfer hook.
func hooked(one txbuild.Instruction, asked ...txbuild.Key) txbuild.Instruction {
	one.Accounts = append(one.Accounts, txbuild.Readonly(rogue))
	for _, k := range asked {
		one.Accounts = append(one.Accounts, txbuild.WritableSigner(k))
	}
	return one
}

func TestTokenTransfer(t *testing.T) {
	made := []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner)}
	runVerdicts(t, []verdict{
		allow("within the spend", spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6)),
		allow("without the mint, from our associated account", spl.Transfer(ourUSDC, vault, owner, 500)),
		allow("without the mint, from a listed account", spl.Transfer(listed, vault, owner, 500)),
		allow("without the mint, from an account made here", append(made, spl.Transfer(fresh, vault, owner, 500))...),
		allow("spend and fee", spl.TransferChecked(ourUSDC, usdc, vault, owner, 5, 6), spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6)),
		allow("to our own, however much", spl.TransferChecked(listed, usdc, ourUSDC, owner, 1<<60, 6)),
		refuse("to our own of a Token-2022 mint that may withhold all", RuleTokenTransfer, t22.TransferChecked(stranger, bonk, ourBonk, owner, 1<<60, 6)),
		allow("to our own of a mint that the policy names", t22.TransferChecked(stranger, bonk, ourBonk, owner, 1<<60, 6)).with(func(s *scene) { s.policy.Mints = []PublicKey{bonk} }),
		allow("wrapped SOL", spl.TransferChecked(ourWrapped, NativeMint, vault, owner, 1_000_000, 9)),
		allow("a maker pays us", spl.TransferChecked(vault, usdc, ourUSDC, fresh, 1<<60, 6)),
		allow("a maker pays another", spl.Transfer(vault, stranger, fresh, 1<<60)),
		allow("with a fee withheld", t22.TransferCheckedWithFee(ourPump, pump, vault, owner, 70, 6, 3)),
		allow("to our own with a fee within the spend", t22.TransferCheckedWithFee(listed, pump, ourPump, owner, 1<<40, 6, 70)),
		allow("trailing bytes", trailing(spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6))),
		refuse("past the spend", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, vault, owner, 506, 6)),
		refuse("past the spend in pieces", RuleTokenTransfer, times(3, spl.TransferChecked(ourUSDC, usdc, vault, owner, 170, 6))...),
		refuse("to a named destination, past the spend", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, friend, owner, 506, 6)),
		refuse("another mint", RuleTokenTransfer, t22.TransferChecked(ourBonk, bonk, vault, owner, 1, 6)),
		refuse("without the mint, from an unknown account", RuleTokenTransfer, spl.Transfer(stranger, vault, owner, 1)),
		refuse("of ours by another's authority", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, vault, fresh, 506, 6)),
		refuse("by a multisig of ours", RuleTokenTransfer, spl.TransferChecked(stranger, usdc, vault, multisig, 506, 6, fresh)),
		refuse("by a foreign multisig that we sign", RuleTokenTransfer, spl.TransferChecked(stranger, usdc, vault, thief, 506, 6, fresh, owner)),
		allow("by a Token-2022 multisig that we sign", t22.TransferChecked(stranger, pump, vault, multisig, 70, 6, owner, fresh)),
		refuse("by a Token-2022 multisig that we sign, with an account that does not", RuleTokenTransfer, hooked(t22.TransferChecked(stranger, pump, vault, multisig, 70, 6, owner, fresh))),
		allow("of another's, with the accounts of a hook", hooked(t22.TransferChecked(stranger, bonk, vault, fresh, 0, 6))),
		refuse("of another's, with us among the accounts of a hook", RuleTokenTransfer, hooked(t22.TransferChecked(stranger, bonk, vault, fresh, 0, 6), owner)),
		refuse("of another's, with a key of ours among the accounts of a hook", RuleTokenTransfer, hooked(t22.TransferChecked(stranger, bonk, vault, fresh, 0, 6), multisig)).
			with(func(s *scene) { s.intent.CoSigners = append(s.intent.CoSigners, multisig.String()) }),
		allow("the other program calls no hook", hooked(spl.TransferChecked(stranger, usdc, vault, fresh, 0, 6), owner)),
		refuse("a fee that eats what stays ours", RuleTokenTransfer, t22.TransferCheckedWithFee(listed, pump, ourPump, owner, 1<<40, 6, 71)),
		refuse("to our account of another program", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, ourPump, owner, 506, 6)),
		refuse("wrapped SOL past the spend", RuleTokenTransfer, spl.TransferChecked(ourWrapped, NativeMint, vault, owner, 1_005_001, 9)),
		refuse("wrapped and plain SOL are one", RuleTokenTransfer, txbuild.Transfer(owner, friend, 600_000), txbuild.Transfer(owner, friend, 9_000), spl.TransferChecked(ourWrapped, NativeMint, vault, owner, 600_000, 9)),
		refuse("Token-2022's wrapped SOL is SOL", RuleTokenTransfer, t22.TransferChecked(stranger, NativeMintToken2022, vault, owner, 1_005_001, 9)),
		refuse("cut short", RuleTokenUnknown, short(spl.TransferChecked(ourUSDC, usdc, vault, owner, 1, 6), 1)),
		refuse("sums past 64 bits", RuleTokenTransfer, times(2, spl.TransferChecked(ourUSDC, usdc, vault, owner, 1<<63, 6))...).with(func(s *scene) {
			s.intent.Spend[1].Amount = 1<<64 - 1
		}),
		refuse("fee transfer of the old program", RuleTokenUnknown, spl.TransferCheckedWithFee(ourUSDC, usdc, vault, owner, 1, 6, 0)),
	})
}

func TestTokenApprove(t *testing.T) {
	revoke := spl.Revoke(ourUSDC, owner)
	approve := spl.ApproveChecked(ourUSDC, usdc, stranger, owner, 500, 6)
	runVerdicts(t, []verdict{
		allow("a named delegate", spl.ApproveChecked(ourUSDC, usdc, approved, owner, 500, 6)),
		allow("revoked again", approve, revoke),
		allow("without the mint", spl.Approve(ourUSDC, approved, owner, 500)),
		allow("somebody else's", spl.Approve(vault, thief, fresh, 1<<60)),
		refuse("outlives the transaction", RuleTokenApprove, approve),
		refuse("revoked before", RuleTokenApprove, revoke, approve),
		refuse("approved again after the revoke", RuleTokenApprove, approve, revoke, approve),
		refuse("another account revoked", RuleTokenApprove, approve, spl.Revoke(listed, owner)),
		refuse("past the spend", RuleTokenApprove, spl.ApproveChecked(ourUSDC, usdc, approved, owner, 501, 6)),
		refuse("without bounds", RuleTokenApprove, spl.Approve(ourUSDC, approved, owner, 1<<64-1)),
		refuse("a recipient is no delegate", RuleTokenApprove, spl.ApproveChecked(ourUSDC, usdc, friend, owner, 1, 6)),
		refuse("adds to transfers", RuleTokenTransfer, spl.ApproveChecked(ourUSDC, usdc, approved, owner, 300, 6), spl.TransferChecked(ourUSDC, usdc, vault, owner, 300, 6)),
		refuse("from an unknown account", RuleTokenApprove, spl.Approve(stranger, approved, owner, 1)),
		refuse("cut short", RuleTokenUnknown, short(approve, 1)),
	})
	report := ordinary(spl.Approve(ourUSDC, approved, owner, 7)).report(t, txbuild.V0)
	assert.Equal(t, []Note{{Kind: NoteApproval, Account: ourUSDC, To: approved, Amount: 7}}, report.Notes)
	assert.Equal(t, RuleTokenApprove, report.Leaves[0].Rule)
}

func TestTokenClose(t *testing.T) {
	sponsored := func(s *scene) { s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor }
	runVerdicts(t, []verdict{
		allow("to the owner", spl.Close(ourWrapped, owner, owner)),
		allow("to our own", spl.Close(ourUSDC, ourWrapped, owner)),
		allow("somebody else's", spl.Close(vault, thief, fresh)),
		allow("rent to the sponsor", spl.Close(ourUSDC, sponsor, owner)).with(sponsored),
		allow("excess to the owner", t22.WithdrawExcess(ourPump, owner, owner)),
		allow("unwrapped to the owner", spl.Unwrap(ourWrapped, owner, owner, 1<<40)),
		refuse("to a stranger", RuleTokenClose, spl.Close(ourUSDC, thief, owner)),
		refuse("to a named destination", RuleTokenClose, spl.Close(ourUSDC, friend, owner)),
		refuse("to somebody who is no sponsor", RuleTokenClose, spl.Close(ourUSDC, sponsor, owner)),
		refuse("wrapped SOL to the sponsor", RuleTokenClose, spl.Close(ourWrapped, sponsor, owner)).with(sponsored),
		refuse("an unknown account to the sponsor", RuleTokenClose, spl.Close(stranger, sponsor, owner)).with(sponsored),
		refuse("filled first, to the sponsor", RuleTokenClose, txbuild.Transfer(owner, ourUSDC, 1<<40), spl.Close(ourUSDC, sponsor, owner)).with(sponsored),
		refuse("filled by a close, to the sponsor", RuleTokenClose, spl.Close(ourWrapped, ourUSDC, owner), spl.Close(ourUSDC, sponsor, owner)).with(sponsored),
		refuse("excess to the sponsor", RuleTokenClose, t22.WithdrawExcess(ourPump, sponsor, owner)).with(sponsored),
		refuse("excess to a stranger", RuleTokenClose, t22.WithdrawExcess(ourPump, thief, owner)),
		refuse("unwrapped to a stranger", RuleTokenClose, spl.Unwrap(ourWrapped, thief, owner, 1)),
		refuse("ours by another's authority", RuleTokenClose, spl.Close(ourUSDC, thief, fresh)),
		refuse("cut short", RuleTokenUnknown, short(spl.Unwrap(ourWrapped, owner, owner, 1), 1)),
	})
}

func TestTokenBurn(t *testing.T) {
	runVerdicts(t, []verdict{
		allow("within the burn", spl.Burn(ourUSDC, usdc, owner, 40)),
		allow("checked", spl.BurnChecked(ourUSDC, usdc, owner, 40, 6)),
		allow("somebody else's", spl.Burn(vault, usdc, fresh, 1<<60)),
		allow("all of a mint", t22.Burn(ourBonk, bonk, owner, 1<<60), t22.Close(ourBonk, owner, owner)).with(func(s *scene) { s.intent.BurnAll = []string{bonk.String()} }),
		allow("all of an account", t22.Burn(ourBonk, bonk, owner, 1<<60)).with(func(s *scene) { s.intent.BurnAll = []string{ourBonk.String()} }),
		refuse("past the burn", RuleTokenBurn, spl.Burn(ourUSDC, usdc, owner, 41)),
		refuse("in pieces", RuleTokenBurn, times(2, spl.Burn(ourUSDC, usdc, owner, 21))...),
		refuse("another mint", RuleTokenBurn, t22.Burn(ourBonk, bonk, owner, 1)),
		refuse("spend is no burn", RuleTokenBurn, t22.Burn(ourPump, pump, owner, 1)),
		refuse("ours by another's authority", RuleTokenBurn, spl.Burn(ourUSDC, usdc, fresh, 41)),
		refuse("cut short", RuleTokenUnknown, short(spl.BurnChecked(ourUSDC, usdc, owner, 1, 6), 1)),
	})
}

func TestTokenInitialize(t *testing.T) {
	create := txbuild.CreateAccount(owner, fresh, 1_461_600, 82, TokenProgram)
	runVerdicts(t, []verdict{
		allow("to the owner", spl.InitializeAccount(vault, usdc, owner)),
		refuse("to a thief", RuleTokenInitialize, spl.InitializeAccount(vault, usdc, thief)),
		refuse("to a thief, second form", RuleTokenInitialize, spl.InitializeAccount2(vault, usdc, thief)),
		refuse("to a thief, third form", RuleTokenInitialize, spl.InitializeAccount3(vault, usdc, thief)),
		refuse("cut short", RuleTokenInitialize, short(spl.InitializeAccount3(vault, usdc, owner), 1)),
		allow("a mint of an account made here", create, spl.InitializeMint2(fresh, owner, 6)),
		refuse("a mint of an old account", RuleTokenMint, spl.InitializeMint2(vault, owner, 6)),
		refuse("a mint by the other program", RuleTokenMint, create, spl.InitializeMint2(fresh, owner, 6), t22.InitializeMint2(fresh, owner, 6)),
	})
}

func TestTokenDenied(t *testing.T) {
	account := []txbuild.Account{txbuild.Writable(ourPump), txbuild.Signer(owner)}
	var verdicts []verdict
	for _, tag := range []uint8{2, 7, 10, 11, 14, 19, 25, 27, 28, 29, 30, 31, 32, 33, 35, 36, 37, 39, 40, 41, 42, 43, 44, 46, 47, 254} {
		verdicts = append(verdicts, refuse("tag "+PublicKey{tag}.String()[:6], RuleTokenUnknown, t22.Raw([]byte{tag, 1, 0, 0, 0, 0, 0, 0, 0, 0}, account...)))
	}
	for _, sub := range []uint8{0, 2, 3, 5, 9} {
		verdicts = append(verdicts, refuse("transfer fee "+PublicKey{sub}.String()[:6], RuleTokenUnknown, t22.Raw([]byte{26, sub, 0}, account...)))
	}
	for _, tag := range []uint8{17, 21, 22, 23, 24} {
		verdicts = append(verdicts, allow("tag "+PublicKey{tag}.String()[:6], t22.Raw([]byte{tag}, account...)))
	}
	runVerdicts(t, append(verdicts,
		allow("harvest", t22.Raw([]byte{26, 4}, txbuild.Writable(pump), txbuild.Writable(vault))),
		allow("CPI guard off is denied, on another tag allowed", spl.SyncNative(ourWrapped)),
		refuse("CPI guard", RuleTokenUnknown, t22.Raw([]byte{34, 1}, account...)),
		refuse("no data", RuleTokenUnknown, t22.Raw(nil, account...)),
		refuse("set authority", RuleTokenAuthority, spl.SetAuthority(ourUSDC, owner, 2, thief)),
		refuse("close authority", RuleTokenAuthority, spl.SetAuthority(ourUSDC, owner, 3, thief)),
		refuse("mint to", RuleTokenUnknown, spl.MintTo(usdc, thief, owner, 1)),
		refuse("freeze", RuleTokenUnknown, spl.Freeze(ourUSDC, usdc, fresh)),
	))
}

func TestTokenBatch(t *testing.T) {
	pay := func(n uint64) txbuild.Instruction { return spl.TransferChecked(ourUSDC, usdc, vault, owner, n, 6) }
	cut := func(n int) txbuild.Instruction { return short(spl.Batch(pay(1)), n) }
	lacking := spl.Batch(pay(1))
	lacking.Accounts = lacking.Accounts[:3]
	runVerdicts(t, []verdict{
		allow("honest", spl.Batch(pay(200), pay(300), spl.SyncNative(ourWrapped))),
		allow("approved and revoked within", spl.Batch(spl.ApproveChecked(ourUSDC, usdc, stranger, owner, 5, 6), spl.Revoke(ourUSDC, owner))),
		allow("empty", spl.Batch()),
		refuse("past the spend", RuleTokenTransfer, spl.Batch(pay(300), pay(300))),
		refuse("set authority within", RuleTokenAuthority, spl.Batch(pay(1), spl.SetAuthority(ourUSDC, owner, 2, thief))),
		refuse("close within", RuleTokenClose, spl.Batch(spl.Close(ourUSDC, thief, owner))),
		refuse("a batch within", RuleTokenBatch, spl.Batch(spl.Batch(spl.SetAuthority(ourUSDC, owner, 2, thief)))),
		refuse("cut within data", RuleTokenBatch, cut(1)),
		refuse("cut within a header", RuleTokenBatch, cut(11)),
		refuse("too few accounts", RuleTokenBatch, lacking),
	})
}

func TestTokenReport(t *testing.T) {
	report := ordinary(
		spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6), spl.TransferChecked(ourUSDC, usdc, stranger, owner, 5, 6),
		spl.Burn(ourUSDC, usdc, owner, 40), spl.TransferChecked(listed, usdc, ourUSDC, owner, 9, 6), spl.Close(ourWrapped, owner, owner),
	).report(t, txbuild.V0)
	assert.Equal(t, []Movement{
		{Instruction: 0, Rule: RuleTokenTransfer, Mint: usdc, Amount: 500, To: vault, CountsAs: CountsAsSpend},
		{Instruction: 1, Rule: RuleTokenTransfer, Mint: usdc, Amount: 5, To: stranger, CountsAs: CountsAsFee},
		{Instruction: 2, Rule: RuleTokenBurn, Mint: usdc, Amount: 40, To: ourUSDC, CountsAs: CountsAsBurn},
	}, report.Leaves)
	assert.Equal(t, []Movement{{Instruction: 3, Mint: usdc, Amount: 9, To: ourUSDC}}, report.Stays)
	assert.Equal(t, []Note{{Instruction: 4, Kind: NoteClose, Account: ourWrapped, To: owner}}, report.Notes)
	assert.Equal(t, walletfi.Amount(500), report.Total(usdc, CountsAsSpend))
	assert.Equal(t, walletfi.Amount(5000), report.NetworkFeeLamports())
	assert.Equal(t, walletfi.Amount(0), report.Total(PublicKey(NativeMint), CountsAsSpend))
	assert.Equal(t, walletfi.NativeMint, NativeMint.String())
}
