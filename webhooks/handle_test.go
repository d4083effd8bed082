package webhooks_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/webhooks"
)

func fails() webhooks.Handler {
	return func(context.Context, *webhooks.Delivery) error { return errDown }
}

func TestCommitsOnlyAfterSuccess(t *testing.T) {
	r := newRig(t, nil)
	committedDuring := -1
	r.handler = func(context.Context, *webhooks.Delivery) error {
		committedDuring = r.seen.committed()
		return errDown
	}
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	require.Zero(t, r.seen.commits)
	r.handler = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Zero(t, committedDuring)
	require.Equal(t, 1, r.seen.committed())
	require.Equal(t, 2, r.ran())
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 2, r.ran())
}

// TestRemembersLongEnough: longer than the verifier takes a replay and the
// service repeats.
func TestRemembersLongEnough(t *testing.T) {
	for name, row := range map[string]struct {
		age, ahead, remember time.Duration
		want                 time.Duration
	}{
		"by default":      {0, 0, 0, 3*time.Hour + 5*time.Minute + time.Hour},
		"a narrow window": {time.Minute, time.Minute, time.Second, 3*time.Hour + time.Minute + time.Second},
		"a wide window":   {9 * time.Hour, 0, time.Minute, 9*time.Hour + 6*time.Minute},
	} {
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) {
			c.Verifier.MaxAge, c.Verifier.MaxAhead, c.Remember = row.age, row.ahead, row.remember
		})
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		require.Equal(t, today.Add(row.want), r.seen.until[r.runs[0].Key()], name)
	}
}

func TestParallelDuplicatesRunOnce(t *testing.T) {
	for name, end := range map[string]error{"success": nil, "failure": errDown} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				release := make(chan struct{})
				r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return end }
				statuses := make([]int, 20)
				var all sync.WaitGroup
				for i := range statuses {
					all.Go(func() { statuses[i] = r.gets(signer.Request(destination, evmBody)) })
				}
				synctest.Wait()
				require.Equal(t, 1, r.ran())
				close(release)
				all.Wait()
				for _, status := range statuses {
					require.Equal(t, map[bool]int{true: 200, false: 500}[end == nil], status)
				}
				require.Equal(t, 1, r.ran())
				require.Empty(t, r.buriedCauses(), "they failed once, not twenty times")
			})
		})
	}
}

// TestOtherDeliveriesDoNotWait for one that takes long.
func TestOtherDeliveriesDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		release := make(chan struct{})
		r.handler = func(_ context.Context, d *webhooks.Delivery) error {
			if d.EVM != nil {
				<-release
			}
			return nil
		}
		var slow sync.WaitGroup
		slow.Go(func() { r.gets(signer.Request(destination, evmBody)) })
		synctest.Wait()
		require.Equal(t, 200, r.gets(signer.Request(destination, []byte(`{}`))))
		close(release)
		slow.Wait()
	})
}

func TestDeadLetterAfterTheFourthFailure(t *testing.T) {
	r := newRig(t, nil)
	r.handler = fails()
	for _, want := range []int{500, 500, 500, 200} {
		require.Equal(t, want, r.gets(signer.Request(destination, evmBody)))
	}
	require.Equal(t, 4, r.ran())
	causes := r.buriedCauses()
	require.Len(t, causes, 1)
	require.ErrorIs(t, causes[0], errDown)
	require.Equal(t, 1, r.seen.committed(), "it is done with")
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 4, r.ran())
}

func TestDeadLetterThatFails(t *testing.T) {
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.MaxFailures = 2 })
	r.handler = fails()
	r.bury = func(context.Context) error { return errors.New("disk full") }
	for range 3 {
		require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	}
	require.Len(t, r.buriedCauses(), 2)
	require.Zero(t, r.seen.commits)
	r.bury = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.committed())
}

func TestNoDeadLetter(t *testing.T) {
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.DeadLetter = nil })
	r.handler = fails()
	for range 6 {
		require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	}
	r.handler = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 7, r.ran())
}

// TestFailuresAreCountedADelivery: not a receiver.
func TestFailuresAreCountedADelivery(t *testing.T) {
	r := newRig(t, nil)
	r.handler = fails()
	for i := range 3 {
		require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
		require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{"n":1}`))), i)
	}
	r.handler = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 200, r.gets(signer.Request(destination, []byte(`{"n":1}`))))
	require.Empty(t, r.buriedCauses())
}

func TestPanics(t *testing.T) {
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.MaxFailures = 2 })
	r.handler = func(context.Context, *webhooks.Delivery) error { panic("nil map") }
	r.bury = func(context.Context) error { panic("and again") }
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	causes := r.buriedCauses()
	require.Len(t, causes, 1)
	require.ErrorContains(t, causes[0], "the handler panicked: nil map")
	require.ErrorContains(t, causes[0], "handle_test.go", "where it was")
	r.bury = nil
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
}

// TestStoreThatCannotTell: not handled on the chance that it was not.
func TestStoreThatCannotTell(t *testing.T) {
	r := newRig(t, nil)
	r.seen.set(errDown, nil)
	for range 3 {
		require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	}
	require.Zero(t, r.ran())
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)), "the dead letter function took it before the service gives up")
	require.Zero(t, r.ran())
	require.Len(t, r.buriedCauses(), 1)
	require.ErrorIs(t, r.buriedCauses()[0], errDown)
}

// TestStoreThatCannotCommit: the handler does not run again, and the service
// does not hear of it five times.
func TestStoreThatCannotCommit(t *testing.T) {
	r := newRig(t, nil)
	r.seen.set(nil, errDown)
	for _, want := range []int{500, 500, 500, 200, 200} {
		require.Equal(t, want, r.gets(signer.Request(destination, evmBody)))
	}
	require.Equal(t, 1, r.ran())
	require.Empty(t, r.buriedCauses(), "it was handled")
	r.seen.set(nil, nil)
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.committed())
	require.Equal(t, 1, r.ran())
}

// TestHangingUp does not cut off what duplicates wait for, and keeps the
// request's values.
func TestHangingUp(t *testing.T) {
	type name struct{}
	r := newRig(t, nil)
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), name{}, "trace-1"))
	r.handler = func(ctx context.Context, _ *webhooks.Delivery) error {
		cancel()
		assert.Equal(t, "trace-1", ctx.Value(name{}))
		return ctx.Err()
	}
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody).WithContext(ctx)))
	require.Equal(t, 1, r.seen.committed())
}

// TestHandlerTimeout: the handler's time is bounded, and the commit has its own.
func TestHandlerTimeout(t *testing.T) {
	for name, row := range map[string]struct{ set, want time.Duration }{"default": {0, 25 * time.Second}, "own": {time.Second, time.Second}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.HandlerTimeout = row.set })
				begun := time.Now()
				r.handler = func(ctx context.Context, _ *webhooks.Delivery) error { <-ctx.Done(); return nil }
				r.seen.during = func(ctx context.Context) {
					deadline, ok := ctx.Deadline()
					assert.True(t, ok)
					assert.Equal(t, 10*time.Second, time.Until(deadline))
				}
				require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
				require.Equal(t, row.want, time.Since(begun))
				r.handler = func(ctx context.Context, _ *webhooks.Delivery) error { <-ctx.Done(); return ctx.Err() }
				require.Equal(t, 500, r.gets(signer.Request(destination, []byte(`{}`))))
			})
		})
	}
}

// TestHandlersErrorIsNoRefusal: 401 would say that the signature is wrong.
func TestHandlersErrorIsNoRefusal(t *testing.T) {
	r := newRig(t, nil)
	for _, err := range []error{webhooks.ErrSignature, webhooks.ErrTooLarge, webhooks.ErrBody} {
		r.handler = func(context.Context, *webhooks.Delivery) error { return err }
		w := httptest.NewRecorder()
		r.ServeHTTP(w, signer.Request(destination, []byte(`{"e":"`+err.Error()+`"}`)))
		require.Equal(t, http.StatusInternalServerError, w.Code)
	}
}

func TestCloseWithoutAQueue(t *testing.T) {
	r := newRig(t, nil)
	require.NoError(t, r.Close(t.Context()))
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
}

// TestBuriedOnce: what the dead-letter function has taken, and only the commit is
// missing of, is neither handled nor buried again, and is logged.
func TestBuriedOnce(t *testing.T) {
	logger, text := logged()
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Logger, c.MaxFailures = logger, 2 })
	r.handler = fails()
	r.seen.set(nil, errors.New("read-only"))
	require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
	require.NotContains(t, text(), "handled and not committed")
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Contains(t, text(), "handled and not committed")
	require.Contains(t, text(), "level=WARN ")
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)), "a fifth failure would end all deliveries")
	require.Equal(t, 2, r.ran())
	require.Len(t, r.buriedCauses(), 1)
	require.Equal(t, 2, r.seen.commits)
	r.seen.set(nil, nil)
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Equal(t, 1, r.seen.committed())
	require.Equal(t, 2, r.ran())
	require.Len(t, r.buriedCauses(), 1)
}

// TestBuriedAndCommitted is no line in the log but those of its failures.
func TestBuriedAndCommitted(t *testing.T) {
	logger, text := logged()
	r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Logger, c.MaxFailures = logger, 1 })
	r.handler = fails()
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Len(t, r.buriedCauses(), 1)
	require.NotContains(t, text(), "handled and not committed")
}

// TestStoreThatHangs is given ten seconds, and its context ends with the call.
func TestStoreThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		seen := &hanging{store: r.seen}
		r = newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Seen = seen })
		begun := time.Now()
		require.Equal(t, 500, r.gets(signer.Request(destination, evmBody)))
		require.Equal(t, 10*time.Second, time.Since(begun))
		require.Zero(t, r.ran())
		require.Len(t, seen.in, 1)
	})
}

// hanging is a Seen that answers when its context ends.
type hanging struct {
	*store
	in []context.Context
}

func (h *hanging) Seen(ctx context.Context, _ string) (bool, error) {
	h.in = append(h.in, ctx)
	<-ctx.Done()
	return false, ctx.Err()
}

// TestHandlersContextEnds: nothing that the handler left behind goes on in it.
func TestHandlersContextEnds(t *testing.T) {
	r := newRig(t, nil)
	var inside []context.Context
	r.handler = func(ctx context.Context, _ *webhooks.Delivery) error {
		inside = append(inside, ctx)
		return ctx.Err()
	}
	r.seen.during = func(ctx context.Context) { inside = append(inside, ctx) }
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Len(t, inside, 2)
	for _, ctx := range inside {
		require.ErrorIs(t, ctx.Err(), context.Canceled)
	}
}

// TestDeadLetterIsTheDelivery that failed, with all of it, and has the handler's time.
func TestDeadLetterIsTheDelivery(t *testing.T) {
	for name, change := range map[string]func(*webhooks.ReceiverConfig){
		"at once": func(*webhooks.ReceiverConfig) {}, "queue": func(c *webhooks.ReceiverConfig) { c.Queue, c.Workers = 1, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) {
					change(c)
					c.MaxFailures, c.HandlerTimeout = 1, 17*time.Second
				})
				r.handler = fails()
				var left []time.Duration
				r.bury = func(ctx context.Context) error {
					deadline, ok := ctx.Deadline()
					assert.True(t, ok)
					left = append(left, time.Until(deadline))
					return ctx.Err()
				}
				require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
				require.NoError(t, r.Close(t.Context()))
				require.Len(t, r.graves, 1)
				require.Equal(t, r.runs[0], r.graves[0])
				require.Equal(t, string(evmBody), r.graves[0].Body.String())
				require.Equal(t, []time.Duration{17 * time.Second}, left)
			})
		})
	}
}
