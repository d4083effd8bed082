package webhooks_test

import (
	"bytes"
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

// box is an inbox that a test works by hand.
type box struct {
	webhooks.Inbox
	work     webhooks.InboxWork
	stored   []webhooks.StoredDelivery
	startErr error
}

func (b *box) Start(work webhooks.InboxWork) error { b.work = work; return b.startErr }

func (b *box) Put(_ context.Context, d webhooks.StoredDelivery) error {
	b.stored = append(b.stored, d)
	return nil
}

func inboxed(b *box) func(*rig, *webhooks.ReceiverConfig) {
	return func(_ *rig, c *webhooks.ReceiverConfig) { c.Inbox, c.DeadLetter = b, nil }
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
	require.Equal(t, "0x00000000000000000000000000000000000000000000000000000000000000b1", r.runs[0].EVM.BlockHash)
	require.Equal(t, b.stored[0].Key, r.runs[0].Key())
}

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
