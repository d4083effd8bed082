package signing

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// untold plays a stage, after whatever was before, without the instructions that programs call.
type untold struct{ stages []*stage }

func (u untold) at(n int, r SimulationRequest) (*Simulation, error) {
	s, err := u.stages[min(n, len(u.stages)-1)].Simulate(context.Background(), r)
	if s != nil {
		s.StatesOnly = true
	}
	return s, err
}

func (u untold) Simulate(_ context.Context, r SimulationRequest) (*Simulation, error) {
	return u.at(0, r)
}

func (u untold) SimulateAfter(_ context.Context, earlier []*Transaction, r SimulationRequest) (*Simulation, error) {
	return u.at(len(earlier), r)
}

// delegated is our USDC, of which the named delegate may take some.
func delegated(n, may uint64) accts {
	return accts{ourUSDC: holding(TokenProgram, usdc, owner, n, withDelegate(approved, may))}
}

// takesUSDC is a pinned call that may take our USDC.
func takesUSDC(n byte, first ...txbuild.Instruction) *scene {
	s := numbered(n)
	s.instructions = append(first, s.instructions...)
	s.intent.Burn, s.intent.ServiceFee = nil, nil // 500 may leave
	return s
}

// TestAttackedApprovalsAreSpend: what a delegate may take later is spent, like what has left.
func TestAttackedApprovalsAreSpend(t *testing.T) {
	approve := func(n uint64) txbuild.Instruction { return spl.Approve(ourUSDC, approved, owner, n) }
	first := takesUSDC(1)
	blind := func(s *scene) *scene { s.policy.AllowBlind = []string{"swap"}; return s }
	cases := []struct {
		name     string
		set      []*scene
		shows    []*stage
		executed []*walletfi.Effects
		inSteps  bool
		passes   bool
	}{
		{name: "approved and taken by another way", set: []*scene{takesUSDC(1, approve(500))},
			shows: []*stage{play(9, usdcNow(800), delegated(300, 500))}},
		{name: "a unit too much", set: []*scene{takesUSDC(1, approve(300))},
			shows: []*stage{play(9, usdcNow(800), delegated(599, 300))}},
		{name: "approved in the call", set: []*scene{first}, shows: []*stage{play(9, usdcNow(800), delegated(300, 500))}},
		{name: "within", set: []*scene{takesUSDC(1, approve(300))},
			shows: []*stage{play(9, usdcNow(800), delegated(600, 300))}, passes: true},
		{name: "taken by the delegate", set: []*scene{takesUSDC(1, approve(500))},
			shows: []*stage{play(9, usdcNow(800), usdcNow(300))}, passes: true},
		{name: "an approval from before", set: []*scene{first},
			shows: []*stage{play(9, delegated(800, 900), delegated(300, 900))}, passes: true},
		{name: "more of an approval from before", set: []*scene{first},
			shows: []*stage{play(9, delegated(800, 900), delegated(300, 901))}},
		{name: "revoked", set: []*scene{first}, shows: []*stage{play(9, delegated(800, 900), usdcNow(300))}, passes: true},
		{name: "approved in the first, taken another way in the second", set: []*scene{first, takesUSDC(2)},
			shows: []*stage{play(9, usdcNow(800), delegated(800, 500)), play(9, delegated(800, 500), delegated(300, 500))}},
		{name: "approved in the first, taken by the delegate in the second", set: []*scene{first, takesUSDC(2)},
			shows:  []*stage{play(9, usdcNow(800), delegated(800, 500)), play(9, delegated(800, 500), usdcNow(300))},
			passes: true},
		{name: "approved in the first, revoked in the second, which takes all", set: []*scene{first, takesUSDC(2)},
			shows:  []*stage{play(9, usdcNow(800), delegated(800, 500)), play(9, delegated(800, 500), usdcNow(300))},
			passes: true},
		{name: "taken in the first, approved in the second, which nobody simulates",
			set:   []*scene{first, just(approve(500))},
			shows: []*stage{play(9, usdcNow(800), usdcNow(300)), {err: ErrUnknown}}},
		{name: "taken in the first, paid in the second, which nobody simulates",
			set:   []*scene{first, just(spl.TransferChecked(ourUSDC, usdc, friend, owner, 500, 6))},
			shows: []*stage{play(9, usdcNow(800), usdcNow(300)), {err: ErrUnknown}}},
		{name: "paid in the first, which nobody simulates, and taken in the second",
			set:   []*scene{blind(just(spl.TransferChecked(ourUSDC, usdc, friend, owner, 500, 6))), takesUSDC(2)},
			shows: []*stage{{err: ErrUnknown}, play(9, usdcNow(800), usdcNow(300))}},
		{name: "half in each", set: []*scene{first, just(spl.TransferChecked(ourUSDC, usdc, friend, owner, 250, 6))},
			shows: []*stage{play(9, usdcNow(800), usdcNow(550)), {err: ErrUnknown}}, passes: true},

		{name: "step: approved and executed, taken in the second", inSteps: true,
			set:      []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			executed: one(effects(9)), shows: []*stage{play(9, delegated(800, 500), delegated(300, 500))}},
		{name: "step: approved and executed, taken in the second, where no account shows it", inSteps: true,
			set:      []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			executed: one(effects(9)), shows: []*stage{play(9, usdcNow(800), usdcNow(300))}},
		{name: "step: approved and taken by the delegate", inSteps: true,
			set:      []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			executed: one(effects(9, usdcFrom(800, 300))), shows: []*stage{play(9, usdcNow(300), usdcNow(300))}, passes: true},
		{name: "step: approved, half taken, the rest taken in the second", inSteps: true,
			set:      []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			executed: one(effects(9, usdcFrom(800, 550))), shows: []*stage{play(9, delegated(550, 250), usdcNow(300))}, passes: true},
		{name: "step: approved, half taken, and half taken another way", inSteps: true,
			set:      []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			executed: one(effects(9, usdcFrom(800, 550))), shows: []*stage{play(9, delegated(550, 250), delegated(300, 250))}},
		{name: "step: approved in the call, with more to come", inSteps: true, set: []*scene{first, takesUSDC(2)},
			shows: []*stage{play(9, usdcNow(800), delegated(800, 500))}},
		{name: "step: approved by the bytes, with more to come", inSteps: true,
			set:   []*scene{takesUSDC(1, approve(500)), takesUSDC(2)},
			shows: []*stage{play(9, usdcNow(800), delegated(800, 500))}, passes: true},
		{name: "step: more than by the bytes, with more to come", inSteps: true,
			set:   []*scene{takesUSDC(1, approve(400)), takesUSDC(2)},
			shows: []*stage{play(9, usdcNow(800), delegated(800, 500))}},
		{name: "step: approved in the call of the last", inSteps: true, set: []*scene{first, takesUSDC(2)},
			executed: one(effects(9)), shows: []*stage{play(9, usdcNow(800), delegated(800, 500))}, passes: true},
	}
	for _, c := range cases {
		for _, told := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				policy := c.set[0].policy
				policy.Simulator = untold{c.shows}
				if told {
					policy.Simulator = tellsNone{c.shows}
				}
				u := set(txbuild.V0, c.set...)
				u.Intent = first.intent
				var err error
				if c.inSteps {
					_, _, err = NewGuard(policy).SignStep(t.Context(), u, executed(t, u, c.executed...), ownerKey)
				} else {
					_, _, err = NewGuard(policy).SignSet(t.Context(), u, ownerKey)
				}
				if c.passes {
					require.NoError(t, err)
					return
				}
				t.Log(wiretest.As[*GuardError](t, err))
			})
		}
	}
}

// tellsNone says that programs call nothing.
type tellsNone struct{ stages []*stage }

func (u tellsNone) Simulate(_ context.Context, r SimulationRequest) (*Simulation, error) {
	return u.SimulateAfter(context.Background(), nil, r)
}

func (u tellsNone) SimulateAfter(_ context.Context, earlier []*Transaction, r SimulationRequest) (*Simulation, error) {
	s, err := untold(u).at(len(earlier), r)
	if s != nil {
		s.StatesOnly = false
	}
	return s, err
}

// TestAttackedRentOverSteps: only what a transaction has paid itself is its rent: what others paid in
// one does not let SOL leave as rent in the next.
func TestAttackedRentOverSteps(t *testing.T) {
	made := func(n uint64) accts {
		return accts{vault: {Lamports: walletfi.Amount(n), Owner: exchange, Data: make([]byte, n/6960-128)}}
	}
	const rent = 2_505_600
	noSpend := func(s *scene) { noSOL(s); s.intent.TipLamports = 0 }
	two := func() []*scene { return []*scene{numbered(1), numbered(2)} }
	loses := func(slot, n uint64, after accts) *stage {
		s := play(slot, nil, after)
		s.after[owner] = ownerAt(900_000_000 - 5000 - n)
		return s
	}
	runClimbs(t, []climb{
		{name: "another paid it in the first, a stranger gets as much in the second", set: two(), change: noSpend,
			executed: one(effects(9, lam(vault, 0, rent))), shows: untold{[]*stage{loses(9, rent, nil)}}},
		{name: "by a lamport", set: two(), change: noSpend,
			executed: one(effects(9, lam(vault, 0, rent), ownerLoses(rent-1))), shows: untold{[]*stage{loses(9, 1, nil)}}},
		{name: "honest: it is paid in the first", honest: true, set: two(), change: noSpend,
			executed: one(effects(9, lam(vault, 0, rent), ownerLoses(rent))), shows: untold{[]*stage{loses(9, 0, nil)}}},
		{name: "honest: it is paid in the second", honest: true, set: two(), change: noSpend,
			executed: one(effects(9)), shows: untold{[]*stage{loses(9, rent, made(rent))}}},
		{name: "honest: another gives the owner SOL in the first", honest: true, set: two(), change: noSpend,
			executed: one(effects(9, ownerGains(5))), shows: untold{[]*stage{loses(9, rent, made(rent))}}},
	})
	second := loses(9, rent, nil)
	second.before[vault] = made(rent)[vault]
	for _, tells := range []Simulator{
		untold{[]*stage{loses(9, 0, made(rent)), second}}, tellsNone{[]*stage{loses(9, 0, made(rent)), second}},
	} {
		first := numbered(1)
		first.with(noSpend).policy.Simulator = tells
		_, _, err := NewGuard(first.policy).SignSet(t.Context(), set(txbuild.V0, first, numbered(2)), ownerKey)
		require.Equal(t, RuleSimulationSpend, wiretest.As[*GuardError](t, err).Rule)
	}
}
