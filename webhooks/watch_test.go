package webhooks_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/webhooks"
)

func watched(told *recorded.Recorder) func(*rig, *webhooks.ReceiverConfig) {
	return func(_ *rig, c *webhooks.ReceiverConfig) { c.Observer = told }
}

// TestObserver: a delivery that is handled, comes again, and requests that are no
// deliveries.
func TestObserver(t *testing.T) {
	told := recorded.New(t)
	r := newRig(t, watched(told))
	var inside observe.Operation
	r.handler = func(ctx context.Context, _ *webhooks.Delivery) error { inside = recorded.Inside(ctx); return nil }
	for range 2 {
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	}
	unsigned := httptest.NewRequest("POST", destination, nil)
	require.Equal(t, 401, r.gets(unsigned))
	require.Equal(t, 405, r.gets(httptest.NewRequest("GET", destination, nil)))

	key := r.runs[0].Key()
	verified := observe.DeliveryVerified{Delivery: key}
	require.Equal(t, []observe.DeliveryVerified{verified, verified}, recorded.Events[observe.DeliveryVerified](told))
	require.Equal(t, []observe.DeliveryDuplicate{{Delivery: key}}, recorded.Events[observe.DeliveryDuplicate](told))
	require.Equal(t, []recorded.Ended[observe.Handle, observe.HandleEnd]{{Op: observe.Handle{Delivery: key}}},
		recorded.Ends[observe.Handle, observe.HandleEnd](told))
	require.Equal(t, observe.Handle{Delivery: key}, inside)
	refused := recorded.Events[observe.DeliveryRefused](told)
	require.Len(t, refused, 2)
	require.Equal(t, []int{401, 405}, []int{refused[0].StatusCode, refused[1].StatusCode})
	require.Error(t, refused[0].Err)
	require.Empty(t, told.Open())
}
