package services

import (
	"context"

	"github.com/walletfi/walletfi-go/webhooks"
)

// Watch is a webhook that watches wallets on the ledger.
type Watch struct {
	Name, Network, Template, Destination string
	Wallets                              []string
}

// Register creates the webhook, or updates the one of the same name: a
// second one would deliver everything twice.
func (c *Clients) Register(ctx context.Context, w Watch) error {
	page, err := c.Webhooks.ListWebhooks(ctx)
	if err != nil {
		return err
	}
	filter := webhooks.WalletFilter{Addresses: w.Wallets}
	for _, hook := range page.Items {
		if hook.Name == w.Name {
			_, err := c.Webhooks.UpdateWebhook(ctx, hook.ID, webhooks.UpdateWebhookRequest{
				Enabled: new(true), DestinationURL: w.Destination, TemplateArgs: filter,
			})
			return err
		}
	}
	_, err = c.Webhooks.CreateWebhook(ctx, webhooks.Template(w.Template), webhooks.CreateWebhookRequest{
		Name: w.Name, Network: w.Network, TemplateArgs: filter, DestinationURL: w.Destination, Enabled: true,
	})
	return err
}
