package webhooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/walletfi/walletfi-go"
)

// Delivery is one notification whose signature was verified. Of Ledger and EVM
// at most one is set: neither where the body is an array or has an envelope
// that is not known.
type Delivery struct {
	WebhookID string
	Network   string
	Timestamp walletfi.Time // of the payload
	Ledger    *LedgerPayload
	EVM       *EVMPayload
	Body      walletfi.Document // as it came, in the service's words

	key string
}

// Key names the delivery for deduplication: the webhook, the slot or the
// block, and the hash of the body.
func (d *Delivery) Key() string { return d.key }

// newDelivery reads a verified body. What is not understood stays in Body: a
// delivery is lost if it is refused for its form.
func newDelivery(body, neutral []byte) *Delivery {
	d := &Delivery{Body: body}
	place := d.read(neutral)
	sum := sha256.Sum256(body)
	d.key = d.WebhookID + "/" + place + "/" + hex.EncodeToString(sum[:])
	return d
}

// read fills what is known and returns where on the chain it was.
func (d *Delivery) read(body []byte) (place string) {
	if !bytes.HasPrefix(body, []byte("{")) {
		return ""
	}
	var envelope struct {
		WebhookID string          `json:"webhookId"`
		Network   string          `json:"network"`
		Timestamp walletfi.Time   `json:"timestamp"`
		Slot      json.RawMessage `json:"slot"`
		BlockHash string          `json:"blockHash"`
		Number    json.RawMessage `json:"blockNumber"`
	}
	if json.Unmarshal(body, &envelope) != nil {
		return ""
	}
	d.WebhookID, d.Network, d.Timestamp = envelope.WebhookID, envelope.Network, envelope.Timestamp
	switch {
	case len(envelope.Slot) > 0:
		var p LedgerPayload
		if json.Unmarshal(body, &p) == nil {
			d.Ledger = &p
		}
		return string(bytes.Trim(envelope.Slot, `"`))
	case envelope.BlockHash != "" || len(envelope.Number) > 0:
		var p EVMPayload
		if json.Unmarshal(body, &p) == nil {
			d.EVM = &p
		}
		return envelope.BlockHash
	}
	return ""
}
