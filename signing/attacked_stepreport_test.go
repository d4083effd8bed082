package signing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedStepReports: the report of a step says of each transaction by what it was judged, and
// neither that a later one was simulated nor that none was.
func TestAttackedStepReports(t *testing.T) {
	three := []*scene{numbered(1), numbered(2), numbered(3)}
	three[0].instructions = append(three[0].instructions, spl.TransferChecked(ourUSDC, usdc, friend, owner, 40, 6))
	const nothing = "; not simulated\n"
	for _, c := range []struct {
		executed []*walletfi.Effects
		shows    *stage
		judged   []JudgedBy
		says     []string
		not      []string
	}{
		{nil, play(8, usdcNow(800), usdcNow(600)), []JudgedBy{BySimulation, ByBytesUntilItsTurn, ByBytesUntilItsTurn}, []string{
			": transaction 1 of 3, ", "\n  Transaction 1 is simulated at slot 8\n", "\n  Transaction 2 is not simulated yet; it is checked again before you sign it\n",
			"\n  Transaction 3 is not simulated yet;",
			"You pay: 0.00004",
		}, []string{nothing, "Transaction 2 is simulated", "is executed: what"}},
		{[]*walletfi.Effects{effects(9, usdcFrom(800, 600))}, play(9, usdcNow(600), usdcNow(500)),
			[]JudgedBy{ByExecution, BySimulation, ByBytesUntilItsTurn}, []string{
				": transaction 2 of 3, ", "\n  Transaction 1 is executed: what it changed counts\n", "\n  Transaction 2 is simulated at slot 9\n",
				"\n  Transaction 3 is not simulated yet;", "You paid in transaction 1: 0.00004",
			}, []string{nothing, "You pay: 0"}},
		{[]*walletfi.Effects{effects(9, usdcFrom(800, 600)), effects(10, usdcFrom(600, 500))}, play(10, usdcNow(500), usdcNow(400)),
			[]JudgedBy{ByExecution, ByExecution, BySimulation}, []string{
				": transaction 3 of 3, ", "\nShown by what transactions 1 and 2 did, and by a simulation of transaction 3 at slot 10; the ledger can do otherwise\n",
			}, []string{nothing, "not simulated"}},
	} {
		policy := three[0].policy
		policy.Simulator = c.shows
		u := set(txbuild.V0, three...)
		_, report, err := NewGuard(policy).SignStep(t.Context(), u, executed(t, u, c.executed...), ownerKey)
		require.NoError(t, err)
		for i, by := range c.judged {
			require.Equal(t, by, report.Transactions[i].JudgedBy, i)
		}
		for _, text := range c.says {
			require.Contains(t, report.Text(), text)
		}
		for _, text := range c.not {
			require.NotContains(t, report.Text(), text)
		}
	}
	// Of a set whose second nobody could simulate, only the first was.
	first, second := numbered(1), numbered(2)
	first.policy.AllowBlind, first.policy.Simulator = []string{"swap"}, answering(func(r SimulationRequest) (*Simulation, error) {
		for _, ins := range r.Transaction.Instructions() {
			if ins.Data[0] == 2 {
				return nil, ErrUnknown
			}
		}
		return quiet(r)
	})
	_, report, err := NewGuard(first.policy).CheckSet(t.Context(), set(txbuild.V0, first, second))
	require.NoError(t, err)
	require.Equal(t, []JudgedBy{BySimulation, ByBytes}, []JudgedBy{report.Transactions[0].JudgedBy, report.Transactions[1].JudgedBy})
	require.Contains(t, report.Unseen(), "what the pinned programs of transaction 2 do with the accounts they reach: it was not simulated")
	require.Contains(t, report.Text(), "; simulated: only transaction 1\n")
	require.NotContains(t, report.Text(), nothing)
	require.NotContains(t, report.Text(), "transaction 1 of 2")
}
