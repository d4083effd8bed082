// Package otelwalletfi makes OpenTelemetry spans and metrics of what the clients,
// the wallet, a node, the feed and the webhook receiver do.
//
//	observer, err := otelwalletfi.New(otelwalletfi.Config{}) // the global providers
//	client, err := lending.New(lending.Config{BaseURL: url, Options: walletfi.Options{Observer: observer}})
//	w, err := wallet.New(wallet.Config{Observer: observer, ...})
//
// A call is a span such as lending.BuildDeposit with its attempts as children. The
// request of an attempt has the attempt's context, so that a round tripper that
// propagates traces goes on with it. README.md lists every span and metric, and
// dashboard.json shows them in Grafana.
//
// No credential, query, body or error text is exported. Of an error only its kind is,
// such as "rate_limited". Addresses, signatures, the keys of deliveries and paths are
// attributes of spans if [Config] has Users, and never of metrics. Names are bounded:
// after 256 different values of an attribute, further ones are "_OTHER".
package otelwalletfi
