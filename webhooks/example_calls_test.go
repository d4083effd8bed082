package webhooks_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*webhooks.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := webhooks.New(webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Webhooks)),
		Options: s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

// watchWallet makes a webhook that watches the sandbox's wallet.
func watchWallet(client *webhooks.Client, s *sandbox.Sandbox) (*webhooks.Webhook, error) {
	return client.CreateWebhook(context.Background(), sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
		Name: "watch", Network: "SOLANA_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{s.WalletAddress()}},
	})
}

func ExampleClient_UpdateWebhook() {
	client, s := onSandbox()
	defer s.Close()
	hook, err := watchWallet(client, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.UpdateWebhook(context.Background(), hook.ID, webhooks.UpdateWebhookRequest{Enabled: new(false)})
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := client.ListWebhooks(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, hook := range list.Items {
		fmt.Println(hook.Name, "is enabled:", *hook.Enabled)
	}
	// Output: watch is enabled: false
}

func ExampleClient_DeleteWebhook() {
	client, s := onSandbox()
	defer s.Close()
	hook, err := watchWallet(client, s)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := client.DeleteWebhook(context.Background(), hook.ID); err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.GetWebhook(context.Background(), hook.ID)
	fmt.Println("gone:", errors.Is(err, walletfi.ErrNotFound))
	// Output: gone: true
}

// A body that was verified is read as the template's payload.
func ExampleParseDelivery() {
	d := webhooks.ParseDelivery([]byte(
		`{"webhookId":"wh_1","network":"SOLANA_MAINNET","timestamp":1767225600,"slot":312,"transactions":[]}`,
	))
	if d.DecodeErr != nil {
		fmt.Println(d.DecodeErr)
		return
	}
	fmt.Println(d.WebhookID, "slot", d.Ledger.Slot)
	// Output: wh_1 slot 312
}
