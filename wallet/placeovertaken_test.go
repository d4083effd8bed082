package wallet_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// overtaken is an order of which the same key is placed elsewhere while it is built. What
// it builds says another fee than what was paid.
func overtaken(r *rig, b *builder, after func(first *wallet.Placed, err error)) walletfi.Order {
	return wallet.OrderFunc(func(ctx context.Context) (walletfi.Unsigned, error) {
		after(r.wallet.Place(ctx, b, wallet.PlaceOptions{Key: "a"}))
		u, err := b.Build(ctx)
		u.Intent.MaxNetworkFeeLamports = new(walletfi.Amount(50_000))
		return u, err
	})
}

// TestPlaceThatWasOvertakenByAFailure: the payment elsewhere was executed in part. That
// is this one's error too, and nothing is sent for what was built meanwhile.
func TestPlaceThatWasOvertakenByAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var second string
		r.tells(func(_ int, signature string) (walletfi.SignatureStatus, error) {
			i := slices.IndexFunc(r.sent, func(tx walletfi.Signed) bool { return tx.Signature == signature })
			switch {
			case i < 0:
				return notFound, nil
			case i == 0:
				return found, nil
			}
			second = signature
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized, Slot: 7, Err: "no funds"}, nil
		})
		var first *wallet.Placed
		order := overtaken(r, &builder{r: r, t: t, sets: 2}, func(placed *wallet.Placed, err error) {
			first = placed
			requireStage(t, err, wallet.StageConfirm, wallet.ErrFailed)
		})
		placed, err := r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrFailed)
		stopped, ok := errors.AsType[*wallet.StepError](err)
		require.True(t, ok)
		require.Equal(t, second, stopped.Signature)
		require.Equal(t, first.Result.Signatures(), placed.Result.Signatures())
		require.Equal(t, first.Intent, placed.Intent)
		require.Len(t, distinct(r.sent), 2)
	})
}

// TestPlaceThatWasOvertakenUnseen: the journal tells of the payment elsewhere, and then
// nothing more. What was paid is told, with the wish that was built.
func TestPlaceThatWasOvertakenUnseen(t *testing.T) {
	// place fails the load of that number after the order was built; 0 fails none.
	place := func(t *testing.T, fails int) (loads int, r *rig, first, placed *wallet.Placed, err error) {
		j := &hooked{Journal: wallet.NewMemoryJournal()}
		r = newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		order := overtaken(r, &builder{r: r, t: t}, func(one *wallet.Placed, err error) {
			require.NoError(t, err)
			first = one
			j.load = func(string) error {
				if loads++; loads == fails {
					return errors.New("away")
				}
				return nil
			}
		})
		placed, err = r.wallet.Place(soon(t), order, wallet.PlaceOptions{Key: "a"})
		return loads, r, first, placed, err
	}
	synctest.Test(t, func(t *testing.T) {
		last, _, first, placed, err := place(t, 0)
		require.NoError(t, err)
		require.Positive(t, last)
		require.Equal(t, first.Intent, placed.Intent)

		_, r, first, placed, err := place(t, last)
		require.NoError(t, err)
		require.Equal(t, first.Result.Signatures(), placed.Result.Signatures())
		require.Equal(t, first.Intent.Owner, placed.Intent.Owner)
		require.Equal(t, new(walletfi.Amount(50_000)), placed.Intent.MaxNetworkFeeLamports)
		require.Len(t, distinct(r.sent), 1)
	})
}
