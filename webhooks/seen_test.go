package webhooks_test

import (
	"context"
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
	require.Equal(t, walletfi.Document(evmBody), r.runs[1].Body)
}

// TestHandlerThatCommits: the receiver asks whether the handler's own transaction
// committed the delivery, and commits nothing itself.
func TestHandlerThatCommits(t *testing.T) {
	r := newRig(t, nil)
	commits := true
	r.handler = func(ctx context.Context, d *webhooks.Delivery) error {
		d.Marked()
		if commits {
			return r.seen.Commit(ctx, d.Key(), d.RememberUntil())
		}
		return nil
	}
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.commits, "by the handler")
	require.Equal(t, today.Add(4*time.Hour+5*time.Minute), r.seen.until[r.runs[0].Key()])
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.ran())

	commits = false
	for range 2 {
		require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{"n":1}`))), "it forgot to commit")
	}
	require.Equal(t, 3, r.ran(), "it runs again")
	r.handler = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, []byte(`{"n":1}`))))
	require.Equal(t, 2, r.seen.commits, "by the receiver: this handler did not")
}

// TestHandledElsewhere: a handler that finds the delivery committed has succeeded,
// if it is.
func TestHandledElsewhere(t *testing.T) {
	r := newRig(t, nil)
	r.handler = func(ctx context.Context, d *webhooks.Delivery) error {
		if err := r.seen.Commit(ctx, d.Key(), d.RememberUntil()); err != nil { // as another process
			return err
		}
		return fmt.Errorf("inserting: %w", webhooks.ErrSeen)
	}
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.commits)
	r.handler = func(context.Context, *webhooks.Delivery) error { return webhooks.ErrSeen }
	require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{}`))), "nothing of it is stored")
}

// TestHandlerThatCommitsAndFails: its error counts, not what it has committed.
func TestHandlerThatCommitsAndFails(t *testing.T) {
	r := newRig(t, nil)
	r.handler = func(ctx context.Context, d *webhooks.Delivery) error {
		d.Marked()
		if err := r.seen.Commit(ctx, d.Key(), d.RememberUntil()); err != nil {
			return err
		}
		return errDown
	}
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.commits)
}

// TestStoreThatFailsAfterTheHandler: why it is not known that the handler's own
// transaction committed is what is logged.
func TestStoreThatFailsAfterTheHandler(t *testing.T) {
	logger, text := logged()
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Logger = logger })
	r.handler = func(_ context.Context, d *webhooks.Delivery) error {
		d.Marked()
		r.seen.set(errDown, nil)
		return nil
	}
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	require.Contains(t, text(), errDown.Error())
	require.NotContains(t, text(), "did not commit the delivery")
	r.seen.set(nil, nil)
	r.handler = func(_ context.Context, d *webhooks.Delivery) error { d.Marked(); return nil }
	require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{}`))))
	require.Contains(t, text(), "did not commit the delivery")
}
