package signing

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// lone is, for each rule, a set that only that rule refuses.
func lone() map[Rule][]*scene {
	create := func(to PublicKey) []txbuild.Instruction {
		return []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, to)}
	}
	one := func(list ...txbuild.Instruction) []*scene { return []*scene{ordinary(list...)} }
	return map[Rule][]*scene{
		RuleSigners:  one(txbuild.Memo("x", owner, maker)),
		RuleLifetime: {ordinary(txbuild.Memo("x")).with(func(s *scene) { s.build.Blockhash = PublicKey{} })},
		RuleLookup:   {ordinary(txbuild.Transfer(owner, thief, 1<<40)).with(behindTables)},
		RuleSet:      {ordinary(txbuild.Transfer(owner, friend, 900_000)), ordinary(txbuild.Transfer(owner, friend, 900_000))},
		RuleTip:      one(txbuild.Transfer(owner, thief, 1<<40)),
		RuleArrival: {ordinary(txbuild.Transfer(owner, friend, 1)).with(func(s *scene) {
			s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}}
		})},
		RuleBlind:           {ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner))).with(func(s *scene) { s.policy.AllowBlind = nil })},
		RuleTooComplex:      slices.Repeat([]*scene{ordinary(times(20, txbuild.Transfer(owner, friend, 3_300))...)}, 16),
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
		RuleRent: {ordinary(txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)).with(func(s *scene) {
			s.intent.MaxForeignRentLamports = 1
		})},
		RuleComputeBudget:    one(txbuild.UnitLimit(1), txbuild.UnitLimit(2)),
		RuleNetworkFee:       {ordinary(txbuild.Memo("x", owner)).with(func(s *scene) { s.intent.MaxNetworkFeeLamports = new(walletfi.Amount(4999)) })},
		RuleDeniedProgram:    one(txbuild.Call(StakeProgram, nil)),
		RuleUnknownProgram:   one(txbuild.Call(rogue, nil, txbuild.WritableSigner(owner))),
		RulePinnedCall:       {ordinary(txbuild.Call(exchange, []byte{2})).with(typed([]Discriminator{{1}}, AnyAccount))},
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

// TestRuleKnockout: each rule is needed. It is the only ground for refusing
// its set, so that the set would be signed without it.
func TestRuleKnockout(t *testing.T) {
	for rule, scenes := range lone() {
		t.Run(string(rule), func(t *testing.T) {
			u := set(txbuild.V0, scenes...)
			guard := NewGuard(scenes[0].policy)
			_, _, err := guard.SignSet(t.Context(), u, ownerKey)
			refusal := wiretest.As[*GuardError](t, err)
			require.Equal(t, rule, refusal.Rule, refusal.Error())
			require.NotEmpty(t, refusal.Found)
			require.NotEmpty(t, refusal.Allowed, "what would have passed")
			grounds, readable, err := guard.Grounds(t.Context(), u)
			require.NoError(t, err)
			require.True(t, readable)
			require.Equal(t, []Rule{rule}, grounds)
		})
	}
	for rule, b := range malformedOnly() {
		t.Run(string(rule), func(t *testing.T) {
			_, err := Decode(base64Of(b))
			refusal := wiretest.As[*GuardError](t, err)
			require.Equal(t, rule, refusal.Rule)
			require.NotEmpty(t, refusal.Found)
			require.NotEmpty(t, refusal.Allowed, "what would have passed")
			tx, broken, readable := decodeFaulty(base64Of(b))
			require.True(t, readable)
			require.Equal(t, []Rule{rule}, broken)
			require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
		})
	}
}

// TestEveryRuleIsKnockedOut reads the constants from the source, so that a new
// rule without a case here fails.
func TestEveryRuleIsKnockedOut(t *testing.T) {
	for name, value := range rules(t) {
		_, scenes := lone()[Rule(value)]
		_, bytes := malformedOnly()[Rule(value)]
		assert.True(t, scenes || bytes, "no case for %s", name)
	}
	require.Len(t, rules(t), len(Rules))
	assert.Equal(t, len(Rules), len(lone())+len(malformedOnly()))
}

// TestRulesHaveOneName: the rules that the package publishes are those that
// its rooms refuse by, name for name.
func TestRulesHaveOneName(t *testing.T) {
	published, inside := rules(t), constants(t, "internal/rule/rule.go")
	require.Len(t, published, len(Rules))
	for name, value := range published {
		assert.Equal(t, value, inside[strings.TrimPrefix(name, "Rule")], name)
	}
	assert.Len(t, inside, len(published))
}

// constants are the constants of a file that are strings.
func constants(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	found := map[string]string{}
	for node := range ast.Preorder(file) {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			continue
		}
		if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
			text, err := strconv.Unquote(value.Value)
			require.NoError(t, err)
			found[spec.Names[0].Name] = text
		}
	}
	return found
}

// rules are the rules that refuse a set for what it does. RuleApproval refuses
// it for not being the approved one: TestSignApproved.
func rules(t *testing.T) map[string]string {
	all := constants(t, "rule.go")
	delete(all, "RuleApproval")
	return all
}
