package main

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// signedDelivery shows that a signed delivery is handled once and a forged one
// refused.
func signedDelivery(ctx context.Context, t *tour) error {
	handled := make(chan *webhooks.Delivery, 4)
	secret := walletfi.NewSecret(t.sandbox.Webhooks().Secret())
	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{secret}, Now: t.sandbox.Now},
		Handler:  func(_ context.Context, d *webhooks.Delivery) error { handled <- d; return nil },
	})
	if err != nil {
		return err
	}
	c, err := webhooks.New(webhooks.Config{
		BaseURL: t.sandbox.URL(sandbox.Webhooks), APIKey: walletfi.NewSecret(t.sandbox.APIKey(sandbox.Webhooks)),
	})
	if err != nil {
		return err
	}
	made, err := c.CreateWebhook(ctx, sandbox.LedgerWalletFilter, webhooks.CreateWebhookRequest{
		Name: "my wallet", Network: "solana-mainnet", DestinationURL: "https://bot.example.com/hooks", Enabled: true,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{t.me}},
	})
	if err != nil {
		return err
	}
	t.say("webhook    %s watches %s", made.ID, t.me)

	body := fmt.Appendf(nil,
		`{"webhookId":%q,"network":"solana-mainnet","slot":7,"transactions":[{"signature":"S1"}]}`, made.ID)
	signer := webhooks.DeliverySigner{Secret: secret, Now: t.sandbox.Now}
	deliver := func(forged bool) int {
		request := signer.Request("http://bot/hooks", body)
		if forged {
			request = signer.Tampered("http://bot/hooks", body)
		}
		answer := httptest.NewRecorder()
		receiver.ServeHTTP(answer, request)
		return answer.Code
	}
	first, again, forged := deliver(false), deliver(false), deliver(true)
	t.say("delivered  HTTP %d, again HTTP %d, forged HTTP %d; handled %d", first, again, forged, len(handled))
	return check(first == 200 && again == 200 && forged == 401 && len(handled) == 1,
		"handled once, and the forgery refused")
}
