package webhooks_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/webhooks"
)

// calls are those that would happen twice, and those that would not.
var calls = map[string]struct {
	once bool
	call func(context.Context, *webhooks.Client) error
}{
	"Create": {true, func(ctx context.Context, c *webhooks.Client) error {
		_, err := c.Create(ctx, webhooks.TemplateEVMWalletFilter, wallets)
		return err
	}},
	"Test": {true, func(ctx context.Context, c *webhooks.Client) error { _, err := c.Test(ctx, "wh_1"); return err }},
	"Get":  {false, func(ctx context.Context, c *webhooks.Client) error { _, err := c.Get(ctx, "wh_1"); return err }},
	"List": {false, func(ctx context.Context, c *webhooks.Client) error { _, err := c.List(ctx); return err }},
	"Update": {false, func(ctx context.Context, c *webhooks.Client) error {
		_, err := c.Update(ctx, "wh_1", webhooks.UpdateRequest{Enabled: new(false)})
		return err
	}},
	"Delete": {false, func(ctx context.Context, c *webhooks.Client) error { return c.Delete(ctx, "wh_1") }},
}

func TestWhatWouldHappenTwiceIsSentOnce(t *testing.T) {
	for failure, a := range map[string]answer{
		"500": {Status: 500}, "503": {Status: 503}, "reset": {Err: errors.New("connection reset by peer")},
	} {
		for name, row := range calls {
			wiretest.InBubble(t, name+"/"+failure, func(t *testing.T) {
				c, wire := carriedClient(t, a, answer{Status: 200, Body: `[]`})
				if name != "List" {
					wire.Answers[1].Body = `{}`
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
		require.NoError(t, c.Delete(t.Context(), "wh_1"), "the first attempt did it")
		require.Len(t, wire.Seen, 2)
	})
}

// TestRateLimitedCreate: no code is documented that would say that nothing
// happened.
func TestRateLimitedCreate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, wire := carriedClient(t, answer{Status: 429, Header: map[string]string{"Retry-After": "1"}})
		_, err := c.Create(t.Context(), webhooks.TemplateEVMWalletFilter, wallets)
		require.ErrorIs(t, err, walletfi.ErrRateLimited)
		require.Len(t, wire.Seen, 1)
	})
}

func TestRefusalsByStatus(t *testing.T) {
	for status, kind := range map[int]error{
		400: walletfi.ErrInvalidRequest, 401: walletfi.ErrUnauthorized, 403: walletfi.ErrForbidden, 404: walletfi.ErrNotFound, 307: walletfi.ErrRedirect,
	} {
		c, wire := carriedClient(t, answer{Status: status, Body: `{"message":"the reason"}`})
		_, err := c.Create(t.Context(), webhooks.TemplateEVMWalletFilter, wallets)
		require.ErrorIs(t, err, kind)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Len(t, wire.Seen, 1)
		var r *walletfi.ResponseError
		require.ErrorAs(t, err, &r)
		require.Equal(t, status, r.StatusCode)
		require.NotContains(t, err.Error(), "k-123456")
	}
}

func TestLimiterIsShared(t *testing.T) {
	c, wire := carriedClient(t, answer{Status: 200, Body: `[]`})
	other, err := webhooks.New(webhooks.Config{
		BaseURL: "https://webhooks.test", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Limiter: func(ratelimit.Scope) ratelimit.Limiter { return c.Limiter() }},
	})
	require.NoError(t, err)
	require.Same(t, c.Limiter(), other.Limiter())
	_, err = c.List(t.Context())
	require.NoError(t, err)
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
