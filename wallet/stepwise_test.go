package wallet_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestStepsSurviveACrashAnywhere: a process dies at each step of a set that is signed step by
// step, and the next one goes on with the same key. One set is executed, each of its
// transactions once and in order, and none is signed ahead of one before it.
func TestStepsSurviveACrashAnywhere(t *testing.T) {
	for _, c := range []struct {
		sponsored bool
		nonce     int
		place     bool
	}{
		{}, {place: true}, {sponsored: true}, {sponsored: true, place: true}, {nonce: 2}, {nonce: 2, place: true},
	} {
		steps, wentOn := int64(0), 0
		for at := int64(1); steps == 0 || at <= steps; at++ {
			synctest.Test(t, func(t *testing.T) {
				st, journal := newSteps(t, 3), wallet.NewMemoryJournal()
				if st.nonce = c.nonce; c.sponsored {
					st.sponsor = newKey(t)
				}
				ctx, first, p := st.mortal(journal, at)
				result, err := st.goOn(ctx, first, p, c.place)
				between := 0 < len(st.executed) && len(st.executed) < 3
				if !p.dead.Load() {
					require.NoError(t, err)
					steps = p.steps.Load()
				}
				ctx, second, alive := st.mortal(journal, 0)
				for tries := 0; p.dead.Load(); tries++ {
					require.Less(t, tries, 40, "at %d: %v", at, err)
					if result, err = st.goOn(ctx, second, alive, c.place); err == nil {
						break
					}
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "at %d, until the lease has ended", at)
					pause.For(t.Context(), time.Second)
				}
				require.True(t, result.Confirmed())
				require.Len(t, result.Steps, 3)
				require.Condition(t, func() bool {
					return slices.ContainsFunc(st.built, func(set []string) bool { return slices.Equal(set, st.executed) })
				}, "at %d: one set, in order, once", at)
				if between {
					wentOn++
					require.Equal(t, st.built[0], st.executed, "at %d: the set that was begun goes on", at)
				}
				require.Nil(t, st.stored[len(st.stored)-1].Set, "nothing is left of it to be signed")
			})
			require.Less(t, at, int64(300), "it comes to an end")
		}
		require.Greater(t, steps, int64(20), "%+v", c)
		require.Greater(t, wentOn, 8, "%+v", c)
	}
}

// TestStepsPastTheirBlockhash: what is left of a set whose blockhash has ended is expired,
// and never built again under its key. A durable nonce has no end.
func TestStepsPastTheirBlockhash(t *testing.T) {
	for nonce, want := range map[int][]wallet.State{
		0: {wallet.StateConfirmed, wallet.StateExpired, wallet.StateNotSigned},
		2: {wallet.StateConfirmed, wallet.StateConfirmed},
	} {
		synctest.Test(t, func(t *testing.T) {
			st, journal := newSteps(t, len(want)), wallet.NewMemoryJournal()
			st.nonce = nonce
			st.stopAfter(1)
			ctx, first, p := st.mortal(journal, 0)
			result, err := st.goOn(ctx, first, p, true)
			requireStage(t, err, wallet.StageGuard, wallet.ErrStopped)
			require.ErrorContains(t, err, "Place or Execute with the same key goes on; or build anew")
			require.Equal(t, wallet.StateNotSigned, result.Steps[1].State)
			require.Len(t, st.stored[len(st.stored)-1].Set.Transactions, len(want))

			st.takes, st.names = 0, st.execute
			pause.For(t.Context(), 2*lifetime*slotTime)
			ctx, second, alive := st.mortal(journal, 0)
			for range 2 {
				result, err = st.goOn(ctx, second, alive, true)
				require.Equal(t, want, states(result))
				if nonce > 0 {
					require.NoError(t, err)
					continue
				}
				requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
				require.ErrorContains(t, err, "build")
				require.ErrorContains(t, err, "under another key")
				require.Equal(t, []int{1, 2}, result.Remaining())
				require.Len(t, st.signed, 1)
			}
			require.Len(t, st.built, 1)
			require.Nil(t, st.stored[len(st.stored)-1].Set)
		})
	}
}

// TestStepAtTheHeightAtWhichItEnds: from its last block height on, what is left can land no more.
func TestStepAtTheHeightAtWhichItEnds(t *testing.T) {
	for before, want := range map[uint64]wallet.State{0: wallet.StateExpired, 1: wallet.StateConfirmed} {
		synctest.Test(t, func(t *testing.T) {
			st, journal := newSteps(t, 2), wallet.NewMemoryJournal()
			st.stopAfter(1)
			ctx, first, p := st.mortal(journal, 0)
			_, err := st.goOn(ctx, first, p, true)
			requireStage(t, err, wallet.StageGuard, wallet.ErrStopped)
			st.takes, st.names = 0, st.execute
			last := st.sets[0].LastValidBlockHeight - before
			pause.For(t.Context(), time.Duration(last-st.tip().Height)*slotTime)
			require.Equal(t, last, st.tip().Height)
			ctx, second, alive := st.mortal(journal, 0)
			result, err := st.goOn(ctx, second, alive, true)
			require.Equal(t, []wallet.State{wallet.StateConfirmed, want}, states(result), "%v", err)
		})
	}
}

// TestStepsOfAnOlderProgram: what it left has no transactions. Those that the caller still
// has go on, and no others.
func TestStepsOfAnOlderProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, journal := newSteps(t, 3), wallet.NewMemoryJournal()
		st.stopAfter(2)
		ctx, w, c := st.mortal(journal, 0)
		_, err := st.goOn(ctx, w, c, true)
		requireStage(t, err, wallet.StageGuard, wallet.ErrStopped)
		e := st.stored[len(st.stored)-1]
		was := e.Version
		e.Set, e.Version = nil, was+1
		require.NoError(t, journal.Store(t.Context(), was, e))
		st.takes, st.names = 0, st.execute
		for _, place := range []bool{true, false} {
			result, err := st.goOn(ctx, w, c, place) // Execute has a set of other bytes
			require.ErrorIs(t, err, wallet.ErrStopped)
			require.ErrorContains(t, err, "Execute with the same key and the same transactions goes on; or build anew")
			require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateConfirmed, wallet.StateNotSigned}, states(result))
		}
		require.Len(t, st.signed, 2)
		result, err := w.Execute(ctx, st.sets[0], wallet.ExecuteOptions{Key: "sell"})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.Equal(t, st.built[0], st.executed)
	})
}

// TestStepsGoOnWithinWhatWasAsked: what is left is judged by the intent of the first step,
// whatever the call says that goes on.
func TestStepsGoOnWithinWhatWasAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, journal := newSteps(t, 2), wallet.NewMemoryJournal()
		st.stopAfter(1)
		ctx, w, c := st.mortal(journal, 0)
		_, err := st.goOn(ctx, w, c, false)
		require.ErrorIs(t, err, wallet.ErrStopped)
		wide := st.sets[0]
		wide.Intent.Spend = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: ownerHas}}
		_, err = w.Execute(ctx, wide, wallet.ExecuteOptions{Key: "sell"})
		var refusal *signing.GuardError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, signing.RuleSimulationSpend, refusal.Rule)
		require.Len(t, st.signed, 1)
	})
}

// TestStepsGoOnWithinTheCaps: what a wallet without a policy has begun, one with a policy goes on with only as far
// as its caps allow, and what the key has paid by then counts.
func TestStepsGoOnWithinTheCaps(t *testing.T) {
	for policy, signed := range map[walletfi.FeePolicy]int{
		{Percentile: 1, MaxPerTransaction: stepFee - 1}:                       1,
		{Percentile: 1, MaxPerTransaction: stepFee}:                           3,
		{Percentile: 1, MaxPerTransaction: stepFee, MaxPerKey: 3*stepFee - 1}: 1,
		{Percentile: 1, MaxPerTransaction: stepFee, MaxPerKey: 3 * stepFee}:   3,
	} {
		for _, place := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				st, journal := newSteps(t, 3), wallet.NewMemoryJournal()
				st.stopAfter(1)
				ctx, w, c := st.mortal(journal, 0)
				_, err := st.goOn(ctx, w, c, place)
				require.ErrorIs(t, err, wallet.ErrStopped)
				st.takes, st.names, st.fees = 0, st.execute, policy
				ctx, w, c = st.mortal(journal, 0)
				for range 2 {
					_, err = st.goOn(ctx, w, c, place)
					require.Equal(t, signed, len(st.signed), "%+v", policy)
					if signed == 3 {
						require.NoError(t, err)
						continue
					}
					require.ErrorIs(t, err, wallet.ErrStopped)
					require.ErrorIs(t, err, walletfi.ErrMismatch)
				}
			})
		}
	}
}

// TestStepWaitsForItsNode: a node that does not show the last execution yet is waited for, a
// second at a time, up to 20 times.
func TestStepWaitsForItsNode(t *testing.T) {
	for behind, goesOn := range map[int]bool{1: true, 20: true, 21: false} {
		synctest.Test(t, func(t *testing.T) {
			st, journal := newSteps(t, 2), wallet.NewMemoryJournal()
			st.behind = behind
			ctx, w, c := st.mortal(journal, 0)
			begun := time.Now()
			result, err := st.goOn(ctx, w, c, true)
			require.Zero(t, st.behind)
			require.GreaterOrEqual(t, time.Since(begun), time.Duration(min(behind, 20))*time.Second)
			if !goesOn {
				requireStage(t, err, wallet.StageGuard, wallet.ErrStopped)
				require.ErrorIs(t, err, walletfi.ErrUnavailable)
				require.Len(t, st.signed, 1)
				result, err = st.goOn(ctx, w, c, true)
			}
			require.NoError(t, err)
			require.True(t, result.Confirmed())
		})
	}
}
