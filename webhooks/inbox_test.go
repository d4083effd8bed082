package webhooks_test

import (
	"bytes"
	"context"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/webhooks"
)

// box is an inbox that a test works by hand.
type box struct {
	mu       sync.Mutex
	work     webhooks.InboxWork
	stored   []webhooks.StoredDelivery
	startErr error
	putErr   error
	blocks   bool // Put, until its context ends
	panics   bool
	stopped  int
}

func (b *box) Start(work webhooks.InboxWork) error { b.work = work; return b.startErr }

func (b *box) Put(ctx context.Context, d webhooks.StoredDelivery) error {
	if b.blocks {
		<-ctx.Done()
		return ctx.Err()
	}
	if b.panics {
		panic("no database")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.putErr == nil {
		b.stored = append(b.stored, d)
	}
	return b.putErr
}

func (b *box) Stop(context.Context) error { b.stopped++; return errDown }

func (b *box) Dead(context.Context) iter.Seq2[webhooks.DeadDelivery, error] { return nil }

func (b *box) GetDead(context.Context, string) (webhooks.DeadDelivery, error) {
	return webhooks.DeadDelivery{}, webhooks.ErrNotDead
}

func (b *box) RetryDead(context.Context, string) error { return webhooks.ErrNotDead }

func inboxed(b *box) func(*rig, *webhooks.ReceiverConfig) {
	return func(_ *rig, c *webhooks.ReceiverConfig) { c.Inbox, c.DeadLetter = b, nil }
}

func TestInboxAnswersOnceStored(t *testing.T) {
	b := &box{}
	r := newRig(t, inboxed(b))
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Zero(t, r.ran(), "not before the answer")
	require.Len(t, b.stored, 1)
	require.Equal(t, evmBody, b.stored[0].Body)
	require.Equal(t, today, b.stored[0].ReceivedAt)
	require.Equal(t, webhooks.ParseDelivery(evmBody).Key(), b.stored[0].Key)

	require.NoError(t, b.work.Handle(t.Context(), b.stored[0], 0))
	require.Equal(t, 1, r.ran())
	require.Equal(t, walletfi.Document(evmBody), r.runs[0].Body)
	require.Equal(t, "0xb1", r.runs[0].EVM.BlockHash)
	require.Equal(t, 1, r.seen.committed())

	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Len(t, b.stored, 1, "handled before: not stored")
	require.NoError(t, b.work.Handle(t.Context(), b.stored[0], 0))
	require.Equal(t, 1, r.ran(), "handled before: not handled")
	require.ErrorIs(t, r.Close(t.Context()), errDown)
	require.Equal(t, 1, b.stopped)
}

// TestInboxThatFails: the service repeats what is not stored.
func TestInboxThatFails(t *testing.T) {
	b := &box{putErr: errDown}
	r := newRig(t, inboxed(b))
	for range 20 {
		require.Equal(t, 503, r.gets(signer.Request(destination, evmBody)))
	}
	b.putErr, b.panics = nil, true
	require.Equal(t, 503, r.gets(signer.Request(destination, evmBody)))
	b.panics = false
	r.seen.set(errDown, nil)
	require.Equal(t, 503, r.gets(signer.Request(destination, evmBody)))
	require.Empty(t, b.stored)
	require.Zero(t, r.ran())
	r.seen.set(nil, nil)
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Len(t, b.stored, 1)
}

// TestInboxThatHangs: the service gets an answer before it gives up.
func TestInboxThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, inboxed(&box{blocks: true}))
		begun := time.Now()
		require.Equal(t, 503, r.gets(signer.Request(destination, evmBody)))
		require.Equal(t, 10*time.Second, time.Since(begun))
	})
}

func TestInboxThatDoesNotStart(t *testing.T) {
	_, err := webhooks.NewReceiver(webhooks.ReceiverConfig{Verifier: *verifier(), Handler: (&rig{}).handle, Inbox: &box{startErr: errDown}})
	require.ErrorIs(t, err, errDown)
}

// TestInboxWork: what the receiver asks of the inbox.
func TestInboxWork(t *testing.T) {
	b := &box{}
	newRig(t, inboxed(b))
	require.Equal(t, 4, b.work.Workers)
	require.Equal(t, 16, b.work.Attempts)
	require.Equal(t, 45*time.Second, b.work.Timeout, "the handler's time, and Seen's twice")
	total := time.Duration(0)
	for n, want := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 12: 2048 * time.Second, 13: time.Hour, 100: time.Hour} {
		require.Equal(t, want, b.work.Wait(n), n)
	}
	for n := 1; n < b.work.Attempts; n++ {
		total += b.work.Wait(n)
	}
	require.InDelta(t, 4.1, total.Hours(), 0.2)
	newRig(t, func(r *rig, c *webhooks.ReceiverConfig) {
		inboxed(b)(r, c)
		c.Workers, c.MaxFailures, c.HandlerTimeout, c.RetryWait = 7, 3, time.Minute, 2*time.Hour
	})
	require.Equal(t, 7, b.work.Workers)
	require.Equal(t, 3, b.work.Attempts)
	require.Equal(t, 80*time.Second, b.work.Timeout)
	require.Equal(t, 2*time.Hour, b.work.Wait(5))
}

// TestInboxHandlerFails: the inbox hears of it each time, and nothing is buried.
func TestInboxHandlerFails(t *testing.T) {
	b := &box{}
	r := newRig(t, inboxed(b))
	r.handler = fails()
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	for range 20 {
		require.ErrorIs(t, b.work.Handle(t.Context(), b.stored[0], 0), errDown)
	}
	r.handler = func(context.Context, *webhooks.Delivery) error { panic("nil map") }
	require.ErrorContains(t, b.work.Handle(t.Context(), b.stored[0], 0), "panicked: nil map")
	require.Zero(t, r.seen.commits)
	r.handler = nil
	r.seen.set(nil, errDown)
	require.ErrorIs(t, b.work.Handle(t.Context(), b.stored[0], 0), errDown)
	r.seen.set(nil, nil)
	require.NoError(t, b.work.Handle(t.Context(), b.stored[0], 0))
	require.Equal(t, 22, r.ran(), "not again once it succeeded: only the commit was missing")
}

// TestInboxDeployment: a body is stored as it came and translated when it is
// handled.
func TestInboxDeployment(t *testing.T) {
	b := &box{}
	words := wiretest.Words{Keys: map[string]string{"webhookId": "hookId", "blockHash": "hashOfBlock"}}
	r := newRig(t, func(r *rig, c *webhooks.ReceiverConfig) { inboxed(b)(r, c); c.Deployment = words.Of("webhooks") })
	body := bytes.ReplaceAll(bytes.ReplaceAll(evmBody, []byte("webhookId"), []byte("hookId")), []byte("blockHash"), []byte("hashOfBlock"))
	require.Equal(t, 200, r.gets(signer.Request(destination, body)))
	require.Equal(t, body, b.stored[0].Body)
	require.NoError(t, b.work.Handle(t.Context(), b.stored[0], 0))
	require.Equal(t, "wh_1", r.runs[0].WebhookID)
	require.Equal(t, "0xb1", r.runs[0].EVM.BlockHash)
	require.Equal(t, b.stored[0].Key, r.runs[0].Key())
}

func TestMemoryInboxIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &webhooks.MemoryInbox{Capacity: 3}
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Inbox, c.DeadLetter, c.Workers = m, nil, 1 })
		release := make(chan struct{})
		r.handler = func(context.Context, *webhooks.Delivery) error { <-release; return nil }
		for n, want := range []int{200, 200, 200, 503} {
			require.Equal(t, want, r.gets(signer.Request(destination, numbered(n))))
		}
		close(release)
		synctest.Wait()
		require.Equal(t, 200, r.gets(signer.Request(destination, numbered(3))))
		require.NoError(t, r.Close(t.Context()))
		require.Equal(t, 4, r.seen.committed())
		require.Equal(t, 503, r.gets(signer.Request(destination, numbered(4))), "closed")
	})
}

// TestMemoryInboxSaysWhatIsLost when it is closed.
func TestMemoryInboxSaysWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) { c.Inbox, c.DeadLetter = &webhooks.MemoryInbox{}, nil })
		r.handler = fails()
		require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
		synctest.Wait()
		require.ErrorContains(t, r.Close(t.Context()), "1 deliveries in memory are lost")
	})
}

// TestInboxIsObserved: how often a delivery failed, and when it is dead.
func TestInboxIsObserved(t *testing.T) {
	b, told := &box{}, recorded.New(t)
	r := newRig(t, func(r *rig, c *webhooks.ReceiverConfig) {
		inboxed(b)(r, c)
		c.MaxFailures, c.Observer = 3, told
	})
	r.handler = fails()
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	for failures := range 4 {
		require.Error(t, b.work.Handle(t.Context(), b.stored[0], failures))
	}
	r.handler = nil
	require.NoError(t, b.work.Handle(t.Context(), b.stored[0], 4))
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))

	retried := recorded.Events[observe.DeliveryRetried](told)
	require.Len(t, retried, 2)
	for n, e := range retried {
		require.Equal(t, n+1, e.Failures)
		require.Equal(t, time.Duration(n+1)*time.Second, e.Wait)
		require.ErrorIs(t, e.Err, errDown)
	}
	dead := recorded.Events[observe.DeliveryDead](told)
	require.Len(t, dead, 2)
	require.ErrorIs(t, dead[0].Cause, errDown)
	require.NoError(t, dead[0].Err)
	require.Len(t, recorded.Events[observe.DeliveryDuplicate](told), 1)
}

// TestInboxLogsFailures: each, with its cause.
func TestInboxLogsFailures(t *testing.T) {
	logger, text := logged()
	b := &box{}
	r := newRig(t, func(r *rig, c *webhooks.ReceiverConfig) { inboxed(b)(r, c); c.Logger = logger })
	r.handler = fails()
	require.Equal(t, 200, r.gets(signer.Request(destination, evmBody)))
	require.Empty(t, text())
	require.ErrorIs(t, b.work.Handle(t.Context(), b.stored[0], 0), errDown)
	require.Contains(t, text(), "webhook delivery not handled")
	require.Contains(t, text(), errDown.Error())
	require.Contains(t, text(), b.stored[0].Key)
}
