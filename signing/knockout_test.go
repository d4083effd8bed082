package signing

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// lone is, for each rule, a set that only that rule refuses: with the rule
// switched off it is signed. So each rule is needed.
func lone() map[Rule][]*scene {
	create := func(to PublicKey) []txbuild.Instruction {
		return []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, to)}
	}
	one := func(list ...txbuild.Instruction) []*scene { return []*scene{ordinary(list...)} }
	return map[Rule][]*scene{
		RuleSigners:         one(txbuild.Memo("x", owner, maker)),
		RuleLifetime:        {ordinary(txbuild.Memo("x")).with(func(s *scene) { s.build.Blockhash = PublicKey{} })},
		RuleLookup:          {ordinary(txbuild.Transfer(owner, thief, 1<<40)).with(behindTables)},
		RuleSet:             {ordinary(txbuild.Transfer(owner, friend, 900_000)), ordinary(txbuild.Transfer(owner, friend, 900_000))},
		RuleTip:             one(txbuild.Transfer(owner, thief, 1<<40)),
		RuleSystemTransfer:  {ordinary(txbuild.Transfer(owner, thief, 1<<40)).with(func(s *scene) { s.intent.TipLamports, s.intent.ServiceFee = 0, nil })},
		RuleSystemCreate:    one(create(owner)[0]),
		RuleSystemAssign:    one(txbuild.Assign(owner, rogue)),
		RuleSystemNonce:     one(txbuild.AdvanceNonce(vault, fresh)),
		RuleSystemUnknown:   one(txbuild.Instruction{Program: SystemProgram, Accounts: []txbuild.Account{txbuild.WritableSigner(owner)}, Data: []byte{99, 0, 0, 0}}),
		RuleTokenTransfer:   one(spl.TransferChecked(ourUSDC, usdc, vault, owner, 1<<40, 6)),
		RuleTokenApprove:    one(spl.Approve(ourUSDC, thief, owner, 1)),
		RuleTokenAuthority:  one(spl.SetAuthority(ourUSDC, owner, 2, thief)),
		RuleTokenClose:      one(spl.Close(ourWrapped, thief, owner)),
		RuleTokenBurn:       one(spl.Burn(ourUSDC, usdc, owner, 1<<40)),
		RuleTokenInitialize: one(spl.InitializeAccount3(vault, usdc, thief)),
		RuleTokenMint:       one(spl.InitializeMint2(vault, thief, 6)),
		RuleTokenBatch:      one(spl.Batch(spl.Batch(spl.SetAuthority(ourUSDC, owner, 2, thief)))),
		RuleTokenUnknown:    one(spl.MintTo(usdc, thief, owner, 1)),
		RuleAssociatedToken: one(txbuild.CreateATA(owner, vault, owner, bonk, rogue, true)),
		RuleRent: {ordinary(txbuild.CreateATA(owner, vault, thief, usdc, TokenProgram, true)).with(func(s *scene) {
			s.intent.MaxRentLamports = new(walletfi.Amount(1))
		})},
		RuleComputeBudget:    one(txbuild.UnitLimit(1), txbuild.UnitLimit(2)),
		RuleNetworkFee:       {ordinary(txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(4999)) })},
		RuleDeniedProgram:    one(txbuild.Call(StakeProgram, nil)),
		RuleUnknownProgram:   one(txbuild.Call(rogue, nil, txbuild.WritableSigner(owner))),
		RuleProtectedAccount: one(txbuild.Call(exchange, nil, txbuild.Writable(guarded))),

		RuleSimulationFailed:    {swapping(func(s *stage) { s.fails = "no" })},
		RuleSimulationSpend:     {swapping(func(s *stage) { s.after[ourUSDC] = holding(TokenProgram, usdc, owner, 1) })},
		RuleSimulationArrival:   {swapping(func(s *stage) { s.after[owner] = s.before[owner] })},
		RuleSimulationAuthority: {swapping(func(s *stage) { s.after[ourUSDC] = holding(TokenProgram, usdc, owner, 300, withDelegate(thief, 9)) })},
	}
}

// malformedOnly is, for the rules of the walk, bytes that only that rule
// refuses.
func malformedOnly() map[Rule][]byte {
	legacy, v0 := simple(txbuild.Legacy), simple(txbuild.V0)
	return map[Rule][]byte{
		RuleEncoding: append(legacy, 0),
		RuleVersion:  patch(v0, headerAt, 0x82),
		RuleSanity:   patch(legacy, headerAt+1, 1),
	}
}

func TestKnockout(t *testing.T) {
	for rule, scenes := range lone() {
		t.Run(string(rule), func(t *testing.T) {
			u := set(txbuild.V0, scenes...)
			guard := NewGuard(scenes[0].policy)
			_, _, err := guard.SignSet(t.Context(), u, ownerKey)
			refusal, ok := errors.AsType[*GuardError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, rule, refusal.Rule, refusal.Error())
			guard.off = rule
			txs, _, err := guard.SignSet(t.Context(), u, ownerKey)
			require.NoError(t, err)
			assert.Len(t, txs, len(scenes))
		})
	}
	for rule, b := range malformedOnly() {
		t.Run(string(rule), func(t *testing.T) {
			_, err := decode(base64Of(b), "")
			refusal, ok := errors.AsType[*GuardError](err)
			require.True(t, ok)
			require.Equal(t, rule, refusal.Rule)
			tx, err := decode(base64Of(b), rule)
			require.NoError(t, err)
			require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
		})
	}
}

// TestEveryRuleIsKnockedOut reads the constants from the source, so that a new
// rule without a case here fails.
func TestEveryRuleIsKnockedOut(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "rule.go", nil, 0)
	require.NoError(t, err)
	n := 0
	for node := range ast.Preorder(file) {
		value, ok := node.(*ast.BasicLit)
		if !ok || value.Kind != token.STRING {
			continue
		}
		name, err := strconv.Unquote(value.Value)
		require.NoError(t, err)
		_, scenes := lone()[Rule(name)]
		_, bytes := malformedOnly()[Rule(name)]
		assert.True(t, scenes || bytes, "no case for rule %s", name)
		n++
	}
	assert.Equal(t, len(lone())+len(malformedOnly()), n)
}
