package wallet_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// scriptedJournal fails as a test says, also for the wallet's own keeper.
type scriptedJournal struct {
	*wallet.MemoryJournal
	mu                sync.Mutex
	load, store, list error
}

// fails sets what the journal answers from now on.
func (j *scriptedJournal) fails(load, store, list error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.load, j.store, j.list = load, store, list
}

func (j *scriptedJournal) failures() (load, store, list error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.load, j.store, j.list
}

func (j *scriptedJournal) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if load, _, _ := j.failures(); load != nil {
		return wallet.Entry{}, load
	}
	return j.MemoryJournal.Load(ctx, key)
}

func (j *scriptedJournal) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if _, store, _ := j.failures(); store != nil {
		return store
	}
	return j.MemoryJournal.Store(ctx, was, e)
}

func (j *scriptedJournal) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if _, _, list := j.failures(); list != nil {
		return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, list) }
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
		j.fails(away, nil, nil)
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "nothing was signed, because the journal does not answer")

		j.fails(nil, away, nil)
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, away)
		require.ErrorContains(t, err, "nothing was signed, because the journal did not take it")

		j.fails(nil, wallet.ErrFenced, nil)
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		var open *wallet.UnsettledError
		require.ErrorAs(t, err, &open)
		require.True(t, open.Running)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Empty(t, r.sent)

		j.fails(nil, nil, nil)
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "order 7"})
		require.NoError(t, err, "the failures left nothing in the way")

		j.fails(nil, nil, away)
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
