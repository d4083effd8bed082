package e2e

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// cutJournal dies with its process at a write, before it is kept or after.
type cutJournal struct {
	*wallet.MemoryJournal
	st   *stairs
	mu   sync.Mutex
	left int // writes
	kept bool
	die  func()
}

func (j *cutJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.left <= 0 {
		return errors.New("the process has died")
	}
	if e.Ledger == nil {
		j.left--
	}
	if j.left > 0 {
		return j.MemoryJournal.Store(ctx, was, e)
	}
	if j.kept {
		if err := j.MemoryJournal.Store(ctx, was, e); err != nil {
			return err
		}
	}
	j.st.dead.Store(true)
	j.die()
	return errors.New("the process has died")
}

// finish executes until nobody else has the key.
func (st *stairs) finish(t *testing.T, w *wallet.Wallet, u walletfi.Unsigned) (result *wallet.Result, err error) {
	t.Helper()
	require.Eventually(t, func() bool {
		result, err = w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell"})
		var running *wallet.UnsettledError
		// A process that lost the key to the other one must ask again, too.
		return !errors.As(err, &running) && !errors.Is(err, walletfi.ErrOutcomeUnknown)
	}, time.Minute, 20*time.Millisecond)
	return result, err
}

// TestCrashInSteps: a process dies at each write of a set in steps, before the journal has
// it and after. The next one ends it; each transaction is executed once, in order.
func TestCrashInSteps(t *testing.T) {
	for _, kept := range []bool{false, true} {
		for n, died := 1, true; died; n++ {
			t.Run(fmt.Sprintf("%t at write %d", kept, n), func(t *testing.T) {
				st := newStairs(t)
				u, memory := st.build(t), wallet.NewMemoryJournal()
				ctx, die := context.WithCancel(t.Context())
				defer die()
				cut := &cutJournal{MemoryJournal: memory, st: st, left: n, kept: kept, die: die}
				victim := st.wallet(t, cut)
				result, err := victim.Execute(ctx, u, wallet.ExecuteOptions{Key: "sell"})
				if died = st.dead.Load(); died && err == nil {
					require.Error(t, result.Unrecorded)
				}
				victim.Close()
				st.dead.Store(false)
				result, err = st.finish(t, st.wallet(t, memory), u)
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				require.Zero(t, st.ahead.Load(), "sent before the first was confirmed")
				require.Empty(t, st.s.Violations())
			})
		}
	}
}

// TestTwoProcessesInSteps: of two that execute a set at once, one does, and both have its result.
func TestTwoProcessesInSteps(t *testing.T) {
	st, memory := newStairs(t), wallet.NewMemoryJournal()
	u := st.build(t)
	var results [2]*wallet.Result
	var all sync.WaitGroup
	for i := range results {
		w := st.wallet(t, memory)
		all.Go(func() { results[i], _ = st.finish(t, w, u) })
	}
	all.Wait()
	require.True(t, results[0].Confirmed())
	require.Equal(t, results[0].Signatures(), results[1].Signatures())
	require.Equal(t, 2, st.sentMessages(), "each of the set, and no other")
	require.Zero(t, st.ahead.Load())
}

// deaf takes every other process for dead.
type deaf struct{ wallet.Journal }

func (deaf) Alive(context.Context, string) (bool, error) { return false, nil }

// TestOvertakenBetweenSteps: a process stalls between two steps, and another one goes on. What
// became of the rest, the first does not know.
func TestOvertakenBetweenSteps(t *testing.T) {
	st, memory := newStairs(t), wallet.NewMemoryJournal()
	u := st.build(t)
	var other *wallet.Wallet
	result, err := st.wallet(t, memory).Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell", Progress: func(int, int) {
		other = st.wallet(t, deaf{memory})
		_, err := st.finish(t, other, u)
		require.NoError(t, err)
	}})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.NotErrorIs(t, err, walletfi.ErrNotSent)
	require.Equal(t, wallet.StateUnknown, result.Steps[1].State)
	require.Empty(t, result.Remaining())
	result, err = st.finish(t, other, u)
	require.NoError(t, err)
	require.True(t, result.Confirmed())
	require.Equal(t, 2, st.sentMessages(), "each of the set, and no other")
}

// TestExpiredBetweenSteps: the blockhash ended while the first was confirmed.
func TestExpiredBetweenSteps(t *testing.T) {
	st, memory := newStairs(t), wallet.NewMemoryJournal()
	u, w := st.build(t), st.wallet(t, memory)
	height, err := st.node.BlockHeight(t.Context())
	require.NoError(t, err)
	u.LastValidBlockHeight = height + 150
	_, err = w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell", Progress: func(int, int) { st.s.Advance(time.Minute) }})
	for range 2 { // the second result is the journal's
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.ErrorContains(t, err, "transaction 2 is expired: ")
		require.ErrorContains(t, err, "under another key")
		require.NotContains(t, err.Error(), "goes on")
		_, err = w.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "sell"})
	}
	require.Equal(t, 1, st.sentMessages())
}
