package signing

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// answering is a simulator of a function.
type answering func(SimulationRequest) (*Simulation, error)

func (f answering) Simulate(_ context.Context, r SimulationRequest) (*Simulation, error) { return f(r) }

// The simulator is asked for what the transaction may write, and for the owner. An
// answer of another length is no answer.
func TestSimulatedAccounts(t *testing.T) {
	s := ordinary(txbuild.Memo("x", owner), txbuild.Call(exchange, nil, txbuild.Writable(vault), txbuild.Readonly(stranger))).with(func(s *scene) {
		s.intent.Sponsor, s.build.Payer = sponsor.String(), sponsor
	})
	var asked []PublicKey
	s.policy.Simulator = answering(func(r SimulationRequest) (*Simulation, error) {
		asked = r.Accounts
		return unchangedBy(r), nil
	})
	report := s.report(t, txbuild.V0)
	assert.ElementsMatch(t, []PublicKey{sponsor, owner, vault}, asked)
	assert.True(t, report.Simulated)
	resolvedScene := ordinary(txbuild.Call(exchange, nil, txbuild.Writable(vault), txbuild.Readonly(stranger), txbuild.Writable(thief), txbuild.Readonly(friend))).with(behindTables).with(resolved)
	resolvedScene.policy.Simulator = s.policy.Simulator
	resolvedScene.report(t, txbuild.V0)
	assert.ElementsMatch(t, []PublicKey{owner, vault, thief}, asked, "what tables load to be written, too")
	for _, n := range [][2]int{{0, 3}, {3, 0}, {2, 3}, {3, 4}, {4, 4}} {
		s.policy.Simulator = answering(func(r SimulationRequest) (*Simulation, error) {
			return &Simulation{Before: make([]AccountState, n[0]), After: make([]AccountState, n[1])}, nil
		})
		_, _, err := s.sign(t, NewGuard(s.policy), txbuild.V0)
		require.ErrorContains(t, err, "account states for 3 accounts")
		require.NotErrorIs(t, err, ErrRefused)
	}
}

// What a simulated call makes is ours for the calls under it, and only for them.
func TestSimulatedFacts(t *testing.T) {
	made := []txbuild.Instruction{txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, NativeMint, owner)}
	fill, unknown := txbuild.Transfer(owner, fresh, 1<<40), txbuild.Call(SystemProgram, []byte{14, 0, 0, 0}, txbuild.Writable(fresh))
	runVerdicts(t, []verdict{
		{"made and filled by the call", swapping(only(made[0], made[1], fill)), ""},
		{"filled, and made by nobody", swapping(only(fill)), RuleSystemTransfer},
		{"made by the transaction, filled by the call", before(swapping(only(fill)), made...), ""},
		{"made by the call, and something unknown done to it", swapping(only(made[0], made[1], unknown)), RuleSystemUnknown},
		{"something unknown done to another's", swapping(only(unknown)), ""},
		{"sent to an account of a mint that only the call names", swapping(only(
			t22.TransferChecked(vault, bonk, stranger, stranger, 1, 6), t22.Transfer(ourBonk, ourBonk, stranger, 5))), ""},
		{"the same in one batch", swapping(only(t22.Batch(
			t22.TransferChecked(vault, bonk, stranger, stranger, 1, 6), t22.Transfer(ourBonk, vault, stranger, 5)))), RuleTokenTransfer},
		{"out of an account of a mint that only the call names", swapping(only(
			t22.TransferChecked(vault, bonk, stranger, stranger, 1, 6), t22.Transfer(ourBonk, vault, stranger, 5))), RuleTokenTransfer},
	})
}

// A delegate's takings count with its approval only out of the approved account,
// and only up to what was approved.
func TestSimulatedTakings(t *testing.T) {
	takes := func(from PublicKey, amount uint64) *scene {
		s := swapping(func(s *stage) {
			s.inner = []InnerInstruction{inner(spl.TransferChecked(from, usdc, vault, stranger, amount, 6))}
			s.after[ourUSDC] = s.before[ourUSDC]
		})
		s = before(s, spl.Approve(ourUSDC, stranger, owner, 500))
		s.instructions = append(s.instructions, spl.Revoke(ourUSDC, owner))
		return s
	}
	unapproved := func(amount uint64) *scene {
		return swapping(only(spl.TransferChecked(ourUSDC, usdc, vault, stranger, amount, 6)))
	}
	byUs := before(swapping(only(spl.TransferChecked(ourUSDC, usdc, vault, owner, 500, 6))), spl.Approve(ourUSDC, stranger, owner, 500))
	byUs.instructions = append(byUs.instructions, spl.Revoke(ourUSDC, owner))
	runVerdicts(t, []verdict{
		{"what was approved", takes(ourUSDC, 500), ""},
		{"more", takes(ourUSDC, 506), RuleTokenTransfer},
		{"out of another account", takes(listed, 500), RuleTokenTransfer},
		{"without an approval", unapproved(500), ""},
		{"without an approval, and more", unapproved(501), RuleTokenTransfer},
		{"by the owner beside the delegate", byUs, RuleTokenTransfer},
	})
}

// If a node does not answer, that is the error, unless the set is refused already.
// Nobody is asked after the check has ended.
func TestNodeThatFailsLater(t *testing.T) {
	run := func(ctx context.Context, first *scene, answer answering) (*Report, error) {
		first.policy.Simulator = answer
		_, report, err := NewGuard(first.policy).CheckSet(ctx, set(txbuild.V0, first, ordinary(txbuild.Memo("x"))))
		return report, err
	}
	requests := 0
	failing := answering(func(r SimulationRequest) (*Simulation, error) {
		if requests++; requests == 2 {
			return nil, errors.New("node is down")
		}
		return unchangedBy(r), nil
	})
	_, err := run(t.Context(), ordinary(txbuild.Memo("y")), failing)
	require.ErrorContains(t, err, "node is down")
	requests = 0
	report, err := run(t.Context(), ordinary(spl.SetAuthority(ourUSDC, owner, 2, thief)), failing)
	require.ErrorIs(t, err, ErrRefused)
	require.Equal(t, RuleTokenAuthority, report.Refusal.Rule)
	require.Empty(t, report.Also)

	ctx, cancel := context.WithCancel(t.Context())
	requests = 0
	_, err = run(ctx, ordinary(txbuild.Memo("y")), func(r SimulationRequest) (*Simulation, error) {
		requests++
		cancel()
		return unchangedBy(r), nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, requests)
}
