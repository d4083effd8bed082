// Package observe says what the SDK does while it does it: for traces, metrics and
// logs. Set an [Observer] as Observer in walletfi.Options, in wallet.Config,
// webhooks.ReceiverConfig, rpcnode.Config or rpcnode.WatcherConfig; the module
// contrib/otelwalletfi makes one that speaks OpenTelemetry.
//
//	observer := observe.OnAttempt(func(ctx context.Context, a observe.Attempt, end observe.AttemptEnd) {
//		log.Println(a.Service, a.Op, end.StatusCode, end.Duration)
//	})
//	client, err := lending.New(lending.Config{BaseURL: url, Options: walletfi.Options{Observer: observer}})
//
// What has a duration is an [Operation] with an [End]: [Call], [Attempt],
// [LimiterWait], [Backoff], [TokenRefresh], [Execution], [Guard], [Sign], [Submit],
// [Confirm], [Handle]. What happens at an instant is an [Event]: [LimiterState],
// [ServiceBudget], [Spent], [Drift], [Unsettled], [FeedConnected], [FeedDisconnected],
// [FeedGap], [FeedDropped], [FeedLag], [DeliveryVerified], [DeliveryRefused],
// [DeliveryDuplicate], [DeliveryRetried], [DeliveryDead].
//
// Contexts nest: an attempt runs in the context that Start returned for its call,
// and its HTTP request has the context that Start returned for the attempt. A
// round tripper that propagates traces, such as otelhttp's, finds the span there.
//
// # What is in an event
//
// No credential, no query and no body is in any field. Some fields can tell which
// user acted, so that a program should export them only where it may: Owner,
// Signature, Delivery, and Path, which has the address that a route asks about (Route
// is the path without it). The text of an Err can name addresses too; export what
// errors.Is says of it. The node's address is nowhere, since many nodes take their
// key in it.
package observe
