// Package webhooks is the client of a service that watches addresses and
// contracts on several chains and notifies an HTTPS destination, and the
// receiver for such a destination.
//
//	receiver, err := webhooks.NewReceiver(webhooks.ReceiverConfig{
//		Verifier: webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret(os.Getenv("WEBHOOK_SECRET"))}},
//		Handler: func(ctx context.Context, d *webhooks.Delivery) error {
//			return store(ctx, d.Key(), d.Raw)
//		},
//	})
//	...
//	http.Handle("/hook", receiver)
//
//	client, err := webhooks.New(webhooks.Config{
//		BaseURL: "https://webhooks.example.com",
//		APIKey:  walletfi.NewSecret(os.Getenv("WEBHOOKS_KEY")),
//	})
//	...
//	hook, err := client.CreateWebhook(ctx, webhooks.TemplateEVMWalletFilter, webhooks.CreateWebhookRequest{
//		Name: "wallets", Network: "ETH_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
//		TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0x52908400098527886E0F7030069857D2E4169EE7"}},
//	})
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Management
//
// [Client.CreateWebhook] makes a webhook from a template; [Client.ListWebhooks], [Client.GetWebhook],
// [Client.UpdateWebhook], [Client.DeleteWebhook] and [Client.TestWebhook] do what they say.
// Authentication is Authorization: Bearer. The answers are not documented: a
// [Webhook] has fields for what can be known, and all of it in Raw. Neither error
// bodies nor rate limits are documented.
//
// ListWebhooks, GetWebhook, UpdateWebhook and DeleteWebhook are repeated if no connection
// was made, after a timeout or a broken answer, after a 5xx, and after a 429 once the limit
// has reset. CreateWebhook and TestWebhook would happen twice: they are repeated only if no
// connection was made, and fail with [walletfi.ErrOutcomeUnknown] without a clear
// answer.
//
// # Receiving
//
// A [Receiver] verifies the signature over the bytes as they came, runs a
// [Handler] once per delivery, and answers with the status that the service
// needs. The service waits 30 seconds for an answer and tries five times: at
// once, after 1 minute, 5 minutes, 30 minutes and 2 hours. After that it marks
// the webhook failed and every later event is lost, so give a Receiver a
// DeadLetter function.
//
// # How often a handler runs
//
// At least once, by default: again if the process died between the end of the
// handler and the commit to [Seen], if Seen is in memory and the process
// restarted, and if the service changed the body between two attempts.
//
// Exactly once, if the handler's effect is a write to a database, and the handler
// commits the delivery to Seen in the same transaction: see [Seen]. Without the
// Inbox below, the service has the event until then.
//
// With a Queue the service gets a 200 before the handler ran, so that a process
// that dies loses what it had queued. With an [Inbox] it gets a 200 once the
// delivery is stored; it is handled afterwards at least once, or exactly once as
// above, and a failure of the handler cannot end the service's deliveries. Neither
// keeps the order: two events of one wallet may be handled in any order and at
// the same time. The slot or block number of a delivery orders them.
//
// If you have a server of your own, use [Verifier.Verify] and then
// [ParseDelivery], or a [DeliveryReader] for a deployment's words. A [DeliverySigner] makes deliveries for tests.
package webhooks
