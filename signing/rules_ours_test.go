package signing

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// What a pinned program may write of ours is found by the mints that the intent or
// any instruction names.
func TestReachesFindsOurs(t *testing.T) {
	ours := func(writes PublicKey, list ...txbuild.Instruction) []PublicKey {
		s := ordinary(append(list, txbuild.Call(exchange, nil, txbuild.Writable(writes), txbuild.Readonly(vault)))...)
		s.policy.CoSigners, s.intent.Receive = []PublicKey{maker}, []walletfi.Asset{{Mint: stranger.String(), Amount: 0}}
		return s.report(t, txbuild.V0).Reaches[0].Ours
	}
	thiefBonk := AssociatedTokenAddress(thief, bonk, Token2022Program)
	makers := AssociatedTokenAddress(maker, bonk, Token2022Program)
	bonkOf1 := AssociatedTokenAddress(owner, bonk, TokenProgram)
	for _, row := range []struct {
		name   string
		writes PublicKey
		list   []txbuild.Instruction
		found  bool
	}{
		{"a mint that nothing names", ourBonk, nil, false},
		{"the owner", owner, nil, true}, {"a listed account", listed, nil, true},
		{"wrapped SOL", ourWrapped, nil, true}, {"wrapped SOL of Token-2022", AssociatedTokenAddress(owner, NativeMintToken2022, Token2022Program), nil, true},
		{"wrapped SOL of no program", AssociatedTokenAddress(owner, NativeMint, Token2022Program), nil, false},
		{"a mint of the spend", ourPump, nil, true}, {"the same of the other program", AssociatedTokenAddress(owner, pump, TokenProgram), nil, true},
		{"a mint that is to arrive", AssociatedTokenAddress(owner, stranger, TokenProgram), nil, true},
		{"an account of another's that is made", ourBonk, []txbuild.Instruction{txbuild.CreateATA(owner, thiefBonk, thief, bonk, Token2022Program, true)}, true},
		{"an account of another's mint that is initialised", bonkOf1, []txbuild.Instruction{
			txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, bonk, owner)}, true},
		{"a transfer of others", ourBonk, []txbuild.Instruction{t22.TransferChecked(makers, bonk, vault, maker, 1, 6)}, true},
		{"a transfer of others, that names no mint", ourBonk, []txbuild.Instruction{t22.Transfer(makers, vault, maker, 1)}, false},
		{"an approval of others", ourBonk, []txbuild.Instruction{t22.ApproveChecked(makers, bonk, vault, maker, 1, 6)}, true},
		{"a burn of others", ourBonk, []txbuild.Instruction{t22.Burn(makers, bonk, maker, 1)}, true},
		{"an account made for another", thiefBonk, []txbuild.Instruction{txbuild.CreateATA(owner, thiefBonk, thief, bonk, Token2022Program, true)}, false},
		{"an account made for us", ourBonk, []txbuild.Instruction{txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)}, true},
		{"an account of its own key, made here", fresh, []txbuild.Instruction{
			txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner)}, true},
		{"the same, closed", fresh, []txbuild.Instruction{
			txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner), spl.Close(fresh, owner, owner)}, false},
		{"an associated one, closed", ourUSDC, []txbuild.Instruction{spl.Close(ourUSDC, owner, owner)}, false},
		{"another's", vault, nil, false},
	} {
		var want []PublicKey
		if row.found {
			want = []PublicKey{row.writes}
		}
		assert.Equal(t, want, ours(row.writes, row.list...), row.name)
	}
}

// A person is told of the accounts of every mint that a transaction holds, as far
// as a pinned program may write them.
func TestReachesForPeople(t *testing.T) {
	of := func(account txbuild.Account, list ...txbuild.Instruction) []PublicKey {
		r := ordinary(append(list, txbuild.Call(exchange, nil, account, txbuild.Readonly(bonk)))...).report(t, txbuild.V0)
		return r.Reaches[len(r.Reaches)-1].Ours
	}
	assert.Equal(t, []PublicKey{ourBonk}, of(txbuild.Writable(ourBonk)))
	assert.Empty(t, of(txbuild.Readonly(ourBonk)))
	assert.Empty(t, of(txbuild.Writable(vault)))
	assert.Equal(t, []PublicKey{ourUSDC}, of(txbuild.Writable(ourUSDC)), "once")
	assert.Empty(t, of(txbuild.Readonly(vault), txbuild.Call(exchange, []byte{1}, txbuild.Writable(ourBonk))), "another call's are not this one's")
}

// A guard that has judged for one wallet judges for another.
func TestAnotherOwner(t *testing.T) {
	other := keyOf("other owner").PublicKey()
	for _, mint := range []PublicKey{NativeMint, usdc} {
		for _, wallets := range [][2]PublicKey{{owner, owner}, {owner, other}, {other, owner}, {other, other}} {
			to := AssociatedTokenAddress(wallets[1], mint, TokenProgram)
			s := ordinary(txbuild.CreateATA(wallets[0], to, wallets[1], mint, TokenProgram, true), txbuild.Transfer(wallets[0], to, 1<<40))
			s.build.Payer, s.intent.Owner = wallets[0], wallets[0].String()
			tx, err := DecodeBytes(s.bytes(txbuild.V0))
			require.NoError(t, err)
			_, err = NewGuard(s.policy).Check(t.Context(), tx, s.intent)
			assert.Equal(t, wallets[0] == wallets[1] && mint == NativeMint, err == nil, "%v", err)
		}
	}
}

// An address is derived from wallet, mint and program, and from all of them.
func TestDerivedAddresses(t *testing.T) {
	native := AssociatedTokenAddress(owner, NativeMint, TokenProgram)
	runVerdicts(t, []verdict{
		allow("our wrapped account", txbuild.CreateATA(owner, native, owner, NativeMint, TokenProgram, true)),
		refuse("of another wallet", RuleAssociatedToken, txbuild.CreateATA(owner, native, thief, NativeMint, TokenProgram, true)),
		refuse("of another mint", RuleAssociatedToken, txbuild.CreateATA(owner, native, owner, usdc, TokenProgram, true)),
		refuse("of the other program", RuleAssociatedToken, txbuild.CreateATA(owner, native, owner, NativeMint, Token2022Program, true)),
		allow("for another program's instructions it is none", spl.TransferChecked(vault, usdc, ourPump, fresh, 1, 6)),
		refuse("the account of the other program, of this mint", RuleTokenTransfer, txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true), spl.TransferChecked(stranger, bonk, ourBonk, owner, 1, 6)),
		refuse("the account of the other program", RuleTokenTransfer, txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true), spl.TransferChecked(ourUSDC, usdc, ourBonk, owner, 506, 6)),
	})
}

// Whose account a recipient's is, is told where the transaction or the intent
// names the wallet.
func TestWalletsOfRecipients(t *testing.T) {
	friends := AssociatedTokenAddress(friend, usdc, TokenProgram)
	to := func(account PublicKey, list ...txbuild.Instruction) PublicKey {
		report := ordinary(append(list, spl.TransferChecked(ourUSDC, usdc, account, owner, 5, 6))...).report(t, txbuild.V0)
		return report.Leaves[len(report.Leaves)-1].Wallet
	}
	assert.Equal(t, friend, to(friends))
	assert.Equal(t, thief, to(thiefUSDC, txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)))
	assert.Zero(t, to(thiefUSDC))
	payTo := ordinary(spl.TransferChecked(ourUSDC, usdc, thiefUSDC, owner, 5, 6)).with(func(s *scene) { s.intent.PayTo = []string{thief.String()} })
	assert.Equal(t, thief, payTo.report(t, txbuild.V0).Leaves[0].Wallet)
	feeTo := ordinary(spl.TransferChecked(ourUSDC, usdc, thiefUSDC, owner, 5, 6)).with(func(s *scene) { s.intent.FeeTo = []string{thief.String()} })
	assert.Equal(t, thief, feeTo.report(t, txbuild.V0).Leaves[0].Wallet)
}

// What only a lookup table names is not ours, and is not created.
func TestHiddenIsNotOurs(t *testing.T) {
	hidden := func(rule Rule, name string, list ...txbuild.Instruction) verdict {
		return verdict{name, ordinary(list...).with(behindTables).with(unprotected), rule}
	}
	create := txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram)
	create.Accounts = []txbuild.Account{txbuild.WritableSigner(owner), txbuild.Writable(vault)}
	out := txbuild.Transfer(vault, stranger, 5)
	out.Accounts[0].Signer = false
	runVerdicts(t, []verdict{
		hidden(RuleSystemCreate, "a create", create),
		hidden("", "a transfer out of it", out),
		hidden(RuleTip, "an account of a hidden mint", txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram),
			spl.InitializeAccount3(fresh, usdc, owner), txbuild.Transfer(owner, fresh, 1<<40)),
		hidden("", "the same, not paid", txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner)),
		hidden(RuleTokenTransfer, "out of it, unknown, of no mint", spl.Transfer(vault, maker, owner, 1)),
	}, txbuild.V0)
	refusal, _ := ordinary(txbuild.Transfer(owner, stranger, 10_001)).with(behindTables).refusal(t, txbuild.V0)
	assert.Equal(t, "0.000010001 SOL to an account that only a lookup table names", refusal.Found)
	s := ordinary(txbuild.Call(exchange, nil, txbuild.Readonly(vault))).with(behindTables).with(unprotected)
	assert.True(t, s.report(t, txbuild.V0).Unresolved)
	assert.False(t, ordinary(txbuild.Memo("x")).report(t, txbuild.V0).Unresolved)
	assert.False(t, s.with(resolved).report(t, txbuild.V0).Unresolved)
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	assert.Equal(t, []Lookup{{Table: PublicKey(tableTwo.Address), Readonly: []uint8{3}}}, tx.Lookups())
}

// An account that one transaction of a set closes is not ours in the next, if it
// has a key; an associated account has none.
func TestClosedInAnEarlierTransaction(t *testing.T) {
	for _, row := range []struct {
		name          string
		first, second txbuild.Instruction
		refused       bool
	}{
		{"a listed account", spl.Close(listed, owner, owner), spl.TransferChecked(ourUSDC, usdc, listed, owner, 1<<40, 6), true},
		{"an associated account", spl.Close(ourUSDC, owner, owner), spl.TransferChecked(listed, usdc, ourUSDC, owner, 1<<40, 6), false},
		{"another account", spl.Close(ourPump, owner, owner), spl.TransferChecked(ourUSDC, usdc, listed, owner, 1<<40, 6), false},
		{"not closed", txbuild.Memo("x"), spl.TransferChecked(ourUSDC, usdc, listed, owner, 1<<40, 6), false},
		{"SOL for a listed account", spl.Close(listed, owner, owner), txbuild.Transfer(owner, listed, 1<<40), true},
	} {
		first := ordinary(row.first)
		_, _, err := NewGuard(first.policy).CheckSet(t.Context(), set(txbuild.V0, first, ordinary(row.second)))
		if row.refused {
			assert.ErrorIs(t, err, ErrRefused, row.name)
		} else {
			assert.NoError(t, err, row.name)
		}
	}
}

// Which token instructions have a rule, and which need another's signature.
func TestTokenTags(t *testing.T) {
	for tag := range 256 {
		raw := func(program txbuild.Token, data ...byte) verdict {
			ins := program.Raw(data, txbuild.Writable(ourUSDC), txbuild.Writable(usdc), txbuild.Writable(vault), txbuild.WritableSigner(owner))
			return allow("", ins)
		}
		if tag >= 21 && tag <= 24 || tag == 17 || tag == 5 {
			assert.Empty(t, raw(spl, byte(tag)).scene.grounds(t), "instruction %d", tag)
			continue
		}
		assert.NotEmpty(t, append(raw(spl, byte(tag)).scene.grounds(t), only255(tag)...), "instruction %d", tag)
	}
	fee := func(program txbuild.Token, data ...byte) []Rule {
		return ordinary(program.Raw(data, txbuild.Writable(stranger), txbuild.Writable(bonk), txbuild.WritableSigner(owner))).grounds(t)
	}
	assert.Empty(t, fee(t22, 26, 4), "harvest")
	assert.Equal(t, []Rule{RuleTokenUnknown}, fee(spl, 26, 4), "which the other program does not know")
	assert.Equal(t, []Rule{RuleTokenUnknown}, fee(t22, 26, 5))
	assert.Equal(t, []Rule{RuleTokenUnknown}, fee(t22, 26))
	assert.Equal(t, []Rule{RuleTokenUnknown}, fee(t22, 26, 1), "a transfer that is cut short")
	refusal, _ := ordinary(t22.Raw([]byte{26, 1}, txbuild.Writable(stranger), txbuild.WritableSigner(owner))).refusal(t, txbuild.V0)
	assert.Equal(t, "instruction 26 with 2 bytes and 2 accounts", refusal.Found)
	// Inside a call, what has no rule concerns us only by an account or a signature.
	called := func(accounts ...PublicKey) []Rule {
		return swapping(func(s *stage) {
			s.inner = append(s.inner, InnerInstruction{Program: TokenProgram, Accounts: accounts, Data: []byte{7, 1}})
		}).grounds(t)
	}
	assert.Empty(t, called(vault, stranger))
	assert.Empty(t, called(vault, ourUSDC), "as no more than a reader")
	assert.Equal(t, []Rule{RuleTokenUnknown}, called(ourUSDC, stranger))
	assert.Equal(t, []Rule{RuleTokenUnknown}, called(owner, stranger))
	assert.Equal(t, []Rule{RuleTokenUnknown}, called(vault, owner))
}

// only255 is the ground of an empty batch, which has none.
func only255(tag int) []Rule {
	if tag == 255 {
		return []Rule{""}
	}
	return nil
}

// A resolver that knows the fee of a mint says what is lost among our accounts, and
// what arrives.
func TestResolverKnowsTheFee(t *testing.T) {
	reading := func(fee TransferFee, err error) func(*scene) {
		return func(s *scene) { s.policy.Resolver = feeReader{fee, err} }
	}
	moves := t22.TransferChecked(stranger, bonk, ourBonk, owner, 1000, 6)
	runVerdicts(t, []verdict{
		allow("no fee", moves).with(reading(TransferFee{}, nil)),
		refuse("a fee", RuleTokenTransfer, moves).with(reading(TransferFee{BasisPoints: 1, Most: 5}, nil)),
		refuse("it does not know", RuleTokenTransfer, moves).with(reading(TransferFee{}, ErrUnknown)),
		refuse("it fails", RuleTokenTransfer, moves).with(reading(TransferFee{}, errors.New("down"))),
		refuse("it reads no mints", RuleTokenTransfer, moves).with(func(s *scene) { s.policy.Resolver = tables{} }),
	})
	brings := ordinary(t22.TransferChecked(vault, bonk, ourBonk, maker, 1000, 6), txbuild.Transfer(owner, owner, 1)).with(reading(TransferFee{BasisPoints: 100, Most: 50}, nil))
	brings.policy.CoSigners = []PublicKey{maker}
	assert.Equal(t, []walletfi.Asset{{Mint: bonk.String(), Amount: 990}}, brings.report(t, txbuild.V0).Brings)
}

type feeReader struct {
	fee TransferFee
	err error
}

func (f feeReader) LookupTable(context.Context, PublicKey) (LookupTable, error) {
	return LookupTable{}, ErrUnknown
}

func (f feeReader) TransferFee(context.Context, PublicKey) (TransferFee, error) { return f.fee, f.err }
