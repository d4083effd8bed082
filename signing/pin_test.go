package signing

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// typed binds the exchange to a pin.
func typed(instructions []Discriminator, may ...Role) func(*scene) {
	return func(s *scene) {
		s.policy.TypedPins = map[string][]Pin{"swap": {{Program: exchange, Instructions: instructions, MayWrite: may}}}
	}
}

func TestTypedPins(t *testing.T) {
	trade := []Discriminator{{9, 8, 7, 6, 5, 4, 3, 2}}
	call := func(accounts ...txbuild.Account) txbuild.Instruction {
		return txbuild.Call(exchange, []byte{9, 8, 7, 6, 5, 4, 3, 2, 1}, accounts...)
	}
	create := func(idempotent bool) txbuild.Instruction {
		return txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, idempotent)
	}
	runVerdicts(t, []verdict{
		allow("spent", call(txbuild.Writable(ourUSDC))).with(typed(trade, SpentAccount)),
		allow("burned", call(txbuild.Writable(ourBonk))).with(typed(trade, SpentAccount)).with(func(s *scene) {
			s.intent.Burn = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}}
		}),
		allow("received", call(txbuild.Writable(ourBonk))).with(typed(trade, ReceivedAccount)).with(func(s *scene) {
			s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1}}
		}),
		allow("the owner", call(txbuild.WritableSigner(owner))).with(typed(trade, OwnerWallet)),
		allow("made here", create(false), call(txbuild.Writable(ourBonk))).with(typed(trade, MadeAccount)),
		allow("listed", call(txbuild.Writable(listed))).with(typed(trade, NamedAccount)),
		allow("any account", create(true), call(txbuild.Writable(ourBonk))).with(typed(trade, AnyAccount)),
		allow("any instruction", txbuild.Call(exchange, nil, txbuild.Writable(ourUSDC))).with(typed(nil, SpentAccount)),
		allow("nothing of ours", call(txbuild.Writable(vault))).with(typed(trade)),
		allow("read only", call(txbuild.Readonly(ourUSDC))).with(typed(trade)),
		allow("several pins add up", call(txbuild.Writable(ourUSDC), txbuild.Writable(listed))).with(func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {
				{Program: exchange, Instructions: trade, MayWrite: []Role{SpentAccount}},
				{Program: exchange, Instructions: trade, MayWrite: []Role{NamedAccount}},
			}}
		}),
		allow("without a plain pin", call(txbuild.Writable(ourUSDC))).with(typed(trade, SpentAccount)).
			with(func(s *scene) { s.policy.Pins = nil }),
		allow("another program's pin", call(txbuild.Writable(ourUSDC))).with(func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: rogue, Instructions: trade}}}
		}),

		refuse("another role", RulePinnedCall, call(txbuild.Writable(ourUSDC))).with(typed(trade, ReceivedAccount, OwnerWallet, MadeAccount, NamedAccount)),
		refuse("no role", RulePinnedCall, call(txbuild.Writable(ourUSDC))).with(typed(trade)),
		refuse("an unknown role", RulePinnedCall, call(txbuild.Writable(ourUSDC))).with(typed(trade, "everything")),
		refuse("the owner is not a spent account", RulePinnedCall, call(txbuild.WritableSigner(owner))).with(typed(trade, SpentAccount)),
		refuse("made only if it is missing", RulePinnedCall, create(true), call(txbuild.Writable(ourBonk))).with(typed(trade, MadeAccount)),
		refuse("another instruction", RulePinnedCall, txbuild.Call(exchange, []byte{9, 8, 7, 6, 5, 4, 3, 3})).with(typed(trade, AnyAccount)),
		refuse("less than the discriminator", RulePinnedCall, txbuild.Call(exchange, []byte{9, 8, 7, 6, 5, 4, 3})).with(typed(trade, AnyAccount)),
		refuse("an empty discriminator names nothing", RulePinnedCall, txbuild.Call(exchange, nil)).with(typed([]Discriminator{{}}, AnyAccount)),
		refuse("of another service", RuleUnknownProgram, call()).with(typed(trade)).with(func(s *scene) { s.intent.Service = "amm" }),
	})
}

// TestTypedPinsBehindTables: an account that nobody resolved may be any of ours.
func TestTypedPinsBehindTables(t *testing.T) {
	hidden := func(may Role) func(*scene) {
		return func(s *scene) {
			behindTables(s)
			s.policy.Protected = nil
			typed([]Discriminator{{1}}, may)(s)
		}
	}
	call := txbuild.Call(exchange, []byte{1}, txbuild.Writable(vault))
	runVerdicts(t, []verdict{
		refuse("named accounts", RulePinnedCall, call).with(hidden(SpentAccount)),
		allow("any account", call).with(hidden(AnyAccount)),
	}, txbuild.V0)
}

// TestTypedPinsSimulated: an account that only a simulation shows to be the owner's is bound, too.
func TestTypedPinsSimulated(t *testing.T) {
	s := swapping(func(s *stage) {
		s.before[vault], s.after[vault] = holding(TokenProgram, bonk, owner, 5), holding(TokenProgram, bonk, owner, 5)
	})
	s.instructions[len(s.instructions)-1].Accounts = append(s.instructions[len(s.instructions)-1].Accounts, txbuild.Writable(vault))
	typed(nil, OwnerWallet, SpentAccount, ReceivedAccount, MadeAccount, NamedAccount)(s)
	_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
	assert.Equal(t, RulePinnedCall, wiretest.As[*GuardError](t, err).Rule)
	typed(nil, AnyAccount)(s)
	s.report(t, txbuild.V0)
}

// TestReportGrades: a report says how closely each program is pinned.
func TestReportGrades(t *testing.T) {
	call := txbuild.Call(exchange, []byte{1, 2}, txbuild.Writable(ourUSDC))
	for grade, change := range map[PinGrade]func(*scene){
		PinnedProgram:     func(*scene) {},
		PinnedInstruction: typed([]Discriminator{{1}}, AnyAccount),
		PinnedAccounts:    typed([]Discriminator{{1}}, SpentAccount),
	} {
		report := ordinary(call).with(change).report(t, txbuild.V0)
		require.Equal(t, grade, report.Reaches[0].Grade)
		require.Contains(t, report.Text(), "; this wallet's settings let services call "+grade.text()+"\n")
	}
	report := ordinary(call).with(typed(nil, SpentAccount)).report(t, txbuild.V0)
	require.Equal(t, PinnedProgram, report.Reaches[0].Grade)
	require.Equal(t, []Role{SpentAccount}, report.Reaches[0].Roles)
}

// TestLearnTypedPins: what the samples call is pinned by instruction and by role, and a
// guard that is bound by it passes them and nothing else.
func TestLearnTypedPins(t *testing.T) {
	sample := func(data []byte, limit uint32) walletfi.Unsigned {
		s := swapping(func(*stage) {})
		s.instructions[len(s.instructions)-1].Data = data
		s.instructions = append(s.instructions, txbuild.UnitLimit(limit))
		return set(txbuild.V0, s)
	}
	policy := swapping(func(*stage) {}).policy
	policy.Pins = nil
	anchor := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	p, err := NewGuard(policy).Learn(t.Context(), "swap", []walletfi.Unsigned{
		sample(append(anchor, 1), 1), sample(append(anchor, 2), 2),
		sample([]byte{7, 1, 1, 1, 1, 1, 1, 1, 1}, 3), sample([]byte{7, 2}, 4), sample([]byte{7, 3}, 5), sample(nil, 6),
	})
	require.NoError(t, err)
	text, err := json.Marshal(p.Calls)
	require.NoError(t, err)
	var stored []Pin
	require.NoError(t, json.Unmarshal(text, &stored))
	require.Equal(t, p.Calls, stored)
	require.Equal(t, p.Calls, p.TypedPins(6))
	require.Empty(t, p.TypedPins(7))
	may := []Role{NamedAccount, OwnerWallet, ReceivedAccount, SpentAccount}
	require.Equal(t, []Pin{
		{Program: exchange, Instructions: []Discriminator{anchor}, MayWrite: may},
		{Program: exchange, Instructions: []Discriminator{{7}}, MayWrite: may},
	}, stored)

	policy.TypedPins = map[string][]Pin{"swap": stored}
	guard := NewGuard(policy)
	stored[0].Instructions[0][0] = 9 // the guard has a copy
	_, _, err = guard.CheckSet(t.Context(), sample(append(anchor, 3), 6))
	require.NoError(t, err)
	_, _, err = guard.CheckSet(t.Context(), sample([]byte{1, 2, 3, 4}, 6))
	require.Equal(t, RulePinnedCall, wiretest.As[*GuardError](t, err).Rule)
}

func TestDiscriminatorText(t *testing.T) {
	for _, text := range []string{`"0"`, `"xy"`, `1`} {
		require.Error(t, json.Unmarshal([]byte(text), new(Discriminator)), text)
	}
}
