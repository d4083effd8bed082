package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestPlaceThatTheJournalDoesNotAnswer builds nothing, or says that it does not know.
func TestPlaceThatTheJournalDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("away")
		memory, signature := leftInDoubt(t)
		loads := 0
		j := &hooked{Journal: unlisted{memory}}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		j.load = func(string) error { return away }
		order := &builder{r: r, t: t}
		placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageSettle, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "nothing was built, because the journal does not answer")
		require.Nil(t, placed.Unsigned)
		_, err = r.wallet.Outcome(t.Context(), "a")
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "the journal: away")

		// The second time: after what was in doubt has come to its end.
		j.load = func(string) error {
			if loads++; loads > 1 {
				return away
			}
			return nil
		}
		r.tells(func(int, string) (walletfi.SignatureStatus, error) { return found, nil })
		_, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageSettle, walletfi.ErrOutcomeUnknown)
		open, ok := errors.AsType[*wallet.UnsettledError](err)
		require.True(t, ok)
		require.False(t, open.Running)
		require.Equal(t, signature, open.Signature)
		require.ErrorIs(t, open.Cause, away)

		j.load = nil
		placed, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.Equal(t, []string{signature}, placed.Result.Signatures())
		require.Zero(t, order.built)
	})
}

// TestPlaceWhileAnotherIsAlive: it works on the key, and nothing is built.
func TestPlaceWhileAnotherIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, signature := leftInDoubt(t)
		e, err := memory.Load(t.Context(), "key:a")
		require.NoError(t, err)
		e.Holder, e.Version = "another", e.Version+1
		require.NoError(t, memory.Store(t.Context(), e.Version-1, e))
		require.NoError(t, memory.Renew(t.Context(), "another", time.Hour))
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		order := &builder{r: r, t: t}
		_, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageSettle, walletfi.ErrOutcomeUnknown)
		open, ok := errors.AsType[*wallet.UnsettledError](err)
		require.True(t, ok)
		require.True(t, open.Running)
		require.Equal(t, []string{signature}, open.Signatures)
		require.Zero(t, order.built)
	})
}

// TestPlaceGivesUpWaiting: the caller's context ends while what was left is followed.
func TestPlaceGivesUpWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, signature := leftInDoubt(t)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = unlisted{memory}
			c.Confirmer.(*chain).landsLate(time.Hour)
		})
		order := &builder{r: r, t: t}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		begun := time.Now()
		_, err := r.wallet.Place(ctx, order, wallet.PlaceOptions{Key: "a", Attempts: 3})
		require.Equal(t, 5*time.Second, time.Since(begun))
		requireStage(t, err, wallet.StageSettle, walletfi.ErrOutcomeUnknown)
		open, ok := errors.AsType[*wallet.UnsettledError](err)
		require.True(t, ok)
		require.False(t, open.Running)
		require.ErrorIs(t, open.Cause, context.DeadlineExceeded)
		require.Equal(t, signature, open.Signature)
		require.Zero(t, order.built)
		require.Empty(t, r.entry(t, "key:a").Holder, "it was let go of")
		order.err = errors.New("down")
		_, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "b"})
		requireStage(t, err, wallet.StageBuild, walletfi.ErrNotSent)
		require.ErrorIs(t, err, order.err)
	})
}

// TestPlaceThatGivesUpLetsGo: it returns once the key is let go of, however slow the
// journal is, so that the next Place does not find it in use.
func TestPlaceThatGivesUpLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, _ := leftInDoubt(t)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		slow := 0
		j := &hooked{Journal: unlisted{memory}, store: func(uint64, wallet.Entry) error {
			if ctx.Err() != nil {
				slow++
				pause.For(t.Context(), time.Second)
			}
			return nil
		}}
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = j
			c.Confirmer.(*chain).landsLate(time.Hour)
		})
		begun := time.Now()
		_, err := r.wallet.Place(ctx, &builder{r: r, t: t}, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageSettle, walletfi.ErrOutcomeUnknown)
		require.Positive(t, slow)
		require.Equal(t, time.Duration(5+slow)*time.Second, time.Since(begun))
		require.Empty(t, r.entry(t, "key:a").Holder)
	})
}

// TestPlaceAfterAFailure: one that turns out to have failed is the error, and one that
// was told before is built again.
func TestPlaceAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, _ := leftInDoubt(t)
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = unlisted{memory}
			c.Confirmer.(*chain).status = func(int, string) (walletfi.SignatureStatus, error) {
				s := found
				s.Err, s.Commitment = "Custom", walletfi.CommitmentFinalized
				return s, nil
			}
		})
		order := &builder{r: r, t: t}
		placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrFailed)
		require.Equal(t, r.owner.String(), placed.Intent.Owner)
		require.True(t, placed.Result.Steps[0].Status.Found)
		require.Equal(t, []int{0}, placed.Result.Remaining())
		require.False(t, placed.Result.Confirmed())
		require.Zero(t, order.built)
		r.tells(nil)
		placed, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		require.NoError(t, err)
		require.NotNil(t, placed.Unsigned)
		require.Equal(t, 1, order.built)
	})
}

// TestPlaceThatWasOvertaken: while the service builds, the same key is paid elsewhere.
// The result is that payment's, the order's end included.
func TestPlaceThatWasOvertaken(t *testing.T) {
	for _, later := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			var first *wallet.Placed
			b := &builder{r: r, t: t}
			v := &venue{builder: b, process: &process{}, door: r.chain, end: whole}
			slow := wallet.OrderFunc(func(ctx context.Context) (u walletfi.Unsigned, err error) {
				var order walletfi.Order = b
				if later {
					order = v
				}
				first, err = r.wallet.Place(ctx, order, wallet.PlaceOptions{Key: "a"})
				require.NoError(t, err)
				u, err = b.Build(ctx)
				u.Intent.MaxNetworkFeeLamports = new(walletfi.Amount(50_000))
				return u, err
			})
			placed, err := r.wallet.Place(soon(t), slow, wallet.PlaceOptions{Key: "a"})
			require.NoError(t, err)
			require.Equal(t, first.Result.Signatures(), placed.Result.Signatures())
			require.Equal(t, first.Intent, placed.Intent, "what was paid, not what was built then")
			require.Equal(t, later, placed.FilledLater)
			require.Equal(t, first.End, placed.End)
			require.Len(t, r.paid(), 1)
		})
	}
}

// TestPlaceIsNotBuiltAnewForNobody: the set has expired and the caller's context too.
func TestPlaceIsNotBuiltAnewForNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.status = func(int, string) (walletfi.SignatureStatus, error) { return notFound, nil }
		b := &builder{r: r, t: t}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a", Attempts: 9, Progress: func(p wallet.PlaceProgress) {
			if p.Stage == wallet.StageBuild && p.Attempt == 2 {
				cancel()
			}
		}})
		requireStage(t, err, wallet.StageGuard, walletfi.ErrNotSent)
		require.Equal(t, 2, b.built)

		// The journal's word that it has expired comes with the end of the context.
		ctx, cancel = context.WithCancel(t.Context())
		last := &hooked{Journal: wallet.NewMemoryJournal()}
		last.store = func(_ uint64, e wallet.Entry) error {
			if e.State == wallet.KeyExpired {
				cancel()
			}
			return nil
		}
		r = newRigWith(t, func(c *wallet.Config) { c.Journal = last })
		r.tells(func(int, string) (walletfi.SignatureStatus, error) { return notFound, nil })
		b = &builder{r: r, t: t}
		placed, err := r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a", Attempts: 9})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrExpired)
		require.Equal(t, 1, b.built)
		require.Equal(t, 1, placed.Attempts)
	})
}
