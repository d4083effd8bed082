package sqlstore_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/wallet"
)

// TestKeysOfAnyKind: a key comes back as it is, or is refused before anything is
// stored. No database cuts or mends one.
func TestKeysOfAnyKind(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s := e.open(t)
		j := s.Journal()
		good := []string{"'; DROP TABLE walletfi_entries; --", `"`, `\`, "?", "$1", "NOW()", "é", "e\u0301", "\U0001f4b8", "\ufeff", " ", strings.Repeat("k", 1024)}
		for i, key := range good {
			require.NoError(t, j.Store(t.Context(), 0, wallet.Entry{Key: key, Version: uint64(i) + 1, Intent: key}), "%q", key)
		}
		for i, key := range good {
			got, err := j.Load(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, key, got.Key)
			require.Equal(t, uint64(i)+1, got.Version)
		}
		for _, key := range []string{"a\x00b", "\xff", strings.Repeat("k", 4096)} {
			invalid := wiretest.As[*walletfi.ValidationError](t, j.Store(t.Context(), 0, wallet.Entry{Key: key, Version: 1}))
			require.Equal(t, "key", invalid.Field)
			_, err := j.Load(t.Context(), key)
			require.ErrorAs(t, err, &invalid)
			require.ErrorAs(t, j.Store(t.Context(), 0, wallet.Entry{Key: "k", Intent: key, Version: 1}), &invalid)
			require.Equal(t, "intent", invalid.Field)
			require.ErrorAs(t, j.Renew(t.Context(), key, time.Second), &invalid)
			require.ErrorAs(t, s.Tokens(key).Save(t.Context(), canary()), &invalid)
			_, err = s.Spend(key).Reserve(t.Context(), "id", 1, 1)
			require.ErrorAs(t, err, &invalid)
		}
		require.Equal(t, len(good), rows(t, s, "walletfi_entries"))
	})
}

// TestLargestNumbers: a version has 64 bits, a column 63 and a sign.
func TestLargestNumbers(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		j := e.open(t).Journal()
		entry := bigEntry("key")
		entry.Version = math.MaxUint64
		entry.Signing = wallet.Head{Slot: math.MaxUint64, Height: math.MaxUint64}
		entry.Asked.Spend = []walletfi.Asset{{Mint: "mint", Amount: math.MaxUint64}}
		require.NoError(t, j.Store(t.Context(), 0, entry))
		got, err := j.Load(t.Context(), "key")
		require.NoError(t, err)
		require.Equal(t, entry, got)
		next := entry
		next.Version = 1 << 63
		require.ErrorIs(t, j.Store(t.Context(), math.MaxInt64, next), wallet.ErrFenced)
		require.NoError(t, j.Store(t.Context(), math.MaxUint64, next))
		for _, since := range []time.Time{{}, time.Unix(0, 0), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)} {
			require.NoError(t, j.Store(t.Context(), 0, wallet.Entry{Key: since.String(), Version: 1, Since: since}))
		}
		var keys []string
		for e, err := range j.List(t.Context(), wallet.Query{}) {
			require.NoError(t, err)
			keys = append(keys, e.Key)
		}
		require.Len(t, keys, 4)
		require.True(t, strings.HasPrefix(keys[3], "9999"), keys)
	})
}

func TestHugeEntry(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		j := e.open(t).Journal()
		entry := bigEntry("key")
		entry.Overridden = []string{strings.Repeat("x\u2028\x00", 1<<20)}
		require.NoError(t, j.Store(t.Context(), 0, entry))
		got, err := j.Load(t.Context(), "key")
		require.NoError(t, err)
		require.Equal(t, entry, got)
	})
}

// TestCancelledWrite: a caller that gives up in the middle of a transaction leaves
// nothing of it, and nothing locked.
func TestCancelledWrite(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		s, other := e.open(t), e.open(t)
		j := s.Journal()
		require.NoError(t, j.Store(t.Context(), 0, bigEntry("key")))
		for range 5 {
			tx, err := other.DB().Begin()
			require.NoError(t, err)
			_, err = tx.Exec("UPDATE walletfi_entries SET state = state")
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			next := bigEntry("key")
			next.Version = 2
			err = j.Store(ctx, 1, next)
			cancel()
			require.Error(t, err)
			require.NotErrorIs(t, err, wallet.ErrFenced)
			require.NoError(t, tx.Rollback())
			got, err := j.Load(t.Context(), "key")
			require.NoError(t, err)
			require.Equal(t, uint64(1), got.Version)
		}
		next := bigEntry("key")
		next.Version = 2
		require.NoError(t, j.Store(t.Context(), 1, next))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, j.Store(ctx, 2, next), context.Canceled)
		_, err := j.Load(ctx, "key")
		require.ErrorIs(t, err, context.Canceled)
	})
}
