package webhooks_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestMemoryInboxHoldsTenThousand: dead ones too, if its Capacity is not set.
func TestMemoryInboxHoldsTenThousand(t *testing.T) {
	m := &webhooks.MemoryInbox{}
	require.NoError(t, m.Start(webhooks.InboxWork{}))
	put := func(n int) error {
		return m.Put(t.Context(), webhooks.StoredDelivery{Key: strconv.Itoa(n), Body: []byte(`{}`)})
	}
	for n := range 10_000 {
		require.NoError(t, put(n))
	}
	require.NoError(t, put(7), "it has that one")
	require.ErrorContains(t, put(10_000), "full")
	require.ErrorContains(t, m.Stop(t.Context()), "10000 deliveries in memory are lost")
}
