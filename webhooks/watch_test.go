package webhooks_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

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

// TestObserverOfFailures: with the service's repeats and with a queue's own.
func TestObserverOfFailures(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*webhooks.ReceiverConfig)
		sends   int
		waits   []time.Duration // of the repeats
		handled int
	}{
		"the service repeats": {func(c *webhooks.ReceiverConfig) {}, 4, []time.Duration{0, 0, 0}, 4},
		"the queue repeats": {func(c *webhooks.ReceiverConfig) { c.Queue, c.Workers, c.MaxFailures = 1, 1, 2 }, 1,
			[]time.Duration{time.Second}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				told := recorded.New(t)
				r := newRig(t, func(r *rig, cfg *webhooks.ReceiverConfig) {
					cfg.Observer = told
					c.change(cfg)
				})
				r.handler = func(context.Context, *webhooks.Delivery) error { return errDown }
				for range c.sends {
					r.gets(signer.Request(destination, evmBody))
				}
				<-time.After(time.Minute)
				require.NoError(t, r.Close(t.Context()))

				handled := recorded.Ends[observe.Handle, observe.HandleEnd](told)
				require.Len(t, handled, c.handled)
				require.ErrorIs(t, handled[0].End.Err, errDown)
				var waits []time.Duration
				for i, again := range recorded.Events[observe.DeliveryRetried](told) {
					require.Equal(t, i+1, again.Failures)
					require.ErrorIs(t, again.Err, errDown)
					waits = append(waits, again.Wait)
				}
				require.Equal(t, c.waits, waits)
				dead := recorded.Events[observe.DeliveryDead](told)
				require.Len(t, dead, 1)
				require.ErrorIs(t, dead[0].Cause, errDown)
				require.NoError(t, dead[0].Err)
				require.Empty(t, told.Open())
			})
		})
	}
}

// TestObserverOfDuplicates: also of one that a queue or an inbox would have taken.
func TestObserverOfDuplicates(t *testing.T) {
	for name, change := range map[string]func(*rig, *webhooks.ReceiverConfig){
		"at once": func(*rig, *webhooks.ReceiverConfig) {}, "queue": queued(10, 1), "inbox": inboxed(&box{}),
	} {
		t.Run(name, func(t *testing.T) {
			told := recorded.New(t)
			r := newRig(t, func(r *rig, c *webhooks.ReceiverConfig) {
				change(r, c)
				c.Observer = told
			})
			d := webhooks.ParseDelivery(evmBody)
			require.NoError(t, r.seen.Commit(t.Context(), d.Key(), today.Add(time.Hour)))
			require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
			require.Equal(t, []observe.DeliveryDuplicate{{Delivery: d.Key()}}, recorded.Events[observe.DeliveryDuplicate](told))
			require.Zero(t, r.ran())
			_ = r.Close(t.Context())
		})
	}
}
