package signing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

const accountRent = 2_039_280

func TestSystemTransfer(t *testing.T) {
	seeded := SeedAddress(owner, "seed", SystemProgram)
	runVerdicts(t, []verdict{
		allow("to the owner", txbuild.Transfer(owner, owner, 1<<50)),
		allow("to our wrapped account", txbuild.Transfer(owner, ourWrapped, 1<<50)),
		allow("to a listed account", txbuild.Transfer(owner, listed, 1<<50)),
		allow("to a named destination", txbuild.Transfer(owner, friend, 1_000_000)),
		allow("to a named destination's wrapped account", txbuild.Transfer(owner, AssociatedTokenAddress(friend, NativeMint, TokenProgram), 1_000_000)),
		allow("a tip", txbuild.Transfer(owner, stranger, 10_000)),
		allow("a tip and a fee", txbuild.Transfer(owner, stranger, 10_000), txbuild.Transfer(owner, thief, 5_000)),
		allow("a fee and a tip", txbuild.Transfer(owner, stranger, 5_000), txbuild.Transfer(owner, thief, 10_000)),
		allow("spend, tip and fee to a destination", txbuild.Transfer(owner, friend, 10_000), txbuild.Transfer(owner, friend, 5_000), txbuild.Transfer(owner, friend, 1_000_000)),
		allow("nothing", txbuild.Transfer(owner, thief, 0)),
		allow("trailing bytes", trailing(txbuild.Transfer(owner, stranger, 10_000))),
		allow("of somebody else's", txbuild.Transfer(fresh, thief, 1<<50)),
		allow("with seed, to a destination", txbuild.TransferWithSeed(seeded, owner, "seed", SystemProgram, friend, 1_000_000)),
		allow("back out of a seed account", txbuild.TransferWithSeed(seeded, owner, "seed", SystemProgram, owner, 1<<50)),
		refuse("to another token account of ours", RuleTip, txbuild.Transfer(owner, ourUSDC, 1<<50)),
		refuse("to our address of the token under the other program", RuleTip, txbuild.Transfer(owner, AssociatedTokenAddress(owner, usdc, Token2022Program), 1<<50)),
		refuse("to Token-2022's native account that is not made here", RuleTip, txbuild.Transfer(owner, AssociatedTokenAddress(owner, NativeMintToken2022, Token2022Program), 1<<50)),
		refuse("past the tip", RuleTip, txbuild.Transfer(owner, stranger, 10_001)),
		refuse("two tips", RuleTip, txbuild.Transfer(owner, stranger, 10_000), txbuild.Transfer(owner, stranger, 10_000)),
		refuse("three small ones", RuleTip, times(3, txbuild.Transfer(owner, stranger, 1))...),
		refuse("past the spend", RuleSystemTransfer, txbuild.Transfer(owner, friend, 1_010_001), txbuild.Transfer(owner, friend, 5_001)),
		refuse("past the spend in pieces", RuleSystemTransfer, times(5, txbuild.Transfer(owner, friend, 300_000))...),
		refuse("with seed", RuleTip, txbuild.TransferWithSeed(seeded, owner, "seed", SystemProgram, thief, 1<<50)),
		refuse("sums past 64 bits", RuleSystemTransfer, times(3, txbuild.Transfer(owner, friend, 1<<63))...),
		refuse("cut short", RuleSystemUnknown, short(txbuild.Transfer(owner, friend, 1), 1)),
		refuse("without a recipient", RuleSystemUnknown, txbuild.Instruction{Program: txbuild.System, Accounts: txbuild.Transfer(owner, friend, 1).Accounts[:1], Data: txbuild.Transfer(owner, friend, 1).Data}),
		refuse("unknown instruction", RuleSystemUnknown, txbuild.Instruction{Program: txbuild.System, Accounts: []txbuild.Account{txbuild.WritableSigner(owner)}, Data: []byte{14, 0, 0, 0}}),
		allow("unknown instruction on others", txbuild.Instruction{Program: txbuild.System, Accounts: []txbuild.Account{txbuild.WritableSigner(fresh)}, Data: []byte{14, 0, 0, 0}}),
	})
	runVerdicts(t, []verdict{
		refuse("no tip asked for", RuleSystemTransfer, txbuild.Transfer(owner, thief, 1)).with(func(s *scene) { s.intent.TipLamports, s.intent.ServiceFee = 0, nil }),
		refuse("no spend asked for", RuleSystemTransfer, txbuild.Transfer(owner, friend, 1)).with(func(s *scene) { s.intent = walletfi.Intent{Owner: owner.String(), OutputTo: s.intent.OutputTo} }),
		refuse("a delegate of ours is no recipient", RuleTip, txbuild.Transfer(owner, multisig, 1<<40)),
		refuse("out of a listed account", RuleTip, txbuild.Transfer(listed, thief, 1<<40)).with(func(s *scene) { s.policy.LateCoSigners = 1 }),
	})
}

// trailing adds bytes that the program ignores, short takes some off.
func trailing(ins txbuild.Instruction) txbuild.Instruction {
	ins.Data = append(append([]byte(nil), ins.Data...), 1, 2, 3)
	return ins
}

func short(ins txbuild.Instruction, n int) txbuild.Instruction {
	ins.Data = ins.Data[:len(ins.Data)-n]
	return ins
}

func TestSystemCreate(t *testing.T) {
	wrapped := SeedAddress(owner, "wsol", TokenProgram)
	spl := txbuild.SPLToken
	init := spl.InitializeAccount3(wrapped, NativeMint, owner)
	seeded := func(lamports uint64) txbuild.Instruction {
		return txbuild.CreateAccountWithSeed(owner, wrapped, owner, "wsol", lamports, 165, TokenProgram)
	}
	create := func(lamports, space uint64, program PublicKey) txbuild.Instruction {
		return txbuild.CreateAccount(owner, fresh, lamports, space, program)
	}
	runVerdicts(t, []verdict{
		allow("wrapping with a seed account", seeded(accountRent+1_000_000), init, spl.Close(wrapped, owner, owner)),
		allow("wrapped and sent on, counted once", seeded(accountRent+1_000_000), init, spl.Transfer(wrapped, vault, owner, 1_000_000), spl.Close(wrapped, owner, owner)),
		allow("wrapped, then filled", seeded(accountRent), init, txbuild.Transfer(owner, wrapped, 1<<50), spl.SyncNative(wrapped)),
		allow("keyed account", create(accountRent, 165, TokenProgram), spl.InitializeAccount(fresh, usdc, owner)),
		allow("keyed account, second form", create(accountRent, 165, TokenProgram), spl.InitializeAccount2(fresh, usdc, owner)),
		allow("allow prefund", txbuild.CreateAccountAllowPrefund(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner)),
		allow("of a pinned program", create(3_000_000, 300, exchange)),
		allow("of somebody's own money", txbuild.CreateAccount(fresh, sponsor, 1<<40, 9, rogue)).with(func(s *scene) { s.policy.Sponsors = []PublicKey{sponsor} }),
		allow("of somebody's own money, with a seed", txbuild.CreateAccountWithSeed(fresh, SeedAddress(fresh, "s", rogue), fresh, "s", 1<<40, 9, rogue)),
		refuse("with our key as base", RuleSystemCreate, txbuild.CreateAccountWithSeed(fresh, SeedAddress(owner, "s", rogue), owner, "s", 1<<40, 9, rogue)),
		allow("a mint", create(1_461_600, 82, TokenProgram), spl.InitializeMint2(fresh, stranger, 6)),
		refuse("of a program that nobody pinned", RuleSystemCreate, create(1, 0, rogue)),
		refuse("of the System program", RuleSystemCreate, create(1_000_000, 0, SystemProgram)),
		refuse("never initialised", RuleSystemCreate, create(accountRent, 165, TokenProgram)),
		refuse("initialised before", RuleSystemCreate, spl.InitializeAccount3(fresh, usdc, owner), create(accountRent, 165, TokenProgram)),
		refuse("initialised by the other token program", RuleSystemCreate, create(accountRent, 165, TokenProgram), txbuild.Token2022.InitializeAccount3(fresh, usdc, owner)),
		refuse("initialised to a thief", RuleSystemCreate, create(accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, thief)),
		refuse("more than the spend", RuleSystemCreate, seeded(accountRent+1_000_001), init),
		refuse("wrapped, and spent beside it", RuleSystemTransfer, seeded(accountRent+600_000), init, txbuild.Transfer(owner, friend, 600_000), txbuild.Transfer(owner, friend, 600_000)),
		refuse("rent past its cap", RuleRent, create(DefaultMaxRentLamports+1, 10<<20, exchange)),
		refuse("rent past its cap in pieces", RuleRent, times(14, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true))...).with(func(s *scene) { s.intent.MaxForeignRentLamports = 13 * accountRent }),
		refuse("space past what any account has", RuleSystemCreate, create(1<<60, 1<<60, exchange)).with(func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(1 << 62)) }),
		refuse("another base", RuleSystemCreate, txbuild.CreateAccountWithSeed(owner, SeedAddress(fresh, "wsol", TokenProgram), fresh, "wsol", accountRent, 165, TokenProgram), spl.InitializeAccount3(SeedAddress(fresh, "wsol", TokenProgram), NativeMint, owner)),
		refuse("another address", RuleSystemCreate, txbuild.CreateAccountWithSeed(owner, stranger, owner, "wsol", accountRent, 165, TokenProgram), spl.InitializeAccount3(stranger, NativeMint, owner)),
		refuse("another seed", RuleSystemCreate, txbuild.CreateAccountWithSeed(owner, wrapped, owner, "wsoL", accountRent, 165, TokenProgram), init),
		refuse("a seed past its length", RuleSystemUnknown, txbuild.CreateAccountWithSeed(owner, wrapped, owner, "123456789012345678901234567890123", accountRent, 165, TokenProgram), init),
		refuse("cut short", RuleSystemUnknown, short(create(1, 0, exchange), 1)),
		refuse("over our own wallet", RuleSystemCreate, txbuild.CreateAccountAllowPrefund(fresh, owner, 0, 0, rogue)),
	})
}

// A created account is ours only while it is open: once closed, its address
// belongs to whoever holds its key.
func TestClosedAccountIsNotOurs(t *testing.T) {
	spl := txbuild.SPLToken
	create := txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram)
	init, closing := spl.InitializeAccount3(fresh, NativeMint, owner), spl.Close(fresh, owner, owner)
	pay := txbuild.Transfer(owner, fresh, 1<<40)
	runVerdicts(t, []verdict{
		allow("paid while open", create, init, pay, closing),
		refuse("paid before it is made, and moved on", RuleTip, pay, txbuild.Transfer(fresh, thief, 1<<40), create, init),
		refuse("closed into before it is made", RuleTokenClose, spl.Close(ourWrapped, fresh, owner), txbuild.Transfer(fresh, thief, 1<<40), create, init),
		refuse("made again by another, after it was closed", RuleTip, create, init, closing, txbuild.CreateAccount(sponsor, fresh, 1, 0, rogue), pay).with(func(s *scene) { s.policy.Sponsors = []PublicKey{sponsor} }),
		refuse("paid after it was closed", RuleTip, create, init, closing, pay),
		allow("an associated account made again", spl.Close(ourWrapped, owner, owner), txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, false), txbuild.Transfer(owner, ourWrapped, 1<<40)),
		refuse("an associated account not made again", RuleTip, spl.Close(ourWrapped, owner, owner), txbuild.Transfer(owner, ourWrapped, 1<<40)),
	})
}

func TestSystemAssign(t *testing.T) {
	seeded := SeedAddress(owner, "s", rogue)
	for name, ins := range map[string]txbuild.Instruction{
		"assign":             txbuild.Assign(owner, rogue),
		"assign with seed":   txbuild.AssignWithSeed(seeded, owner, "s", rogue),
		"allocate":           txbuild.Allocate(owner, 100),
		"allocate with seed": txbuild.AllocateWithSeed(seeded, owner, "s", 100, rogue),
	} {
		runVerdicts(t, []verdict{refuse(name, RuleSystemAssign, ins)})
	}
	runVerdicts(t, []verdict{
		allow("of somebody else's", txbuild.Assign(fresh, rogue), txbuild.Allocate(fresh, 1)),
		refuse("of a listed account", RuleSystemAssign, txbuild.AssignWithSeed(listed, fresh, "s", rogue)),
	})
}

func TestNonce(t *testing.T) {
	account, other := addressOf("nonce"), addressOf("other nonce")
	optIn := func(s *scene) {
		s.options = append(s.options, WithNonce(Nonce{Account: account, Value: someBlockhash}), WithBlockhash(stranger.String()), AtBlockHeight(1000), WithLastValidBlockHeight(5))
	}
	advance := txbuild.AdvanceNonce(account, owner)
	runVerdicts(t, []verdict{
		refuse("without opting in", RuleSystemNonce, advance),
		refuse("somebody else's, without opting in", RuleSystemNonce, txbuild.AdvanceNonce(account, fresh)),
		allow("opted in", advance, txbuild.Memo("x")).with(optIn),
		refuse("another account", RuleSystemNonce, txbuild.AdvanceNonce(other, owner)).with(optIn),
		refuse("another authority", RuleSystemNonce, txbuild.AdvanceNonce(account, fresh), txbuild.Memo("x", owner)).with(optIn),
		refuse("a second one", RuleSystemNonce, advance, txbuild.AdvanceNonce(account, owner)).with(optIn),
		refuse("another value", RuleLifetime, advance).with(optIn).with(func(s *scene) { s.build.Blockhash = thief }),
		refuse("withdraw", RuleSystemNonce, txbuild.WithdrawNonce(account, thief, owner, 1)),
		refuse("initialise", RuleSystemNonce, txbuild.InitializeNonce(account, thief)),
		refuse("authorise", RuleSystemNonce, txbuild.AuthorizeNonce(account, owner, thief)),
		refuse("upgrade", RuleSystemNonce, txbuild.UpgradeNonce(account)),
	})
	report := ordinary(advance).with(optIn).report(t, txbuild.V0)
	assert.Equal(t, []Note{{Kind: NoteNonce, Account: account}}, report.Notes)
}
