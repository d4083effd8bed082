package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/webhooks"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// WebhooksHandle controls the webhook service and what happens on its chains.
type WebhooksHandle struct{ service *webhooks.Service }

// Webhooks returns the handle of the webhook service.
func (s *Sandbox) Webhooks() WebhooksHandle { return WebhooksHandle{s.world().Webhooks} }

// The templates whose id carries a chain's name, as the sandbox names its two.
const (
	// LedgerWalletFilter watches the sandbox's own ledger.
	LedgerWalletFilter = webhooks.LedgerWalletFilter
	// UTXOWalletFilter watches the transactions of [WebhooksHandle.EmitUTXO].
	UTXOWalletFilter = webhooks.UTXOWalletFilter
)

// Secret returns the secret that the service signs its deliveries with, which a
// receiver must know. Its bytes, unchanged, are the key of the HMAC.
func (h WebhooksHandle) Secret() string { return h.service.Secret() }

// RotateSecret makes the service sign with a new secret, and returns it.
// Deliveries that wait for another attempt may still be signed with the old
// secret.
func (h WebhooksHandle) RotateSecret() string { return h.service.RotateSecret() }

// Deliver makes the service deliver a body to a webhook's destination, signed
// and with every retry. It fails if the webhook is disabled or marked failed.
func (h WebhooksHandle) Deliver(webhookID string, body []byte) error {
	return h.service.DeliverBody(webhookID, body)
}

// EVMTransaction is a transaction of a made-up EVM chain, with the field names
// of the delivery's payload. Empty fields get defaults.
type EVMTransaction = play.EVMTransaction

// EVMLog is an event that a contract emitted.
type EVMLog = play.EVMLog

// EmitEVM makes a block with the transactions on an EVM chain. Each webhook of
// an EVM template on that network gets the matching transactions in one
// delivery: from or to one of its wallets, or with an event of its contracts.
// The filter by ABI, whose arguments are not documented, matches every call and
// every event. An empty network means all.
func (h WebhooksHandle) EmitEVM(network string, transactions ...EVMTransaction) {
	h.service.EmitEVM(network, transactions...)
}

// UTXOTransaction is a transaction of a made-up chain of unspent outputs.
type UTXOTransaction = play.UTXOTransaction

// UTXOAmount is an input or an output.
type UTXOAmount = play.UTXOAmount

// EmitUTXO makes a block with the transactions on a chain of unspent outputs.
// Each webhook of [UTXOWalletFilter] on that network gets those that touch one
// of its addresses in one delivery. An empty network means all.
func (h WebhooksHandle) EmitUTXO(network string, transactions ...UTXOTransaction) {
	h.service.EmitUTXO(network, transactions...)
}
