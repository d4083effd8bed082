package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedStepTakesAllBringsNothing: of an order that buys BONK for 500 USDC, a hostile
// service makes two transactions. The first takes the 500 and delivers nothing; what the
// second would deliver is never asked for. It is refused before the first signature.
func TestAttackedStepTakesAllBringsNothing(t *testing.T) {
	takes := play(9, usdcNow(800), usdcNow(300))
	first, second := numbered(1), numbered(2)
	second.instructions[0].Accounts = append(second.instructions[0].Accounts, txbuild.Writable(ourBonk))
	first.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1_000_000}}
	u := set(txbuild.V0, first, second)

	whole := first.policy.clone()
	whole.Simulator = &inOrder{
		answering: func(r SimulationRequest) (*Simulation,
			error) {
			return takes.Simulate(context.Background(), r)
		},
		after: func(r SimulationRequest) (*Simulation,
			error) {
			return still(9).Simulate(context.Background(), r)
		},
	}
	_, _, err := NewGuard(whole).SignSet(t.Context(), u, ownerKey)
	require.ErrorIs(t, err, ErrRefused, "the whole set is refused")
	t.Log(err)

	steps := first.policy.clone()
	steps.Simulator = takes
	tx, report, err := NewGuard(steps).SignStep(t.Context(), u, Step{}, ownerKey)
	if err == nil {
		t.Log(report.Text())
	}
	t.Log(err)
	require.Error(t, err, "signed: 500 USDC leave and nothing arrives: %v", tx)
}

// TestAttackedStepTakesAllOneTransaction: the same attack in one transaction is refused.
func TestAttackedStepTakesAllOneTransaction(t *testing.T) {
	first := numbered(1)
	first.intent.Receive = []walletfi.Asset{{Mint: bonk.String(), Amount: 1_000_000}}
	first.policy.Simulator = play(9, usdcNow(800), usdcNow(300))
	_, _, err := NewGuard(first.policy).SignSet(t.Context(), set(txbuild.V0, first), ownerKey)
	require.ErrorIs(t, err, ErrRefused)
}

// TestAttackedHonestRoute: USDC is swapped for PUMP, and PUMP for SOL: in one transaction, and in
// two that are signed step by step.
func TestAttackedHonestRoute(t *testing.T) {
	hop := spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6)
	on := t22.TransferChecked(ourBonk, bonk, thief, owner, 5_000, 6)
	back := txbuild.Transfer(stranger, owner, 2_000_000_000)
	sol := func(n uint64) AccountState { return AccountState{Lamports: walletfi.Amount(n)} }
	bonks := func(n uint64) AccountState { return holding(Token2022Program, bonk, owner, n) }
	route := func(n byte) *scene {
		s := numbered(n)
		s.instructions[0].Accounts = append(s.instructions[0].Accounts, txbuild.Writable(ourBonk))
		s.intent.Receive = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 2_000_000_000}}
		return s
	}
	t.Run("one transaction", func(t *testing.T) {
		s := route(1)
		s.policy.Simulator = play(9, accts{ourUSDC: holding(TokenProgram, usdc, owner, 800), ourBonk: bonks(0)},
			accts{ourUSDC: holding(TokenProgram, usdc, owner, 300),
				owner: sol(2_900_000_000 - 5000)}, hop, on, back)
		_, _, err := NewGuard(s.policy).SignSet(t.Context(), set(txbuild.V0, s), ownerKey)
		require.NoError(t, err)
	})
	t.Run("step 1", func(t *testing.T) {
		s := route(1)
		s.policy.Simulator = play(9, accts{ourUSDC: holding(TokenProgram, usdc, owner, 800), ourBonk: bonks(0)},
			accts{ourUSDC: holding(TokenProgram, usdc, owner, 300), ourBonk: bonks(5000)}, hop)
		_, _, err := NewGuard(s.policy).SignStep(t.Context(), set(txbuild.V0, s, route(2)), Step{}, ownerKey)
		require.NoError(t, err)
	})
	t.Run("step 2", func(t *testing.T) {
		s := route(1)
		s.policy.Simulator = play(10, accts{ourUSDC: usdcNow(300)[ourUSDC], ourBonk: bonks(5000)},
			accts{ourUSDC: usdcNow(300)[ourUSDC], ourBonk: bonks(0), owner: sol(2_900_000_000 - 5000)}, on, back)
		u := set(txbuild.V0, s, route(2))
		first := effects(9, usdcFrom(800, 300), tok(ourBonk, owner, bonk, 0, 5000))
		_, _, err := NewGuard(s.policy).SignStep(t.Context(), u, executed(t, u, first), ownerKey)
		require.NoError(t, err)
	})
}

// TestAttackedStepHonestSOLRoute: USDC is swapped for SOL, and SOL for BONK, in two steps. What
// arrived by the first is the second's to spend, and nothing else.
func TestAttackedStepHonestSOLRoute(t *testing.T) {
	two := func() []*scene {
		list := []*scene{numbered(1), numbered(2)}
		for _, s := range list {
			s.instructions[0].Accounts = append(s.instructions[0].Accounts, txbuild.Writable(ourBonk))
		}
		return list
	}
	brings := all(receive(bonk, 1_000), noSOL, func(s *scene) { s.intent.TipLamports = 0 })
	second := func(leaves uint64) *stage {
		return play(9, accts{ourUSDC: usdcNow(300)[ourUSDC], owner: ownerAt(3_000_000_000),
			ourBonk: holding(Token2022Program, bonk, owner, 0)},
			accts{ourUSDC: usdcNow(300)[ourUSDC], owner: ownerAt(3_000_000_000 - leaves - 5000),
				ourBonk: holding(Token2022Program, bonk, owner, 1_000)},
			txbuild.Transfer(owner, vault, leaves))
	}
	sold := func(changes ...change) []*walletfi.Effects {
		return one(effects(9, append([]change{ownerGains(2_000_000_000), usdcFrom(800, 300)}, changes...)...))
	}
	const rent = 2_039_280
	runClimbs(t, []climb{
		{name: "honest: all that the first brought is spent", honest: true, set: two(), executed: sold(),
			shows: second(2_000_000_000), change: brings},
		{name: "a lamport more", set: two(), executed: sold(), shows: second(2_000_000_001), change: brings},
		{name: "it was the rent of an account that was closed", set: two(), executed: sold(lam(vault, rent, 0)),
			shows: second(2_000_000_000), change: brings},
		{name: "honest: all but the rent of an account that was closed", honest: true, set: two(),
			executed: sold(lam(vault, rent, 0)), shows: second(2_000_000_000 - rent), change: brings},
		{name: "of no exchange", set: two(), executed: sold(), shows: second(2_000_000_000),
			change: all(brings, noReceive)},
		{name: "of an asset that the intent spends", set: two(), executed: sold(), shows: second(2_000_000_000),
			change: receive(bonk, 1_000)},
		{name: "of an asset that should arrive", set: two(), executed: sold(), shows: second(2_000_000_000),
			change: all(brings, func(s *scene) {
				s.intent.Receive = append(s.intent.Receive, walletfi.Asset{Mint: walletfi.NativeMint, Amount: 1})
			})},
	})
}
