package wallet_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// counted adds up what an entry counts, open and landed.
func counted(s *wallet.Spend) (open, landed walletfi.Amount) {
	for _, d := range s.Open {
		for _, t := range d.Takes {
			open += t.Amount
		}
	}
	for _, l := range s.Landed[walletfi.NativeMint] {
		landed += l.Amount
	}
	return open, landed
}

// holdSpend holds what counts against what has left on the ledger, and the limit.
func (st *stairs) holdSpend(s *wallet.Spend) {
	open, landed := counted(s)
	require.GreaterOrEqual(st.t, uint64(open+landed), uint64(len(st.executed))*(st.paid()+st.took), "all that has left counts")
	require.LessOrEqual(st.t, open+landed, st.limits[0].Most)
}

// limit allows so much within an hour.
func (st *stairs) limit(lamports uint64) {
	st.limits = []wallet.SpendLimit{{Mint: walletfi.NativeMint, Within: time.Hour, Most: walletfi.Amount(lamports)}}
}

// pays makes a payment of a lamport that is not of the set.
func (st *stairs) pays(ctx context.Context, w *wallet.Wallet, n int) error {
	_, err := w.Execute(ctx, st.fresh(st.t, 200+n), wallet.ExecuteOptions{Key: fmt.Sprint("other ", n)})
	return err
}

// TestSpendHoldsRoomForASet: before the first step of a set is signed all of it counts, so that another payment
// between two steps does not stop it half paid. Afterwards counts what was taken.
func TestSpendHoldsRoomForASet(t *testing.T) {
	for _, c := range []struct {
		slack walletfi.Amount
		took  uint64
	}{{0, 0}, {500, 0}, {500, 100}} {
		synctest.Test(t, func(t *testing.T) {
			st := newSteps(t, 3)
			st.slack, st.took = c.slack, c.took
			worst := 3*(1+stepFee) + uint64(c.slack)
			st.limit(worst)
			ctx, w, p := st.mortal(wallet.NewMemoryJournal(), 0)
			u, err := p.Build(ctx)
			require.NoError(t, err)
			between := 0
			_, err = w.Execute(ctx, u, wallet.ExecuteOptions{Key: "set", Progress: func(confirmed, _ int) {
				if confirmed < 3 {
					between++
					require.ErrorIs(t, st.pays(ctx, w, confirmed), wallet.ErrSpendLimit)
				}
			}})
			require.NoError(t, err)
			require.Equal(t, 2, between)
			require.Equal(t, st.built[0], st.executed)
			require.ErrorIs(t, st.pays(ctx, w, 3), wallet.ErrSpendLimit)
		})
	}
}

// TestSpendOfASetIsReleased: what a set that stops has not taken comes back, but for what the last step that
// was executed may have taken.
func TestSpendOfASetIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st, journal := newSteps(t, 3), wallet.NewMemoryJournal()
		st.slack = 500
		st.limit(3*(1+stepFee) + 500)
		st.stopAfter(2)
		ctx, w, c := st.mortal(journal, 0)
		_, err := st.goOn(ctx, w, c, false)
		require.ErrorIs(t, err, wallet.ErrStopped)
		require.Len(t, st.executed, 2)
		e, err := journal.Load(ctx, "spend")
		require.NoError(t, err)
		open, landed := counted(e.Spend)
		require.Zero(t, open)
		require.Equal(t, walletfi.Amount(2*(1+stepFee)+500), landed)
	})
}

// TestSpendOfASetThatDoesNotFit: nothing of it is signed.
func TestSpendOfASetThatDoesNotFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newSteps(t, 3)
		st.limit(3*(1+stepFee) - 1)
		ctx, w, c := st.mortal(wallet.NewMemoryJournal(), 0)
		_, err := st.goOn(ctx, w, c, true)
		refusedBy(t, st.rig, err)
		require.NotErrorIs(t, err, wallet.ErrStopped)
		require.Empty(t, st.signed)
	})
}

// TestSpendOfStepsSurvivesACrashAnywhere: a process dies at each step of a set that is signed step by step. The next
// one goes on. What has left counts at any moment and, once all is done, nothing but that.
func TestSpendOfStepsSurvivesACrashAnywhere(t *testing.T) {
	for _, place := range []bool{false, true} {
		steps := int64(0)
		for at := int64(1); steps == 0 || at <= steps; at++ {
			synctest.Test(t, func(t *testing.T) {
				st, journal := newSteps(t, 3), wallet.NewMemoryJournal()
				const all = 3 * (1 + stepFee)
				st.limit(all + stepFee)
				ctx, first, p := st.mortal(journal, at)
				_, err := st.goOn(ctx, first, p, place)
				if !p.dead.Load() {
					require.NoError(t, err)
					steps = p.steps.Load()
				}
				ctx, second, alive := st.mortal(journal, 0)
				for tries := 0; p.dead.Load(); tries++ {
					require.Less(t, tries, 40, "at %d: %v", at, err)
					if _, err = st.goOn(ctx, second, alive, place); err == nil {
						break
					}
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "at %d, until the lease has ended", at)
					pause.For(t.Context(), time.Second)
				}
				require.True(t, slices.ContainsFunc(st.built, func(set []string) bool { return slices.Equal(set, st.executed) }))
				require.ErrorIs(t, st.pays(ctx, second, 1), wallet.ErrSpendLimit)
				e, err := journal.Load(ctx, "spend")
				require.NoError(t, err)
				open, landed := counted(e.Spend)
				require.Equal(t, []walletfi.Amount{0, all}, []walletfi.Amount{open, landed}, "at %d: %+v", at, e.Spend)
			})
			require.Less(t, at, int64(300), "it comes to an end")
		}
		require.Greater(t, steps, int64(20))
	}
}
