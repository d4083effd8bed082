package wallet_test

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// scriptedJournal fails as a test says.
type scriptedJournal struct {
	*wallet.MemoryJournal
	load, store, list error
}

func (j *scriptedJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if j.load != nil {
		return wallet.Entry{}, j.load
	}
	return j.MemoryJournal.Load(ctx, key)
}

func (j *scriptedJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.store != nil {
		return j.store
	}
	return j.MemoryJournal.Store(ctx, was, e)
}

func (j *scriptedJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if j.list != nil {
		return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, j.list) }
	}
	return j.MemoryJournal.List(ctx, q)
}

// TestClaimThatTheJournalRefuses: without the journal's word nothing is signed. A key
// that another process took in the same moment is in use, not free.
func TestClaimThatTheJournalRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := errors.New("journal away")
		j := &scriptedJournal{MemoryJournal: wallet.NewMemoryJournal()}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		j.load = away
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "nothing was signed, because the journal does not answer")

		j.load, j.store = nil, away
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "nothing was signed, because the journal did not take it")

		j.store = wallet.ErrFenced
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		var open *wallet.UnsettledError
		require.ErrorAs(t, err, &open)
		require.True(t, open.Running)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Empty(t, r.sent)

		j.store = nil
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		require.NoError(t, err, "the failures left nothing in the way")

		j.list = away
		_, err = r.wallet.Unsettled(t.Context())
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "the journal: ")
	})
}

// TestOneSetOfOptions: two would contradict one another.
func TestOneSetOfOptions(t *testing.T) {
	r := newRig(t)
	_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{}, wallet.ExecuteOptions{})
	answersTo(t, err, walletfi.ErrNotSent)
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "options", invalid.Field)
	require.ErrorContains(t, err, "are 2, at most 1 is allowed")
}

// TestProgressOfABundleThatFails: nothing is told of what did not land.
func TestProgressOfABundleThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var sent [][]walletfi.Signed
		_, err := r.wallet.ExecuteBundle(soon(t), r.pay(t, 2), bundle{&sent, walletfi.ErrNotSent}, wallet.ExecuteOptions{
			Progress: func(confirmed, total int) { t.Errorf("told of %d of %d", confirmed, total) },
		})
		answersTo(t, err, walletfi.ErrNotSent)
		require.NotEmpty(t, sent)
	})
}
