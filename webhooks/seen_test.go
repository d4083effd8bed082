package webhooks_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

func TestMemorySeen(t *testing.T) {
	now := today
	s := &webhooks.MemorySeen{Now: func() time.Time { return now }}
	ctx := t.Context()
	seen := func(key string) bool {
		t.Helper()
		seen, err := s.Seen(ctx, key)
		require.NoError(t, err)
		return seen
	}
	require.False(t, seen("a"))
	require.NoError(t, s.Commit(ctx, "a", now.Add(time.Hour)))
	require.True(t, seen("a"))
	require.False(t, seen("b"))
	now = now.Add(time.Hour - 1)
	require.True(t, seen("a"))
	now = now.Add(time.Hour/8 + 1)
	require.False(t, seen("a"))
	require.NoError(t, s.Commit(ctx, "a", now.Add(time.Minute)))
	require.True(t, seen("a"), "committed again")
}

func TestMemorySeenInParallel(t *testing.T) {
	var s webhooks.MemorySeen
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 500 {
				key := fmt.Sprint(i, n)
				if s.Commit(t.Context(), key, time.Now().Add(time.Hour)) != nil {
					t.Error("not committed")
				}
				if seen, err := s.Seen(t.Context(), key); !seen || err != nil {
					t.Error("not seen")
				}
			}
		})
	}
	all.Wait()
}

// TestInMemoryByDefault, on the verifier's clock.
func TestInMemoryByDefault(t *testing.T) {
	now := today
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) {
		c.Seen, c.Verifier.Now = nil, func() time.Time { return now }
	})
	current := webhooks.DeliverySigner{Secret: secret, Now: func() time.Time { return now }}
	first := current.Request(destination, evmBody)
	for range 2 {
		require.Equal(t, 200, r.gets(current.Replayed(first)))
	}
	require.Equal(t, 1, r.ran())
	now = now.Add(4 * time.Hour)
	require.Equal(t, 401, r.gets(current.Replayed(first)), "past the window before it is forgotten")
	require.Equal(t, 200, r.gets(current.Request(destination, evmBody)))
	require.Equal(t, 1, r.ran())
	now = now.Add(time.Hour + 4*time.Hour/8)
	require.Equal(t, 200, r.gets(current.Request(destination, evmBody)))
	require.Equal(t, 2, r.ran())
	require.Equal(t, walletfi.Document(evmBody), r.runs[1].Raw)
}
