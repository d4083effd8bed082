package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/webhooks"
)

// numbered is a body of its own.
func numbered(n int) []byte { return fmt.Appendf(nil, `{"webhookId":"wh_1","n":%d}`, n) }

func queued(length, workers int) func(*rig, *webhooks.ReceiverConfig) {
	return func(_ *rig, c *webhooks.ReceiverConfig) { c.Queue, c.Workers = length, workers }
}

func TestQueueAnswersFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 1))
		release := make(chan struct{})
		r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return nil }
		for n := range 3 {
			require.Equal(t, 200, r.gets(signer.Request(destination, numbered(n))))
		}
		synctest.Wait()
		require.Equal(t, 1, r.ran(), "one worker")
		require.Zero(t, r.seen.committed())
		close(release)
		synctest.Wait()
		require.Equal(t, 3, r.seen.committed())
		require.NoError(t, r.Close(t.Context()))
	})
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(2, 1))
		release := make(chan struct{})
		r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return nil }
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(0))))
		synctest.Wait() // the worker has it
		for n, want := range []int{200, 200, 503, 503} {
			require.Equal(t, want, r.gets(signer.Request(destination, numbered(1+n))))
		}
		close(release)
		synctest.Wait()
		require.Equal(t, 3, r.ran())
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(3))), "the service's retry finds room")
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 4, r.seen.committed())
		require.Empty(t, r.buriedCauses())
	})
}

// TestFullQueueTooOften: a fifth refusal would end all deliveries.
func TestFullQueueTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(1, 1))
		release := make(chan struct{})
		r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return nil }
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(0))))
		synctest.Wait()
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(1))))
		for _, want := range []int{503, 503, 503, 200} {
			require.Equal(t, want, r.gets(signer.Request(destination, numbered(2))))
		}
		causes := r.buriedCauses()
		require.Len(t, causes, 1)
		require.ErrorContains(t, causes[0], "the queue is full")
		close(release)
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 2, r.ran())
		require.Equal(t, 3, r.seen.committed())
	})
}

func TestQueueSkipsWhatWasSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 2))
		release := make(chan struct{})
		r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return nil }
		for range 5 {
			require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		}
		synctest.Wait()
		require.Equal(t, 1, r.ran(), "duplicates in the queue, too, run once")
		close(release)
		synctest.Wait()
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 1, r.ran())
	})
}

// TestQueueTriesAgain: nobody delivers again what was answered 200.
func TestQueueTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 1))
		var at []time.Duration
		begun := time.Now()
		r.handler = func(context.Context, *webhooks.Delivery) error {
			if at = append(at, time.Since(begun)); len(at) < 3 {
				return errDown
			}
			return nil
		}
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, []time.Duration{0, time.Second, 3 * time.Second}, at, "it is not hammered")
		require.Equal(t, 1, r.seen.committed())
		require.Empty(t, r.buriedCauses())
	})
}

func TestQueueBuries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 1))
		r.handler = func(context.Context, *webhooks.Delivery) error { panic("in a worker") }
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(0))))
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(1))))
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 8, r.ran())
		causes := r.buriedCauses()
		require.Len(t, causes, 2)
		require.ErrorContains(t, causes[0], "in a worker")
		require.Equal(t, 2, r.seen.committed())
	})
}

// TestQueueWhoseDeadLetterFails tries that as often as the handler, and ends.
func TestQueueWhoseDeadLetterFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Queue, c.MaxFailures, c.RetryWait = 1, 2, 40*time.Second })
		begun := time.Now()
		r.handler = fails()
		r.bury = func(context.Context) error { return errors.New("disk full") }
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 4, r.ran())
		require.Len(t, r.buriedCauses(), 4)
		require.Equal(t, 160*time.Second, time.Since(begun), "40 s, then a minute at most")
		require.Zero(t, r.seen.committed())
	})
}

func TestCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(100, 3))
		r.handler = func(context.Context, *webhooks.Delivery) error {
			<-time.After(time.Second)
			return nil
		}
		for n := range 30 {
			require.Equal(t, 200, r.gets(signer.Request(destination, numbered(n))))
		}
		begun := time.Now()
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 10*time.Second, time.Since(begun))
		require.Equal(t, 30, r.seen.committed())
		require.Equal(t, 503, r.gets(signer.Request(destination, numbered(99))), "the service must come again")
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(0))), "it was handled")
		require.NoError(t, r.Close(t.Context()), "twice")
	})
}

// TestCloseGivesUp: what is left goes to the dead-letter function.
func TestCloseGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(100, 1))
		cut := make(chan struct{})
		r.handler = func(ctx context.Context, _ *webhooks.Delivery) error {
			<-ctx.Done()
			close(cut)
			return ctx.Err()
		}
		for n := range 3 {
			require.Equal(t, 200, r.gets(signer.Request(destination, numbered(n))))
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := r.Close(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "2 deliveries")
		<-cut
		synctest.Wait()
		causes := r.buriedCauses()
		require.Len(t, causes, 3)
		require.ErrorIs(t, causes[0], context.Canceled)
		require.ErrorContains(t, causes[1], "closed")
		require.Equal(t, 1, r.ran())
		require.Equal(t, 3, r.seen.committed())
	})
}

// logged is a logger and what it wrote.
func logged() (*slog.Logger, func() string) {
	var mu sync.Mutex
	var b strings.Builder
	write := func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return b.Write(p)
	}
	return slog.New(slog.NewTextHandler(writer(write), nil)), func() string {
		mu.Lock()
		defer mu.Unlock()
		return b.String()
	}
}

type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// TestCloseDoesNotBuryWhatWasHandled: the handler was done with it, and only the
// commit failed until Close gave up.
func TestCloseDoesNotBuryWhatWasHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger, text := logged()
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Queue, c.RetryWait, c.Logger = 1, time.Minute, logger })
		r.seen.set(nil, errDown)
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		synctest.Wait()
		require.Equal(t, 1, r.ran())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, r.Close(ctx), context.Canceled)
		synctest.Wait()
		require.Empty(t, r.buriedCauses())
		require.Equal(t, 1, r.ran())
		require.Contains(t, text(), "webhook delivery not handled")
		require.Contains(t, text(), errDown.Error())
	})
}

// TestAbandonedIsLogged: what could neither be handled nor buried is lost, and what
// was buried and not committed may come again; the log says which.
func TestAbandonedIsLogged(t *testing.T) {
	for name, row := range map[string]struct {
		bury, commit error
		want         string
	}{
		"the dead-letter function fails": {errors.New("disk full"), nil, "webhook delivery lost"},
		"the commit fails":               {nil, errDown, "webhook delivery handled and not committed"},
		"all is well":                    {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				logger, text := logged()
				r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) {
					c.Queue, c.MaxFailures, c.RetryWait, c.Logger = 1, 5, time.Minute, logger // it is Close that gives it up
				})
				r.handler = fails()
				r.bury = func(ctx context.Context) error { return errors.Join(row.bury, ctx.Err()) }
				r.seen.during = func(ctx context.Context) { assert.NoError(t, ctx.Err(), "it goes on after Close gave up") }
				r.seen.set(nil, row.commit)
				require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
				synctest.Wait()
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				_ = r.Close(ctx)
				synctest.Wait()
				require.Len(t, r.buriedCauses(), 1)
				require.Equal(t, 1, r.ran())
				for _, line := range []string{"webhook delivery lost", "webhook delivery handled and not committed"} {
					require.Equal(t, line == row.want, strings.Contains(text(), line), "%s in %s", line, text())
				}
				if row.bury != nil {
					require.Contains(t, text(), row.bury.Error(), "why it is lost")
				}
			})
		})
	}
}

// TestCloseDuringAPause does not wait for it.
func TestCloseDuringAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Queue, c.RetryWait = 1, time.Minute })
		r.handler = fails()
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		synctest.Wait()
		begun := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, r.Close(ctx), context.Canceled)
		synctest.Wait()
		require.Zero(t, time.Since(begun))
		require.Equal(t, 1, r.ran())
		require.Len(t, r.buriedCauses(), 1)
		require.ErrorIs(t, r.buriedCauses()[0], errDown)
	})
}

// TestQueueWhoseStoreFails: the service is told, until the dead-letter function
// has taken it.
func TestQueueWhoseStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 1))
		r.seen.set(errDown, nil)
		for _, want := range []int{500, 500, 500, 200} {
			require.Equal(t, want, r.gets(signer.Request(destination, evmBody)))
		}
		require.NoError(t, r.Close(t.Context()))
		require.Zero(t, r.ran())
		require.Len(t, r.buriedCauses(), 1)
	})
}

// TestQueueCommitsLater what was handled while the store was down.
func TestQueueCommitsLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, queued(10, 1))
		r.seen.set(nil, errDown)
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		synctest.Wait()
		r.seen.set(nil, nil)
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 1, r.ran())
		require.Equal(t, 1, r.seen.committed())
	})
}
