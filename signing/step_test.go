package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// call is a pinned call that may take our USDC, by its number.
func numbered(n byte) *scene {
	s := ordinary(txbuild.Call(exchange, []byte{n}, txbuild.WritableSigner(owner), txbuild.Writable(ourUSDC), txbuild.Writable(vault)))
	s.policy.AllowBlind = nil
	return s
}

// usdcOf says what a transaction has made of our USDC. As an rpcnode tells it, lamports
// that have not changed are not there.
func usdcOf(before, after uint64, slot uint64) *walletfi.Effects {
	return &walletfi.Effects{
		Slot: slot, FeePayer: owner.String(), Fee: 5000,
		Lamports: []walletfi.LamportChange{
			{Account: owner.String(), Change: walletfi.Change{Before: 1_000_000_000, After: 1_000_000_000 - 5000}},
		},
		Tokens: []walletfi.TokenChange{{
			Account: ourUSDC.String(), Owner: owner.String(), Mint: usdc.String(), Decimals: 6,
			Change: walletfi.Change{Before: walletfi.Amount(before), After: walletfi.Amount(after)},
		}},
	}
}

// executed is a step after the first transactions of a set, which have these effects.
func executed(t *testing.T, u walletfi.Unsigned, all ...*walletfi.Effects) (s Step) {
	t.Helper()
	keys := map[PublicKey]*LocalKey{owner: ownerKey, sponsor: keyOf("sponsor")}
	for i, e := range all {
		if e != nil && i < len(u.Transactions) {
			tx, err := Decode(u.Transactions[i])
			require.NoError(t, err)
			signature, err := keys[tx.FeePayer()].Sign(t.Context(), tx.Message())
			require.NoError(t, err)
			named := *e
			named.Signature = signature.String()
			e = &named
		}
		s.Executed = append(s.Executed, e)
	}
	return s
}

// leaves is a simulator that shows our USDC before and after, at a slot.
func leaves(before, after uint64, slot uint64) answering {
	return func(r SimulationRequest) (*Simulation, error) {
		out, _ := (&stage{
			before: map[PublicKey]AccountState{owner: {Lamports: 900_000_000}, ourUSDC: holding(TokenProgram, usdc, owner, before)},
			after:  map[PublicKey]AccountState{owner: {Lamports: 900_000_000 - 5000}, ourUSDC: holding(TokenProgram, usdc, owner, after)},
		}).Simulate(context.Background(), r)
		out.Slot = slot
		return out, nil
	}
}

// failsLate fails on the state that usdcOf leaves.
var failsLate = answering(func(r SimulationRequest) (*Simulation, error) {
	s, err := fails(r)
	s.Slot = 9
	return s, err
})

// handed are effects in which our USDC has a new owner.
func handed() *walletfi.Effects {
	e := usdcOf(800, 0, 9)
	theirs := e.Tokens[0]
	theirs.Owner, theirs.Change = thief.String(), walletfi.Change{After: 800}
	e.Tokens = append(e.Tokens, theirs)
	return e
}

// lost are effects in which lamports have left the owner, for a new account or nobody.
func lost(lamports walletfi.Amount, made ...PublicKey) *walletfi.Effects {
	e := usdcOf(800, 500, 9)
	e.Lamports[0].After -= lamports
	for _, k := range made {
		e.Lamports = append(e.Lamports, walletfi.LamportChange{Account: k.String(), Change: walletfi.Change{After: lamports}})
	}
	return e
}

// TestSignStep: each transaction is held against what is left of the caps by what the
// earlier ones have really changed. 545 of USDC may leave in all.
func TestSignStep(t *testing.T) {
	drain := ordinary(spl.SetAuthority(ourUSDC, owner, 2, thief))
	cases := []struct {
		name     string
		set      []*scene
		executed []*walletfi.Effects
		shows    Simulator
		rule     Rule
	}{
		{"the first of two", []*scene{numbered(1), numbered(2)}, nil, leaves(800, 300, 9), ""},
		{"the first takes too much", []*scene{numbered(1), numbered(2)}, nil, leaves(800, 254, 9), RuleSimulationSpend},
		{"the first fails", []*scene{numbered(1), numbered(2)}, nil, answering(fails), RuleSimulationFailed},
		{"the first is not simulated", []*scene{numbered(1), numbered(2)}, nil, answering(unknown), RuleBlind},
		{"nobody simulates", []*scene{numbered(1), numbered(2)}, nil, nil, RuleBlind},
		{"a drain in the second, before the first is signed", []*scene{numbered(1), drain}, nil, leaves(800, 300, 9), RuleTokenAuthority},
		{"the second takes what is left", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{usdcOf(800, 500, 9)}, leaves(500, 255, 9), ""},
		{"the second takes more than is left", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{usdcOf(800, 500, 9)}, leaves(500, 254, 9), RuleSimulationSpend},
		{"the first took more than it may", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{usdcOf(800, 254, 9)}, leaves(254, 254, 9), RuleSimulationSpend},
		{"the second fails by itself", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{usdcOf(800, 500, 9)}, failsLate, RuleSimulationFailed},
		{"the second is not simulated", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{usdcOf(800, 500, 9)}, answering(unknown), RuleBlind},
		{"the first gave our account away", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{handed()}, leaves(0, 0, 9), RuleSimulationAuthority},
		{"the first lost lamports", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{lost(2_500_000)}, leaves(500, 500, 9), RuleSimulationSpend},
		{"the first made an account", []*scene{numbered(1), numbered(2)}, []*walletfi.Effects{lost(2_500_000, vault)}, leaves(500, 500, 9), ""},
		{"the third", []*scene{numbered(1), numbered(2), numbered(3)}, []*walletfi.Effects{usdcOf(800, 500, 9), usdcOf(500, 400, 10)}, leaves(400, 255, 10), ""},
		{"the third takes more than is left", []*scene{numbered(1), numbered(2), numbered(3)}, []*walletfi.Effects{usdcOf(800, 500, 9), usdcOf(500, 400, 10)}, leaves(400, 254, 10), RuleSimulationSpend},
	}
	for _, c := range cases {
		for _, format := range txbuild.Formats {
			t.Run(c.name+"/"+format.String(), func(t *testing.T) {
				policy := numbered(0).policy
				policy.Simulator = c.shows
				u := set(format, c.set...)
				at := len(c.executed)
				tx, report, err := NewGuard(policy).SignStep(t.Context(), u, executed(t, u, c.executed...), ownerKey)
				if c.rule != "" {
					require.Equal(t, c.rule, wiretest.As[*GuardError](t, err).Rule, err)
					require.Nil(t, tx)
					return
				}
				require.NoError(t, err)
				want, err := Decode(u.Transactions[at])
				require.NoError(t, err)
				assert.Equal(t, want.Message(), tx.Message())
				assert.True(t, tx.Signature().Verify(owner, tx.Message()))
				assert.Equal(t, at == len(c.set)-1, report.Simulated)
				assert.Empty(t, report.Blind)
				later := 0
				for _, n := range report.Notes {
					if n.Kind == NoteSimulation {
						later++
						assert.Contains(t, n.Text, "judged again before it is signed")
					}
				}
				assert.Equal(t, len(c.set)-1-at, later)
			})
		}
	}
}

// TestStepArrival: what should arrive may do so in any of the transactions, and is held
// against all of them before the last is signed.
func TestStepArrival(t *testing.T) {
	first, second := numbered(1), numbered(2)
	first.intent.Spend, first.intent.Receive = nil, []walletfi.Asset{{Mint: usdc.String(), Amount: 100}}
	u := set(txbuild.V0, first, second)
	for name, c := range map[string]struct {
		executed *walletfi.Effects
		after    uint64
		rule     Rule
	}{
		"in both":      {usdcOf(0, 60, 9), 100, ""},
		"in the first": {usdcOf(0, 100, 9), 100, ""},
		"too little":   {usdcOf(0, 60, 9), 99, RuleSimulationArrival},
	} {
		first.policy.Simulator = leaves(uint64(c.executed.Tokens[0].After), c.after, 9)
		_, _, err := NewGuard(first.policy).SignStep(t.Context(), u, executed(t, u, c.executed), ownerKey)
		if c.rule == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.rule, wiretest.As[*GuardError](t, err).Rule, name)
	}
}

// TestStepOnAnOldState: a node that has not seen the last execution shows nothing of what
// comes after it.
func TestStepOnAnOldState(t *testing.T) {
	policy := numbered(0).policy
	policy.Simulator = leaves(800, 800, 8)
	u := set(txbuild.V0, numbered(1), numbered(2))
	_, _, err := NewGuard(policy).SignStep(t.Context(), u, executed(t, u, usdcOf(800, 500, 9)), ownerKey)
	require.ErrorIs(t, err, walletfi.ErrUnavailable)
	require.NotErrorIs(t, err, ErrRefused)
}

func TestStepArguments(t *testing.T) {
	policy := numbered(0).policy
	policy.Simulator = leaves(500, 400, 9)
	guard, u := NewGuard(policy), set(txbuild.V0, numbered(1), numbered(2))
	done := usdcOf(800, 500, 9)
	failed, odd := usdcOf(800, 500, 9), usdcOf(800, 500, 9)
	failed.Err, odd.Tokens[0].Mint = "custom program error", "no key"
	for name, s := range map[string]Step{
		"all are done": {Executed: []*walletfi.Effects{done, done}}, "unknown": {Executed: []*walletfi.Effects{nil}},
		"failed": {Executed: []*walletfi.Effects{failed}},
	} {
		_, _, err := guard.SignStep(t.Context(), u, s, ownerKey)
		wiretest.As[*walletfi.ValidationError](t, err)
		require.NotNil(t, err, name)
	}
	_, _, err := guard.SignStep(t.Context(), u, executed(t, u, odd), ownerKey)
	require.ErrorContains(t, err, "no key")
	_, _, err = guard.SignStep(t.Context(), u, Step{}, nil)
	wiretest.As[*walletfi.ValidationError](t, err)
}

// TestStepwisePolicy: a set is not judged on what a bundle shows.
func TestStepwisePolicy(t *testing.T) {
	policy := numbered(0).policy
	policy.Simulator, policy.Stepwise = &inOrder{answering: quiet, after: quiet}, true
	_, _, err := NewGuard(policy).CheckSet(t.Context(), set(txbuild.V0, numbered(1), numbered(2)))
	refusal := wiretest.As[*GuardError](t, err)
	require.Equal(t, RuleBlind, refusal.Rule)
	require.Equal(t, 1, refusal.Transaction)

	stepwise := numbered(0).policy
	stepwise.Stepwise = true
	require.Equal(t, NewGuard(numbered(0).policy).allows(), NewGuard(stepwise).allows(), "it allows nothing else")
	require.NotContains(t, string(NewGuard(stepwise).allows()), "Stepwise", "an approval of before stands")
}

// TestStepBehindTables: what an executed transaction has taken out of an account behind a
// lookup table counts, whatever is known of the table by then.
func TestStepBehindTables(t *testing.T) {
	for after, rule := range map[uint64]Rule{255: "", 254: RuleSimulationSpend} {
		first, second := numbered(1).with(behindTables).with(unprotected), numbered(2)
		first.policy.AllowBlind, first.policy.Simulator = []string{"swap"}, leaves(after, after, 9)
		u := set(txbuild.V0, first, second)
		_, _, err := NewGuard(first.policy).SignStep(t.Context(), u, executed(t, u, usdcOf(800, after, 9)), ownerKey)
		if rule == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, rule, wiretest.As[*GuardError](t, err).Rule)
	}
}

// TestStepPastABlockhash: one that has ended keeps nothing from being signed that lives by a
// durable nonce.
func TestStepPastABlockhash(t *testing.T) {
	nonce := Nonce{Account: addressOf("nonce"), Value: someBlockhash}
	first, byNonce := numbered(1), numbered(2)
	byNonce.instructions = append([]txbuild.Instruction{txbuild.AdvanceNonce(nonce.Account, owner)}, byNonce.instructions...)
	first.policy.Simulator = leaves(500, 400, 9)
	for name, c := range map[string]struct {
		set  []*scene
		rule Rule
	}{
		"the next has a nonce":            {[]*scene{first, byNonce}, ""},
		"the next has the blockhash":      {[]*scene{first, numbered(2)}, RuleLifetime},
		"the one after has the blockhash": {[]*scene{first, byNonce, numbered(3)}, RuleLifetime},
	} {
		u := set(txbuild.V0, c.set...)
		u.LastValidBlockHeight = 1000
		step := executed(t, u, usdcOf(800, 500, 9))
		_, _, err := NewGuard(first.policy).SignStep(t.Context(), u, step, ownerKey, AtBlockHeight(1001), WithNonce(nonce))
		if c.rule == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.rule, wiretest.As[*GuardError](t, err).Rule, name)
	}
}

// TestStepArrivalUnsimulated: what arrived by the executed steps counts, and no longer what
// their calls could have delivered, also if nobody simulates a last step that calls none.
func TestStepArrivalUnsimulated(t *testing.T) {
	for name, c := range map[string]struct {
		brought uint64
		last    *scene
		rule    Rule
	}{
		"all":                            {100, ordinary(txbuild.Memo("done")), ""},
		"too little":                     {99, ordinary(txbuild.Memo("done")), RuleArrival},
		"too little, and a call follows": {99, numbered(2), ""},
	} {
		first := numbered(1)
		first.intent.Spend, first.intent.Receive = nil, []walletfi.Asset{{Mint: usdc.String(), Amount: 100}}
		first.policy.Simulator = answering(unknown)
		if name == "too little, and a call follows" {
			first.policy.AllowBlind = []string{"swap"}
		}
		u := set(txbuild.V0, first, c.last)
		_, _, err := NewGuard(first.policy).SignStep(
			t.Context(), u, executed(t, u, usdcOf(0, c.brought, 9)), ownerKey,
		)
		if c.rule == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, c.rule, wiretest.As[*GuardError](t, err).Rule, name)
	}
}
