package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// dies executes u on a journal, in a process that is gone after a second.
func dies(t *testing.T, journal wallet.Journal, key string, change func(*rig) walletfi.Unsigned, bundles walletfi.BundleSubmitter) *rig {
	t.Helper()
	first := newRigWith(t, func(c *wallet.Config) {
		c.Journal = journal
		c.Confirmer.(*chain).status = func(int, string) (walletfi.SignatureStatus, error) { return notFound, nil }
	})
	u := change(first)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	var err error
	if bundles != nil {
		_, err = first.wallet.ExecuteBundle(ctx, u, bundles, wallet.ExecuteOptions{Key: key})
	} else {
		_, err = first.wallet.Execute(ctx, u, wallet.ExecuteOptions{Key: key})
	}
	answersTo(t, err, walletfi.ErrOutcomeUnknown)
	require.NoError(t, first.wallet.Close())
	return first
}

// tells has the node tell something else from now on.
func (c *chain) tells(status func(asked int, signature string) (walletfi.SignatureStatus, error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = status
}

// TestSettledPaymentIsToldOnce: what Settle has told of a payment without a key is not
// told by Execute again, which pays; a caller's key stays paid.
func TestSettledPaymentIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		r.landsAt(time.Minute)
		for _, key := range []string{"", "a"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := r.wallet.Execute(ctx, r.another(t, byte(3+len(key))), wallet.ExecuteOptions{Key: key})
			cancel()
			answersTo(t, err, walletfi.ErrOutcomeUnknown)
		}
		outcomes, err := r.wallet.Settle(soon(t))
		require.NoError(t, err)
		require.Len(t, outcomes, 2)
		require.False(t, r.entry(t, "key:a").Untold)
		synctest.Wait() // a transaction may be sent again at the instant that it is seen
		r.mu.Lock()
		r.submit = nil
		r.mu.Unlock()
		before := len(r.paid())
		_, err = r.wallet.Execute(soon(t), r.another(t, 9), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Len(t, r.paid(), before+1)
		_, err = r.wallet.Execute(soon(t), r.another(t, 11), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		require.Len(t, r.paid(), before+1)
	})
}

// TestBundleThatIsLeft is sent again whole, by who has such a door, and not at all once a
// part of it is on the ledger.
func TestBundleThatIsLeft(t *testing.T) {
	for name, partly := range map[string]bool{"nothing landed": false, "a part did": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				memory := wallet.NewMemoryJournal()
				var before, sent [][]walletfi.Signed
				dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 2) }, bundle{&before, errLost})
				require.NotEmpty(t, before)
				entry, err := memory.Load(t.Context(), "key:a")
				require.NoError(t, err)
				require.True(t, entry.Bundle)
				if partly {
					entry.Steps[0].State, entry.Version = wallet.KeyConfirmed, entry.Version+1
					require.NoError(t, memory.Store(t.Context(), entry.Version-1, entry))
				}
				r := newRigWith(t, func(c *wallet.Config) { c.Journal, c.Bundles = memory, bundle{&sent, errLost} })
				r.mu.Lock()
				r.landsAt(30 * time.Second)
				r.mu.Unlock()
				outcomes, err := r.wallet.Settle(soon(t))
				require.NoError(t, err)
				require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateConfirmed}, []wallet.State{outcomes[0].Steps[0].State, outcomes[0].Steps[1].State})
				require.Equal(t, partly, len(sent) == 0)
				for _, txs := range sent {
					require.Equal(t, before[0], txs, "the same bytes, all of them")
				}
				require.Zero(t, r.submissions(), "a bundle goes through no other door")
			})
		})
	}
}

// TestSetIsFollowedOneByOne: transactions that are no bundle are each sent by themselves.
func TestSetIsFollowedOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		var before [][]walletfi.Signed
		dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 2) }, bundle{&before, errLost})
		entry, err := memory.Load(t.Context(), "key:a")
		require.NoError(t, err)
		entry.Bundle, entry.Version = false, entry.Version+1
		for i := range entry.Steps {
			entry.Steps[i].Doors = []string{"*wallet_test.chain"}
		}
		require.NoError(t, memory.Store(t.Context(), entry.Version-1, entry))
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		<-time.After(30 * time.Second)
		synctest.Wait()
		require.Equal(t, wallet.KeyConfirmed, r.entry(t, "key:a").State)
		require.Len(t, r.paid(), 2)
	})
}

// TestLease: it is renewed each third of it, told to be over when the wallet is closed,
// and no wallet begins without one.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		j := &renewals{Journal: wallet.NewMemoryJournal(), begun: begun}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = j })
		<-time.After(25 * time.Second)
		synctest.Wait()
		require.Equal(t, []time.Duration{0, 10 * time.Second, 20 * time.Second}, j.at)
		require.Equal(t, []time.Duration{30 * time.Second, 30 * time.Second, 30 * time.Second}, j.leases)
		j.err = errors.New("away")
		require.ErrorIs(t, r.wallet.Close(), j.err)
		require.Equal(t, time.Duration(0), j.leases[3])
		require.Equal(t, 25*time.Second, j.at[3])
		j.err = nil
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.ErrorContains(t, err, "the wallet is closed")
		require.Zero(t, r.submissions())

		j.err = errors.New("away")
		key, err := signing.GenerateLocalKey()
		require.NoError(t, err)
		_, err = wallet.New(wallet.Config{Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: r.chain, Confirmer: r.chain, Journal: j})
		require.ErrorIs(t, err, j.err)
		require.ErrorContains(t, err, "the journal: away")
		<-time.After(time.Minute)
		synctest.Wait()
		require.Len(t, j.at, 5, "nothing is renewed")
		j.err = nil
	})
}

// renewals is a journal that notes them.
type renewals struct {
	wallet.Journal
	begun  time.Time
	at     []time.Duration
	leases []time.Duration
	err    error
}

func (j *renewals) Renew(ctx context.Context, holder string, lease time.Duration) error {
	j.at, j.leases = append(j.at, time.Since(j.begun)), append(j.leases, lease)
	return errors.Join(j.err, j.Journal.Renew(ctx, holder, lease))
}

// TestLeftByALivingProcess: it is counted for the observer, and not touched until the
// lease has ended.
func TestLeftByALivingProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		dies(t, memory, "a", func(r *rig) walletfi.Unsigned { return r.pay(t, 1) }, nil)
		e, err := memory.Load(t.Context(), "key:a")
		require.NoError(t, err)
		e.Holder, e.Version = "another", e.Version+1
		require.NoError(t, memory.Store(t.Context(), e.Version-1, e))
		require.NoError(t, memory.Renew(t.Context(), "another", time.Minute))
		told, n := recorded.New(t), 0
		j := &hooked{Journal: memory, alive: func(string) error {
			if n++; n == 1 {
				return errors.New("no answer") // it is not known, so that it is not touched
			}
			return nil
		}}
		r := newRigWith(t, func(c *wallet.Config) { c.Journal, c.Observer = j, told })
		<-time.After(25 * time.Second)
		synctest.Wait()
		require.Zero(t, r.submissions())
		require.Equal(t, e.Version, r.entry(t, "key:a").Version)
		counts := recorded.Events[observe.Unsettled](told)
		require.Len(t, counts, 3)
		for _, c := range counts {
			require.Equal(t, 1, c.Keys)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		require.Equal(t, wallet.KeyConfirmed, r.entry(t, "key:a").State)
		counts = recorded.Events[observe.Unsettled](told)
		require.Zero(t, counts[len(counts)-1].Keys)
	})
}
