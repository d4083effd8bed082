package wallet_test

import (
	"context"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// hooked is a journal whose calls a test sees, and may fail, first.
type hooked struct {
	wallet.Journal
	load  func(key string) error
	store func(was uint64, e wallet.Entry) error
	alive func(holder string) error
	list  func(wallet.Query) error
}

func (j *hooked) Load(ctx context.Context, key string) (wallet.Entry, error) {
	if j.load != nil {
		if err := j.load(key); err != nil {
			return wallet.Entry{}, err
		}
	}
	return j.Journal.Load(ctx, key)
}

func (j *hooked) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	if j.store != nil && e.Key != "ledger" {
		if err := j.store(was, e); err != nil {
			return err
		}
	}
	return j.Journal.Store(ctx, was, e)
}

func (j *hooked) Alive(ctx context.Context, holder string) (bool, error) {
	if j.alive != nil {
		if err := j.alive(holder); err != nil {
			return false, err
		}
	}
	return j.Journal.Alive(ctx, holder)
}

func (j *hooked) List(ctx context.Context, q wallet.Query) iter.Seq2[wallet.Entry, error] {
	if j.list != nil {
		if err := j.list(q); err != nil {
			return func(yield func(wallet.Entry, error) bool) { yield(wallet.Entry{}, err) }
		}
	}
	return j.Journal.List(ctx, q)
}

// leftInDoubt is a journal in which an earlier process left a key in doubt, and the
// signature of its payment.
func leftInDoubt(t *testing.T) (wallet.Journal, string) {
	t.Helper()
	first := newRigWith(t, unproven)
	first.submit = func(int, walletfi.Signed) error { return errLost }
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	result, err := first.wallet.Execute(ctx, stated(first.pay(t, 1)), wallet.ExecuteOptions{Key: "a"})
	answersTo(t, err, walletfi.ErrOutcomeUnknown)
	require.NoError(t, first.wallet.Close())
	return first.journal, result.Steps[0].Signature
}

// TestVersionsOfAKey: each write is one version further, and a key that the journal
// has dropped does not begin where it began.
func TestVersionsOfAKey(t *testing.T) {
	j := &hooked{Journal: wallet.NewMemoryJournal()}
	firsts := map[uint64]bool{}
	writes := 0
	j.store = func(was uint64, e wallet.Entry) error {
		if e.Ledger != nil {
			return nil
		}
		if writes++; was > 0 {
			require.Equal(t, was+1, e.Version)
			return nil
		}
		require.Positive(t, e.Version)
		require.LessOrEqual(t, e.Version, uint64(1<<62))
		firsts[e.Version] = true
		return nil
	}
	r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
	r.submit = func(n int, _ walletfi.Signed) error { return walletfi.ErrNotSent }
	for _, key := range []string{"a", "a", "b", "b"} {
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: key})
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.NotErrorIs(t, err, wallet.ErrFenced)
	}
	require.Greater(t, writes, 10)
	require.Len(t, firsts, 2)
	require.NotContains(t, firsts, uint64(1))
}

// TestKeyInAJournalOfAnother: a key of another owner, at its first version, and one that a
// newer version of this package wrote are not touched.
func TestKeyInAJournalOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		theirs := wallet.Entry{Schema: 1, Key: "key:theirs", Version: 1, State: wallet.KeyConfirmed, Asked: walletfi.Intent{Owner: "another", Service: "test"}}
		newer := wallet.Entry{
			Schema: wallet.Schema + 1, Key: "key:newer", Version: 1, State: wallet.KeyInDoubt, Asked: r.pay(t, 1).Intent,
			Steps: []wallet.EntryStep{{State: wallet.KeyInDoubt, Own: "s", Signature: "s"}},
		}
		require.NoError(t, memory.Store(t.Context(), 0, theirs))
		require.NoError(t, memory.Store(t.Context(), 0, newer))
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "theirs"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorContains(t, err, "in use for owner another")
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "newer"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, wallet.ErrNewerJournal)
		require.ErrorContains(t, err, `key "key:newer" has schema 3, this one knows 2`)
		<-time.After(time.Minute)
		outcomes, err := r.wallet.Settle(soon(t))
		require.NoError(t, err)
		require.Empty(t, outcomes)
		require.Zero(t, r.asked)
		for _, want := range []wallet.Entry{theirs, newer} {
			require.Equal(t, want.Version, r.entry(t, want.Key).Version)
		}
	})
}

// TestDerivedKeyTellsOnce: a payment without a key that turned out to have been made is
// told to the next Execute, which does not pay. The one after that does.
func TestDerivedKeyTellsOnce(t *testing.T) {
	for _, background := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) {
				if unproven(c); !background {
					c.Journal = nil
				}
			})
			r.submit = func(int, walletfi.Signed) error { return errLost }
			r.landsAt(10 * time.Minute)
			first, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			answersTo(t, err, walletfi.ErrOutcomeUnknown)
			r.mu.Lock()
			r.submit = nil
			r.mu.Unlock()
			<-time.After(20 * time.Minute)
			told, err := r.wallet.Execute(soon(t), r.another(t, 9), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.Equal(t, first.Signatures(), told.Signatures())
			before := len(r.paid())
			paid, err := r.wallet.Execute(soon(t), r.another(t, 9), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.NotEqual(t, first.Signatures(), paid.Signatures(), "background: %v", background)
			require.Len(t, r.paid(), before+1)
		})
	}
}

// TestPartlyPaidSetWithoutAKey: its first transaction was told of. When nothing of it is in
// doubt any more, the same wish is a new payment.
func TestPartlyPaidSetWithoutAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { unproven(c); c.Journal = nil })
		second := found
		second.Err, second.Commitment = "Custom", walletfi.CommitmentFinalized
		var paid string
		answer := notFound
		r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
			if len(r.sent) > 0 && signature == r.sent[0].Signature {
				paid = signature
				return found, nil
			}
			return answer, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, paid, result.Steps[0].Signature)
		r.tells(func(_ int, signature string) (walletfi.SignatureStatus, error) {
			if signature == result.Steps[1].Signature {
				return second, nil
			}
			return found, nil
		})
		anew := r.pay(t, 2)
		anew.Transactions = []walletfi.EncodedTransaction{r.transfer(t, 1, 71), r.transfer(t, 1, 72)}
		again, err := r.wallet.Execute(soon(t), anew, wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.NotContains(t, again.Signatures(), paid)
		require.Len(t, r.paid(), 4)
	})
}
