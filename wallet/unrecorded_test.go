package wallet_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet"
)

// failing is a rig whose journal does what a test says when a payment is stored.
func failing(t *testing.T, store func(r *rig, e wallet.Entry) error) *rig {
	t.Helper()
	var r *rig
	j := &hooked{Journal: wallet.NewMemoryJournal()}
	r = newRigWith(t, func(c *wallet.Config) { c.Journal = j })
	j.store = func(_ uint64, e wallet.Entry) error {
		if e.Ledger != nil {
			return nil
		}
		return store(r, e)
	}
	return r
}

func stepStates(e wallet.Entry) (all []wallet.KeyState) {
	for _, s := range e.Steps {
		all = append(all, s.State)
	}
	return all
}

// TestVerdictIsStoredLater: a journal that does not take a verdict gets it with the next
// write, at the latest when the execution ends. Only then nothing is unrecorded.
func TestVerdictIsStoredLater(t *testing.T) {
	away := errors.New("away")
	for lost := range 3 { // the n-th transaction's verdict
		synctest.Test(t, func(t *testing.T) {
			failed := 0
			r := failing(t, func(_ *rig, e wallet.Entry) error {
				if len(e.Steps) == 3 && e.Steps[lost].State == wallet.KeyConfirmed && failed == 0 {
					failed++
					return away
				}
				return nil
			})
			result, err := r.wallet.Execute(soon(t), r.pay(t, 3), wallet.ExecuteOptions{Key: "a"})
			require.NoError(t, err)
			require.Equal(t, 1, failed)
			require.NoError(t, result.Unrecorded)
			require.Equal(t, []wallet.KeyState{wallet.KeyConfirmed, wallet.KeyConfirmed, wallet.KeyConfirmed}, stepStates(r.entry(t, "key:a")))
			whole, _, settled := outcome(t, r.wallet, "a")
			require.Equal(t, wallet.StateConfirmed, whole)
			require.True(t, settled)
		})
	}
}

// TestVerdictThatIsLost: no later write was taken either, and the result says so.
func TestVerdictThatIsLost(t *testing.T) {
	away := errors.New("away")
	for name, write := range map[string]func(r *rig, e wallet.Entry) error{
		"the journal is away": func(*rig, wallet.Entry) error { return away },
		"the write is taken, its answer is lost": func(r *rig, e wallet.Entry) error {
			_ = r.journal.(*hooked).Journal.Store(t.Context(), e.Version-1, e)
			return away
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				verdicts := 0
				r := failing(t, func(r *rig, e wallet.Entry) error {
					if len(e.Steps) == 2 && e.Steps[0].State == wallet.KeyConfirmed {
						verdicts++
						return write(r, e)
					}
					return nil
				})
				result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{Key: "a"})
				require.Error(t, err)
				require.Equal(t, wallet.StateConfirmed, result.Steps[0].State)
				require.NotEqual(t, wallet.StateConfirmed, result.Steps[1].State)
				require.ErrorIs(t, result.Unrecorded, away)
				require.Greater(t, verdicts, 1, "it was tried again")
				require.Equal(t, 1, r.submissions())
			})
		})
	}
}

// TestStopBeforeTheSecond: a journal that fails before the second transaction of three is
// sent gets the whole set's end: nothing of it stays open.
func TestStopBeforeTheSecond(t *testing.T) {
	for _, taken := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			away, failed := errors.New("away"), 0
			r := failing(t, func(r *rig, e wallet.Entry) error {
				if len(e.Steps) == 3 && e.Steps[1].State == wallet.KeySent && failed == 0 {
					if failed++; taken {
						require.NoError(t, r.journal.(*hooked).Journal.Store(t.Context(), e.Version-1, e))
					}
					return away
				}
				return nil
			})
			result, err := r.wallet.Execute(soon(t), r.pay(t, 3), wallet.ExecuteOptions{Key: "a"})
			require.ErrorIs(t, err, away)
			require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateNotSent, wallet.StateNotSent}, states(result))
			require.Equal(t, []wallet.KeyState{wallet.KeyConfirmed, wallet.KeyReleased, wallet.KeyReleased}, stepStates(r.entry(t, "key:a")))
			_, _, settled := outcome(t, r.wallet, "a")
			require.True(t, settled)
		})
	}
}
