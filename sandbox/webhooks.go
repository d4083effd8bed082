package sandbox

import "github.com/walletfi/walletfi-go/sandbox/internal/webhooks"

// WebhooksHandle controls the webhook service and what happens on its chains.
type WebhooksHandle struct{ service *webhooks.Service }

// Webhooks returns the handle of the webhook service.
func (s *Sandbox) Webhooks() WebhooksHandle { return WebhooksHandle{s.world.Webhooks} }

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
type EVMTransaction struct {
	Hash     string // 32 bytes, hex
	From     string
	To       string
	Value    string // wei; "0" if empty
	Gas      string // "21000" if empty
	GasPrice string // wei; "1000000000" if empty
	Input    string // hex; "0x" if empty
	Nonce    uint64
	Logs     []EVMLog
}

// EVMLog is an event that a contract emitted.
type EVMLog struct {
	// Event is the signature, such as "Transfer(address,address,uint256)". Its
	// hash goes before Topics. Empty if Topics are complete.
	Event    string
	Address  string
	Topics   []string
	Data     string // hex; "0x" if empty
	LogIndex int
}

// EmitEVM makes a block with the transactions on an EVM chain. Each webhook of
// an EVM template on that network gets the matching transactions in one
// delivery: from or to one of its wallets, or with an event of its contracts.
// The filter by ABI, whose arguments are not documented, matches every call and
// every event. An empty network means all.
func (h WebhooksHandle) EmitEVM(network string, transactions ...EVMTransaction) {
	block := make([]webhooks.EVMTransaction, 0, len(transactions))
	for _, t := range transactions {
		logs := make([]webhooks.EVMLog, 0, len(t.Logs))
		for _, l := range t.Logs {
			logs = append(logs, webhooks.EVMLog(l))
		}
		block = append(block, webhooks.EVMTransaction{
			Hash: t.Hash, From: t.From, To: t.To, Value: t.Value, Gas: t.Gas, GasPrice: t.GasPrice,
			Input: t.Input, Nonce: t.Nonce, Logs: logs,
		})
	}
	h.service.EmitEVM(network, block...)
}

// UTXOTransaction is a transaction of a made-up chain of unspent outputs.
type UTXOTransaction struct {
	TxID    string // filled in if empty
	Inputs  []UTXOAmount
	Outputs []UTXOAmount
}

// UTXOAmount is an input or an output.
type UTXOAmount struct {
	Address string
	Value   uint64 // smallest units
}

// EmitUTXO makes a block with the transactions on a chain of unspent outputs.
// Each webhook of [UTXOWalletFilter] on that network gets those that touch one
// of its addresses in one delivery. An empty network means all.
func (h WebhooksHandle) EmitUTXO(network string, transactions ...UTXOTransaction) {
	block := make([]webhooks.UTXOTransaction, 0, len(transactions))
	for _, t := range transactions {
		block = append(block, webhooks.UTXOTransaction{TxID: t.TxID, Inputs: utxoAmounts(t.Inputs), Outputs: utxoAmounts(t.Outputs)})
	}
	h.service.EmitUTXO(network, block...)
}

func utxoAmounts(all []UTXOAmount) (amounts []webhooks.UTXOAmount) {
	for _, a := range all {
		amounts = append(amounts, webhooks.UTXOAmount(a))
	}
	return amounts
}
