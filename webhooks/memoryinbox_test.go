package webhooks_test

import (
	"context"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/webhooks"
)

// startedInbox is one in memory whose handler is handle.
func startedInbox(t *testing.T, workers, attempts int, handle func(context.Context, webhooks.StoredDelivery, int) error) *webhooks.MemoryInbox {
	t.Helper()
	m := &webhooks.MemoryInbox{}
	require.NoError(t, m.Start(webhooks.InboxWork{
		Handle: handle, Workers: workers, Timeout: time.Minute, Attempts: attempts,
		Wait: func(failures int) time.Duration { return time.Duration(failures) * time.Second },
	}))
	return m
}

func storedAs(n int) webhooks.StoredDelivery {
	return webhooks.StoredDelivery{Key: strconv.Itoa(n), Body: numbered(n)}
}

// TestMemoryInboxHoldsTenThousand: dead ones too, if its Capacity is not set.
func TestMemoryInboxHoldsTenThousand(t *testing.T) {
	m := startedInbox(t, 0, 1, nil)
	for n := range 10_000 {
		require.NoError(t, m.Put(t.Context(), storedAs(n)))
	}
	require.NoError(t, m.Put(t.Context(), storedAs(7)), "it has that one")
	require.ErrorContains(t, m.Put(t.Context(), storedAs(10_000)), "full")
	require.ErrorContains(t, m.Stop(t.Context()), "10000 deliveries in memory are lost")
}

// TestMemoryInboxThatGivesUp: what is ready is not handled after Stop has given up,
// what is handled is told so, and the dead are not lost.
func TestMemoryInboxThatGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inside []context.Context
		m := startedInbox(t, 1, 1, func(ctx context.Context, d webhooks.StoredDelivery, _ int) error {
			inside = append(inside, ctx)
			switch d.Key {
			case "0":
				return errDown
			case "1":
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
		for n := range 5 {
			require.NoError(t, m.Put(t.Context(), storedAs(n)))
		}
		synctest.Wait()
		require.Len(t, inside, 3)
		require.ErrorIs(t, inside[1].Err(), context.Canceled, "it ends with the call")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := m.Stop(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorContains(t, err, "3 deliveries in memory are lost", "one of five is dead, one handled")
		synctest.Wait()
		require.Len(t, inside, 3)
		require.ErrorIs(t, inside[2].Err(), context.Canceled)
	})
}

// TestMemoryInboxRetriesOnce: a dead delivery is tried once more, and is dead again if
// that fails.
func TestMemoryInboxRetriesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := []int{}
		m := startedInbox(t, 1, 3, func(_ context.Context, _ webhooks.StoredDelivery, failures int) error {
			tries = append(tries, failures)
			if failures < 5 {
				return errDown
			}
			return nil
		})
		require.NoError(t, m.Put(t.Context(), storedAs(0)))
		<-time.After(time.Minute)
		synctest.Wait()
		require.Equal(t, []int{0, 1, 2}, tries)
		for n := 3; n <= 5; n++ {
			dead := 0
			for d, err := range m.Dead(t.Context()) {
				dead++
				require.NoError(t, err)
				require.Equal(t, n, d.Attempts)
				require.NoError(t, m.RetryDead(t.Context(), d.ID))
			}
			require.Equal(t, 1, dead)
			<-time.After(time.Minute)
			synctest.Wait()
			require.Len(t, tries, n+1)
		}
		for range m.Dead(t.Context()) {
			require.Fail(t, "it was handled")
		}
		require.NoError(t, m.Stop(t.Context()))
	})
}

// TestMemoryInboxBoundsAHandler: by the time that it was started with.
func TestMemoryInboxBoundsAHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took []time.Duration
		m := startedInbox(t, 1, 1, func(ctx context.Context, _ webhooks.StoredDelivery, _ int) error {
			begun := time.Now()
			<-ctx.Done()
			took = append(took, time.Since(begun))
			return ctx.Err()
		})
		require.NoError(t, m.Put(t.Context(), storedAs(0)))
		<-time.After(time.Hour)
		synctest.Wait()
		require.Equal(t, []time.Duration{time.Minute}, took)
		for d := range m.Dead(t.Context()) {
			require.Equal(t, context.DeadlineExceeded.Error(), d.Cause)
		}
		require.NoError(t, m.Stop(t.Context()))
	})
}
