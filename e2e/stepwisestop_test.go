package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// stopped is a set of which the first transaction is confirmed, and the second is not signed.
func stopped(t *testing.T, options wallet.ExecuteOptions) (st *stairs, w *wallet.Wallet,
	journal *wallet.MemoryJournal, u walletfi.Unsigned, err error) {
	st = newStairs(t)
	journal = wallet.NewMemoryJournal()
	w, u = st.wallet(t, journal), st.build(t)
	options.Progress = func(int, int) { st.turned.Store(true) }
	_, err = w.Execute(t.Context(), u, options)
	require.ErrorContains(t, err, "transaction 2 is not signed")
	require.Equal(t, 1, st.sentMessages())
	st.turned.Store(false)
	return st, w, journal, u, err
}

// TestAttackedStopIsNotNothingSent: docs/landing.md says of walletfi.ErrNotSent "no byte left",
// and Execute's comment "nothing left". Of a set that stopped after its first transaction that
// is not so: a program that builds again on ErrNotSent does the first part twice.
func TestAttackedStopIsNotNothingSent(t *testing.T) {
	_, _, _, _, err := stopped(t, wallet.ExecuteOptions{Key: "sell"})
	require.NotErrorIs(t, err, walletfi.ErrNotSent, "the first transaction has left, and is confirmed")
}

// TestAttackedResumeUnderAnotherKey: the set is executed under a second key while the first has
// stopped, and then the first goes on: each transaction is executed once.
func TestAttackedResumeUnderAnotherKey(t *testing.T) {
	st, w, _, u, _ := stopped(t, wallet.ExecuteOptions{Key: "sell"})
	result, err := w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "again"})
	t.Log(result, err)
	other, err := w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell"})
	t.Log(other, err)
	require.LessOrEqual(t, st.sentMessages(), 2)
}

// TestAttackedApprovedResume: what goes on is no approved set.
func TestAttackedApprovedResume(t *testing.T) {
	st, w, _, u, _ := stopped(t, wallet.ExecuteOptions{Key: "sell"})
	for _, digest := range []string{strings.Repeat("0", 64), "x"} {
		_, err := w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell", Approved: digest})
		require.Error(t, err)
	}
	_, err := w.ExecuteBundle(t.Context(), u, noRelay{}, wallet.ExecuteOptions{Key: "sell"})
	require.Error(t, err)
	require.Equal(t, 1, st.sentMessages())
}

// TestAttackedCrashBetweenStepsIsTold: the process dies between two steps, and the next one asks
// Settle what became of everything, as docs/getting-started.md has it: the half of a set is told,
// also if the wallet has settled it by itself before.
func TestAttackedCrashBetweenStepsIsTold(t *testing.T) {
	for _, settled := range []bool{false, true} {
		crashBetweenSteps(t, settled)
	}
}

func crashBetweenSteps(t *testing.T, settled bool) {
	st, memory := newStairs(t), wallet.NewMemoryJournal()
	u := st.build(t)
	ctx, die := context.WithCancel(t.Context())
	defer die()
	cut := &cutJournal{MemoryJournal: memory, st: st, left: 1 << 30, die: die}
	victim := st.wallet(t, cut)
	_, err := victim.Execute(ctx, u, wallet.ExecuteOptions{Key: "sell", Progress: func(int, int) {
		cut.mu.Lock()
		cut.left = 0
		cut.mu.Unlock()
		st.dead.Store(true)
		die()
	}})
	require.ErrorIs(t, err, wallet.ErrStopped)
	victim.Close()
	st.dead.Store(false)
	next := st.wallet(t, memory)
	if settled {
		require.Eventually(t, func() bool {
			outcome, err := next.Outcome(t.Context(), "sell")
			return err == nil && outcome.Settled()
		}, time.Minute, 5*time.Millisecond)
	}
	outcomes, err := next.Settle(t.Context())
	t.Log(outcomes, err)
	told := err != nil
	for _, o := range outcomes {
		t.Log(o.Key, o.State, o.Settled())
		told = told || o.Key == "sell" && o.State == wallet.StateNotSigned
	}
	outcome, err := next.Outcome(t.Context(), "sell")
	t.Log(outcome.State, err)
	require.True(t, told, "half of the set is done, and Settle is silent")
}
