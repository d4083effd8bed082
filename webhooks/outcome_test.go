package webhooks_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/webhooks"
)

// calls are those that would happen twice, and those that would not.
var calls = map[string]struct {
	once bool
	call func(context.Context, *webhooks.Client) error
}{
	"Create": {true, func(ctx context.Context, c *webhooks.Client) error {
		_, err := c.CreateWebhook(ctx, webhooks.TemplateEVMWalletFilter, wallets)
		return err
	}},
	"Test": {true, func(ctx context.Context, c *webhooks.Client) error { _, err := c.TestWebhook(ctx, "wh_1"); return err }},
	"Get":  {false, func(ctx context.Context, c *webhooks.Client) error { _, err := c.GetWebhook(ctx, "wh_1"); return err }},
	"List": {false, func(ctx context.Context, c *webhooks.Client) error { _, err := c.ListWebhooks(ctx); return err }},
	"Update": {false, func(ctx context.Context, c *webhooks.Client) error {
		_, err := c.UpdateWebhook(ctx, "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(false)})
		return err
	}},
	"Delete": {false, func(ctx context.Context, c *webhooks.Client) error { return c.DeleteWebhook(ctx, "wh_1") }},
}

func TestWhatWouldHappenTwiceIsSentOnce(t *testing.T) {
	for failure, a := range map[string]answer{
		"500": {Status: 500}, "503": {Status: 503}, "reset": {Err: errors.New("connection reset by peer")},
	} {
		for name, row := range calls {
			wiretest.InBubble(t, name+"/"+failure, func(t *testing.T) {
				c, wire := carriedClient(t, a, answer{Status: 200, Body: `[]`})
				if name != "List" {
					wire.Answers[1].Body = `{"id":"wh_1"}`
				}
				err := row.call(t.Context(), c)
				if row.once {
					require.Len(t, wire.Seen, 1)
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
					return
				}
				require.NoError(t, err)
				require.Len(t, wire.Seen, 2)
			})
		}
	}
}

func TestDeletedAlready(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, answer{Status: 503}, answer{Status: 404})
		require.NoError(t, c.DeleteWebhook(t.Context(), "wh_1"), "the first attempt did it")
		require.Len(t, wire.Seen, 2)
	})
}

// TestRateLimitedCreate: no code is documented that would say that nothing
// happened.
func TestRateLimitedCreate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, answer{Status: 429, Header: map[string]string{"Retry-After": "1"}})
		_, err := c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, wallets)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Len(t, wire.Seen, 1)
	})
}

func TestRefusalsByStatus(t *testing.T) {
	for status, kind := range map[int]error{
		400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 403: walletfi.ErrForbidden, 404: walletfi.ErrNotFound, 307: walletfi.ErrRedirect,
	} {
		c, wire := carriedClient(t, answer{Status: status, Body: `{"message":"the reason"}`})
		_, err := c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, wallets)
		require.ErrorIs(t, err, kind)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.Seen, 1)
		r := wiretest.As[*walletfi.ResponseError](t, err)
		require.Equal(t, status, r.StatusCode)
		require.NotContains(t, err.Error(), "k-123456")
	}
}

func TestLimiterIsShared(t *testing.T) {
	c, wire := carriedClient(t, answer{Status: 200, Body: `[]`})
	other, err := webhooks.New(webhooks.Config{
		BaseURL: "https://webhooks.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return c.Limiter(webhooks.ClassAll) }},
	})
	require.NoError(t, err)
	require.Same(t, c.Limiter(webhooks.ClassAll), other.Limiter(webhooks.ClassAll))
	require.NoError(t, wiretest.Error(c.ListWebhooks(t.Context())))
	require.Len(t, wire.Seen, 1)
}

// TestOutcomeOfWhatMayBeRepeated is known: nothing would be done twice.
func TestOutcomeOfWhatMayBeRepeated(t *testing.T) {
	for name, row := range calls {
		if row.once {
			continue
		}
		synctest.Test(t, func(t *testing.T) {
			c, wire := carriedClient(t, answer{Status: 500}, answer{Status: 500}, answer{Status: 500}, answer{Status: 500})
			err := row.call(t.Context(), c)
			require.ErrorIs(t, err, walletfi.ErrUnavailable, name)
			require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, name)
			require.Len(t, wire.Seen, 4)
		})
	}
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
