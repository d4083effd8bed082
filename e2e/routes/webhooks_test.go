package routes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

func init() { reach[sandbox.Webhooks], documented[sandbox.Webhooks] = reachWebhooks, 6 }

// reachWebhooks makes each call twice, since the answers take turns between two
// shapes.
func reachWebhooks(t *testing.T, s *sandbox.Sandbox) {
	ctx, c := t.Context(), flows.Webhooks(t, s)
	const destination = "https://example.com/hook"
	filter := webhooks.WalletFilter{Addresses: []string{s.WalletAddress()}}
	var ids []string
	for i := range 2 {
		hook, err := c.CreateWebhook(ctx, sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
			Name: fmt.Sprint("watch ", i), Network: "SOLANA_MAINNET", DestinationURL: destination, TemplateArgs: filter,
		})
		require.NoError(t, err)
		require.NotEmpty(t, hook.ID)
		require.Equal(t, new(false), hook.Enabled)
		require.Equal(t, "disabled", hook.Status)
		require.Equal(t, destination, hook.DestinationURL)
		ids = append(ids, hook.ID)
	}
	for range 2 {
		list, err := c.ListWebhooks(ctx)
		require.NoError(t, err)
		require.Len(t, list.Items, 2)
		require.Equal(t, ids, []string{list.Items[0].ID, list.Items[1].ID})
		require.Equal(t, "watch 1", list.Items[1].Name)

		_, err = c.UpdateWebhook(ctx, ids[0], webhooks.UpdateWebhookRequest{Enabled: new(true), Name: "renamed"})
		require.NoError(t, err)
		hook, err := c.GetWebhook(ctx, ids[0])
		require.NoError(t, err)
		require.Equal(t, new(true), hook.Enabled)
		require.Equal(t, "active", hook.Status)
		require.Equal(t, "renamed", hook.Name)
		var args struct{ Addresses []string }
		require.NoError(t, hook.TemplateArgs.Decode(&args))
		require.Equal(t, filter.Addresses, args.Addresses)
		_, err = c.UpdateWebhook(ctx, ids[0], webhooks.UpdateWebhookRequest{Enabled: new(false)})
		require.NoError(t, err)
		_, err = c.TestWebhook(ctx, ids[0])
		require.NoError(t, err)
	}
	for _, id := range ids {
		require.NoError(t, c.DeleteWebhook(ctx, id))
		_, err := c.GetWebhook(ctx, id)
		require.ErrorIs(t, err, walletfi.ErrNotFound)
	}
	list, err := c.ListWebhooks(ctx)
	require.NoError(t, err)
	require.Empty(t, list.Items)
}
