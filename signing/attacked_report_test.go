package signing

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// provenIn cuts out the part of a text under "Proven".
func provenIn(text string) string {
	_, rest, _ := strings.Cut(text, "\nProven by what you sign, if the ledger executes it. ")
	proven, _, _ := strings.Cut(rest, "\nNot proven\n")
	return proven
}

// fetched is a scene in which a maker pays 900 USDC, by transactions of these instructions.
func fetched(t *testing.T, sets ...[]txbuild.Instruction) *Report {
	t.Helper()
	var scenes []*scene
	for _, list := range sets {
		s := ordinary(list...)
		s.policy.CoSigners, s.policy.Tokens = []PublicKey{maker}, TokenList{usdc: {"USDC", 2}}
		s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 900}}
		scenes = append(scenes, s)
	}
	_, report, err := NewGuard(scenes[0].policy).CheckSet(t.Context(), set(txbuild.V0, scenes...))
	require.NoError(t, err)
	return report
}

// TestAttackedArrivals: what a pinned program could take again does not arrive for certain.
func TestAttackedArrivals(t *testing.T) {
	pays := spl.TransferChecked(vault, usdc, ourUSDC, maker, 900, 2)
	takes := txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC))
	other := txbuild.Call(exchange, nil, txbuild.Writable(TokenProgram))
	guesses := txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(stranger))
	type list = []txbuild.Instruction
	for name, row := range map[string]struct {
		sets   []list
		proven bool
	}{
		"a later call":                          {[]list{{pays, takes}}, false},
		"a call of a later transaction":         {[]list{{pays}, {takes}}, false},
		"a later call of an account not shown":  {[]list{{pays, guesses}}, false},
		"no call":                               {[]list{{pays}}, true},
		"an earlier call":                       {[]list{{takes, pays}}, true},
		"a call of an earlier transaction":      {[]list{{takes}, {pays}}, true},
		"a later call that writes none of ours": {[]list{{pays, other}}, true},
		"one of two":                            {[]list{{pays, takes, pays}}, true},
	} {
		report := fetched(t, row.sets...)
		text := report.Text()
		assert.Equal(t, row.proven, !report.Unproven, name)
		assert.Equal(t, row.proven, strings.Contains(provenIn(text), "  You get: 9 USDC ("), name)
		exposed := !row.proven || name == "one of two"
		assert.Equal(t, exposed, strings.Contains(text, "\n  That you keep 9 USDC ("+shortOf(usdc)+"): that it is paid into an account of yours is proven, but a program that is called afterwards could take it\n"), name)
		assert.Equal(t, !row.proven, regexp.MustCompile(`\nAt worst you lose: .*\. Nothing is certain to come in return\n`).MatchString(text), name)
	}
}

// TestAttackedStays: what a call with our signature on unknown accounts may take does not stay for certain.
func TestAttackedStays(t *testing.T) {
	for name, row := range map[string]struct {
		call  txbuild.Instruction
		stays bool
	}{
		"signed, an account not shown":   {txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), txbuild.Writable(stranger)), false},
		"unsigned, an account not shown": {txbuild.Call(exchange, nil, txbuild.Writable(stranger)), true},
	} {
		s := ordinary(txbuild.Transfer(owner, ourWrapped, 5_000_000), spl.SyncNative(ourWrapped))
		_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s, ordinary(row.call)))
		require.NoError(t, err)
		assert.Equal(t, row.stays, strings.Contains(provenIn(report.Text()), "Your own 0.005 SOL moves into your account "+shortOf(ourWrapped)+", which is yours unless you gave it away before (not checked): count it as spent\n"), name)
		assert.Equal(t, !row.stays, strings.Contains(report.Text(), "\n  Your own 0.005 SOL moves into your account "+shortOf(ourWrapped)+", from where program "), name)
	}
}

// TestAttackedPermissions: of approvals in one batch each is told with its account and amount.
func TestAttackedPermissions(t *testing.T) {
	says := func(amounts ...uint64) string {
		s := ordinary(spl.Batch(spl.Approve(ourUSDC, approved, owner, amounts[0]), spl.Approve(listed, approved, owner, amounts[1])))
		return s.report(t, txbuild.V0).Text()
	}
	for _, amounts := range [][]uint64{{100, 50}, {50, 50}} {
		text := says(amounts...)
		assert.NotContains(t, text, "  Permission that ends")
		for i, account := range []PublicKey{ourUSDC, listed} {
			assert.Contains(t, text, "  Permission that remains: "+shortOf(approved)+" can take "+
				walletfi.Amount(amounts[i]).String()+" units of unknown size of token "+shortOf(usdc)+" in all from your account "+shortOf(account)+", at any time until")
		}
	}
}

// TestAttackedSums: of transactions that no simulation ran in order, the report does not add up what arrives.
func TestAttackedSums(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, nil, txbuild.WritableSigner(owner)))
	s.policy.Simulator = alone{&stage{before: accts{owner: {Lamports: 5_000_000_000}}, after: accts{owner: {Lamports: 7_000_000_000 - 5000}}}}
	s.intent.Receive = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 1}}
	other := ordinary(txbuild.Call(exchange, []byte{2}, txbuild.WritableSigner(owner)))
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s, other))
	require.NoError(t, err)
	require.Len(t, report.Blind, 1)
	assert.Empty(t, report.Arrives)
	assert.NotContains(t, report.Text(), "you get: nothing")
	assert.Contains(t, report.Text(), ". Nothing is certain to come in return\n")
}

// alone simulates each transaction by itself.
type alone struct{ Simulator }

// TestAttackedWords: what others write cannot write lines, or cover what is next to it.
func TestAttackedWords(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	s.intent.Service = "swap\nSimulated: yes at slot 5"
	report := s.report(t, txbuild.V0)
	for _, text := range []string{report.Text(), report.String()} {
		assert.NotContains(t, text, "\nSimulated: yes")
		assert.Contains(t, text, `"swap\nSimulated: yes at slot 5"`)
	}
	for text, want := range map[string]string{
		"für 2 €": `"für 2 €"`, "a\u00a0b": `"a\u00a0b"`, "a\u3000b": `"a\u3000b"`, "a\u3164b": `"a\u3164b"`, "a\u2800b": `"a\u2800b"`,
		"z\u0336": `"z\u0336"`, "\uffa0\u115f": `"\uffa0\u115f"`, "a b": `"a b"`, "\u0e33\u20dd": `"\u0e33\u20dd"`,
	} {
		assert.Equal(t, want, printable(text))
	}
}

// TestAttackedSymbols: a symbol that differs by what a reader looks past is a look-alike.
func TestAttackedSymbols(t *testing.T) {
	for _, symbol := range []string{"USDC-", "USDC_", "'USDC'", "`USDC", "USDC!", "(USDC)", "USDC:", "USDC;", "U.S.D.C"} {
		tokens := []ReportToken{{Mint: usdc, TokenInfo: TokenInfo{Symbol: "USDC"}}, {Mint: pump, TokenInfo: TokenInfo{Symbol: symbol}}}
		assert.NotNil(t, (&people{report: new(Report), ends: 4}).likeness(tokens, 1), symbol)
	}
	for _, symbol := range []string{"so|", "SOL.", "S-O-L"} {
		tokens := []ReportToken{{Mint: pump, TokenInfo: TokenInfo{Symbol: symbol}}}
		assert.NotNil(t, (&people{report: new(Report), ends: 4}).likeness(tokens, 0), symbol)
	}
}

// TestAttackedStepTakings: the report of a later step says what the earlier ones took.
func TestAttackedStepTakings(t *testing.T) {
	_, report, err := climb{set: []*scene{numbered(1), numbered(2)}, shows: play(9, usdcNow(800), usdcNow(400))}.try(t, txbuild.V0)
	require.NoError(t, err)
	assert.Empty(t, report.Left)
	assert.NotContains(t, report.Text(), "Taken so far")
	_, report, err = climb{set: []*scene{numbered(1), numbered(2)}, executed: one(effects(9, usdcFrom(800, 400))),
		shows: play(9, usdcNow(400), usdcNow(390))}.try(t, txbuild.V0)
	require.NoError(t, err)
	assert.Equal(t, []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 5000}, {Mint: usdc.String(), Amount: 400}}, report.Left)
	assert.Contains(t, report.Text(), "  Taken so far, with fees and rent: 0.000005 SOL and 400 units of unknown size of token "+
		shortOf(usdc)+". Your limits are for all transactions together\n")
	assert.Contains(t, report.Text(), " for all transactions together, in addition to what you spend\n")
}

// TestAttackedEverydayRefusals: what has an honest cause, as a rule, is not called a theft.
func TestAttackedEverydayRefusals(t *testing.T) {
	const theft, honest = "Treat this as an attempted theft", "This can have an honest cause, such as an old quote."
	less := honestSwap()
	less.intent.Receive[0].Amount *= 2
	ended := honestSwap()
	ended.options = []Option{AtBlockHeight(2000), WithLastValidBlockHeight(1150)}
	both := honestSwap()
	both.options = ended.options
	both.instructions = append(both.instructions, txbuild.Transfer(owner, thief, 5))
	for name, row := range map[string]struct {
		scene *scene
		theft bool
	}{"less arrives": {less, false}, "the blockhash ended": {ended, false}, "a drain": {drained(), true}, "both": {both, true}} {
		_, report := row.scene.refusal(t, txbuild.V0)
		assert.Equal(t, row.theft, strings.Contains(report.Text(), theft), name)
		assert.Equal(t, !row.theft, strings.Contains(report.Text(), honest), name)
	}
}

// TestAttackedReportsOfOthers: a report that another process wrote does not stop this one.
func TestAttackedReportsOfOthers(t *testing.T) {
	for _, text := range []string{
		`{"version":1,"leaves":[{"transaction":-1,"amount":"1"}]}`, `{"version":1,"stays":[{"transaction":-1,"amount":"1"}]}`,
		`{"version":1,"reaches":[{"transaction":-1}]}`, `{"version":1,"refusal":{},"also":[null]}`,
	} {
		require.ErrorContains(t, new(Report).UnmarshalJSON([]byte(text)), "signing: a report of no transaction", text)
	}
	require.NoError(t, new(Report).UnmarshalJSON([]byte(`{"version":1,"leaves":[{"amount":"1"}],"also":[]}`)))
}

// TestAttackedChain: a simulator that runs the second transaction on what was before the first is not
// believed: what came by the first would arrive twice.
func TestAttackedChain(t *testing.T) {
	bonks := func(n uint64) accts { return accts{ourBonk: holding(Token2022Program, bonk, owner, n)} }
	call := func(n byte) *scene {
		s := ordinary(txbuild.Call(exchange, []byte{n}, txbuild.WritableSigner(owner), txbuild.Writable(ourBonk)))
		s.policy.AllowBlind = nil
		s.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 10}}
		return s
	}
	for name, row := range map[string]struct {
		second   *stage
		believed bool
	}{
		"on what the first left": {play(9, bonks(10), accts{}), true},
		"less":                   {play(9, bonks(0), accts{}), false},
		"less SOL":               {play(9, accts{ourBonk: bonks(10)[ourBonk], owner: {Lamports: 800_000_000}}, accts{owner: {Lamports: 800_000_000 - 5000}}), false},
	} {
		if _, ok := row.second.before[owner]; ok && name != "less SOL" {
			row.second.before[owner], row.second.after[owner] = AccountState{Lamports: 900_000_000 - 5000}, AccountState{Lamports: 900_000_000 - 10_000}
		}
		s := call(1)
		first := play(9, bonks(0), bonks(10))
		s.policy.Simulator = &inOrder{
			answering: func(r SimulationRequest) (*Simulation, error) { return first.Simulate(t.Context(), r) },
			after:     func(r SimulationRequest) (*Simulation, error) { return row.second.Simulate(t.Context(), r) },
		}
		_, report, err := NewGuard(s.policy).CheckSet(t.Context(), set(txbuild.V0, s, call(2)))
		if row.believed {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, ErrRefused, name)
		assert.Equal(t, RuleBlind, report.Refusal.Rule, name)
		assert.Regexp(t, "did not run it on what those before it leave|where the transactions before it leave", report.Refusal.Error(), name)
	}
}

// TestAttackedAsked: an amount of nothing is none that was asked for, and SOL is SOL in each of its forms.
func TestAttackedAsked(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1))
	s.intent.OutputTo = nil
	s.intent.Receive = []walletfi.Asset{{Mint: usdc.String()}}
	text := s.report(t, txbuild.V0).Text()
	assert.NotContains(t, text, "get at least")
	assert.Contains(t, text, "; no minimum is set for what you get in return (usual for a deposit, not for an exchange)\n")
	assert.Equal(t, "1 SOL", (&people{report: new(Report), ends: 4}).amount(MustPublicKey("9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP"), 1_000_000_000))
}

// TestAttackedDoneCalls: what an executed transaction called takes nothing any more.
func TestAttackedDoneCalls(t *testing.T) {
	_, report, err := climb{set: []*scene{numbered(1), numbered(2)}, executed: one(effects(9, usdcFrom(800, 400))),
		shows: play(9, usdcNow(400), usdcNow(390))}.try(t, txbuild.V0)
	require.NoError(t, err)
	require.Len(t, report.Reaches, 3)
	callers := (&people{report: report, ends: 4}).callers()
	require.Len(t, callers, 1)
	require.Equal(t, 1, callers[0].Transaction)
	require.Equal(t, report.Reaches[2].Ours, callers[0].signed.ours)
}
