package sqlstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestPrune: what is settled and old is gone with its signatures, over more pages than
// one. What is open, new, or still to be filled stays.
func TestPrune(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		j := s.Journal()
		now := time.Now().Truncate(time.Millisecond)
		put := func(key string, age time.Duration, change func(*wallet.Entry)) {
			entry := wallet.Entry{
				Schema: wallet.Schema, Key: key, Version: 1, State: wallet.KeyConfirmed, Since: now.Add(-age),
				Steps: []wallet.EntryStep{{State: wallet.KeyConfirmed, Own: "own " + key, Signature: "sig " + key}},
			}
			if change != nil {
				change(&entry)
			}
			require.NoError(t, j.Store(t.Context(), 0, entry))
		}
		const old = 450
		for i := range old {
			put(fmt.Sprint("old ", i), time.Hour, nil)
		}
		put("new", time.Second, nil)
		put("open", time.Hour, func(e *wallet.Entry) { e.State = wallet.KeyInDoubt })
		put("unfilled", time.Hour, func(e *wallet.Entry) { e.FilledLater = true })
		put("filled", time.Hour, func(e *wallet.Entry) { e.FilledLater, e.End = true, &walletfi.OrderEnd{Filled: true} })
		require.Equal(t, 2*(old+4), rows(t, s, "walletfi_signatures"))
		require.NoError(t, j.Prune(t.Context(), now.Add(-time.Minute)))
		require.Equal(t, 3, rows(t, s, "walletfi_entries"))
		require.Equal(t, 6, rows(t, s, "walletfi_signatures"))
		for _, key := range []string{"new", "open", "unfilled"} {
			got, err := j.Load(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, uint64(1), got.Version, key)
		}
		put("old 1", 0, nil) // the key is free again

		_, err := s.DB().ExecContext(t.Context(), "UPDATE walletfi_entries SET entry = '{}' WHERE key = 'new'")
		require.NoError(t, err)
		put("old 2", 0, nil)
		require.ErrorIs(t, j.Prune(t.Context(), now.Add(time.Second)), sqlstore.ErrDamaged)
		got, err := j.Load(t.Context(), "old 2")
		require.NoError(t, err)
		require.Zero(t, got.Version, "it went on after the damaged one")
	})
}
