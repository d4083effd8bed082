// Package otelwalletfi makes OpenTelemetry spans and metrics of what the clients,
// the wallet, the feed and the webhook receiver do.
package otelwalletfi

import _ "github.com/walletfi/walletfi-go"
