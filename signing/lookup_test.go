package signing

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// tables resolves lookup tables from memory.
type tables map[PublicKey][]PublicKey

func (t tables) LookupTable(_ context.Context, table PublicKey) (LookupTable, error) {
	held, ok := t[table]
	if !ok {
		return LookupTable{}, errors.New("no such table")
	}
	return LookupTable{Addresses: held}, nil
}

var (
	tableOne = txbuild.Table{Address: addressOf("table one"), Holds: []txbuild.Key{friend, ourWrapped, usdc, TokenProgram, guarded}}
	tableTwo = txbuild.Table{Address: addressOf("table two"), Holds: []txbuild.Key{stranger, thief, ourUSDC, vault, NativeMint}}
)

func behindTables(s *scene) { s.build.Tables = []txbuild.Table{tableOne, tableTwo} }

func unprotected(s *scene) { s.policy.Protected = nil }

func resolved(s *scene) {
	s.policy.Resolver = tables{}
	for _, table := range s.build.Tables {
		held := make([]PublicKey, len(table.Holds))
		for i, k := range table.Holds {
			held[i] = k
		}
		s.policy.Resolver.(tables)[table.Address] = held
	}
}

func TestLookup(t *testing.T) {
	unknown := func(v verdict) verdict { return v.with(behindTables) }
	known := func(v verdict) verdict { return v.with(behindTables).with(resolved) }
	runVerdicts(t, []verdict{
		unknown(refuse("a named destination", RuleLookup, txbuild.Transfer(owner, friend, 1_000_000))),
		known(allow("a named destination, resolved", txbuild.Transfer(owner, friend, 1_000_000))),
		unknown(refuse("our wrapped account", RuleLookup, txbuild.Transfer(owner, ourWrapped, 1_000_000))),
		known(allow("our wrapped account, resolved", txbuild.Transfer(owner, ourWrapped, 1_000_000))),
		unknown(allow("our wrapped account, made here, with its mint behind the table",
			txbuild.CreateATA(owner, ourPump, owner, usdc, TokenProgram, true), spl.Close(ourPump, owner, owner))),
		unknown(allow("a tip", txbuild.Transfer(owner, stranger, 10_000))),
		known(refuse("a thief, resolved", RuleTip, txbuild.Transfer(owner, thief, 10_001))),
		unknown(refuse("a token account that may be protected", RuleProtectedAccount, spl.TransferChecked(ourUSDC, usdc, stranger, owner, 1, 6))),
		unknown(allow("tokens within the spend", spl.TransferChecked(ourPump, pump, vault, owner, 70, 6))),
		unknown(refuse("tokens of a hidden mint from a hidden account", RuleTokenTransfer, spl.TransferChecked(ourUSDC, usdc, stranger, owner, 1, 6)).with(unprotected)),
		known(allow("the same, resolved", spl.TransferChecked(ourUSDC, usdc, stranger, owner, 1, 6))),
		unknown(refuse("close", RuleLookup, spl.Close(ourPump, ourWrapped, owner))),
		known(allow("close, resolved", spl.Close(ourPump, ourWrapped, owner))),
		unknown(refuse("burn of a hidden mint", RuleTokenBurn, spl.Burn(ourUSDC, usdc, owner, 1)).with(unprotected)),
		unknown(refuse("a protected account may hide", RuleProtectedAccount, txbuild.Call(exchange, nil, txbuild.Writable(vault)))),
		unknown(allow("nothing is protected", txbuild.Call(exchange, nil, txbuild.Writable(vault))).with(unprotected)),
		known(refuse("a protected account, resolved", RuleProtectedAccount, txbuild.Call(exchange, nil, txbuild.Writable(guarded)))),
		known(allow("none, resolved", txbuild.Call(exchange, nil, txbuild.Writable(vault)))),
		unknown(refuse("assign of a hidden account", RuleSystemAssign, txbuild.AssignWithSeed(ourWrapped, fresh, "s", rogue))),
		unknown(refuse("a nonce that hides", RuleSystemNonce, txbuild.AdvanceNonce(vault, owner))).with(func(s *scene) {
			s.options = []Option{WithNonce(Nonce{Account: vault, Value: someBlockhash})}
		}),
	}, txbuild.V0)
}

func TestLookupOrder(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, nil, txbuild.Readonly(vault), txbuild.Writable(thief), txbuild.Readonly(friend), txbuild.Writable(ourWrapped)))
	s.with(behindTables).with(resolved)
	tx, err := DecodeBytes(s.bytes(txbuild.V0))
	require.NoError(t, err)
	loaded, err := resolve(t.Context(), s.policy.Resolver, tx)
	require.NoError(t, err)
	assert.Equal(t, []PublicKey{ourWrapped, thief, friend, vault}, keysOf[PublicKey](loaded))
	report := s.report(t, txbuild.V0)
	assert.Equal(t, []PublicKey{ourWrapped}, report.Reaches[0].Ours)
	assert.Zero(t, report.Reaches[0].Unknown)

	s.policy.Resolver = nil
	s.policy.Protected = nil
	report = s.report(t, txbuild.V0)
	assert.Equal(t, 2, report.Reaches[0].Unknown)
	assert.Contains(t, report.Unseen()[1], "lookup tables")
}

func TestResolverFails(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1)).with(behindTables)
	s.policy.Resolver = tables{}
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.ErrorContains(t, err, "no such table")
	require.NotErrorIs(t, err, ErrRefused)
	s.policy.Resolver = tables{PublicKey(tableOne.Address): {}}
	_, _, err = s.sign(t, NewGuard(s.policy), txbuild.V0)
	require.ErrorContains(t, err, "has 0 addresses")
}

func TestRogueTokenProgramHides(t *testing.T) {
	// Behind a table the token program of a create is not known, so that its
	// address is only ours if it can be derived, and the program may choose how
	// long the account is: a derived address tells the program.
	create := txbuild.CreateATA(owner, addressOf("forged"), owner, bonk, TokenProgram, true)
	derived := txbuild.CreateATA(owner, AssociatedTokenAddress(owner, bonk, TokenProgram), owner, bonk, TokenProgram, true)
	hides := func(rent uint64, held ...txbuild.Key) func(*scene) {
		return func(s *scene) {
			s.build.Tables = []txbuild.Table{{Address: tableOne.Address, Holds: held}}
			s.intent.MaxRentLamports = new(walletfi.Amount(rent))
		}
	}
	expected := func(s *scene) { s.intent.Burn = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}} }
	runVerdicts(t, []verdict{
		refuse("forged", RuleTip, create, txbuild.Transfer(owner, addressOf("forged"), 1<<40)).with(hides(program.CalledRent, TokenProgram)),
		allow("as long as any", create).with(hides(program.CalledRent, TokenProgram)),
		refuse("longer than the cap", RuleRent, create).with(hides(program.CalledRent-1, TokenProgram)),
		allow("derived", derived).with(hides(program.TokenAccountRent, TokenProgram)),
		allow("derived of a mint of the intent's", derived).with(hides(program.TokenAccountRent, TokenProgram, bonk)).with(expected),
		refuse("of a mint that is hidden, too", RuleRent, derived).with(hides(program.TokenAccountRent, TokenProgram, bonk)),
	}, txbuild.V0)
}

// cancelling is a resolver whose caller gives up at its last answer.
type cancelling struct {
	cancel context.CancelFunc
	left   *int
}

func (c cancelling) LookupTable(context.Context, PublicKey) (LookupTable, error) {
	if *c.left--; *c.left == 0 {
		c.cancel()
	}
	return LookupTable{Addresses: []PublicKey{thief}}, nil
}

// TestCancelledWhileMatching: a caller that gives up while amounts are matched
// to caps hears of it, not of a set that is too complex.
func TestCancelledWhileMatching(t *testing.T) {
	s := ordinary(append(times(20, txbuild.Transfer(owner, friend, 3_300)), txbuild.Call(exchange, nil, txbuild.Readonly(thief)))...)
	s.build.Tables = []txbuild.Table{{Address: tableOne.Address, Holds: []txbuild.Key{thief}}}
	u := set(txbuild.V0, slices.Repeat([]*scene{s}, 16)...)
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.Error(t, err)
	require.Equal(t, RuleTooComplex, report.Refusal.Rule, "as long as somebody waits")

	ctx, cancel := context.WithCancel(t.Context())
	left := len(u.Transactions)
	s.policy.Resolver = cancelling{cancel, &left}
	txs, _, err := NewGuard(s.policy).CheckSet(ctx, u)
	require.ErrorIs(t, err, context.Canceled)
	assert.NotErrorIs(t, err, ErrRefused)
	assert.Empty(t, txs)
	assert.Zero(t, left, "every table was read before")
}
