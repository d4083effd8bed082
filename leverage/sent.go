package leverage

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go"
)

// Sent is the answer to a relay. Its shape is not documented, and no shape is a
// failure where the service said success: everything is in Raw.
type Sent struct {
	// Signature is that of the transaction, of a bundle's first one, base58. It
	// is read from what was signed; only where the fee payer has yet to sign is
	// it what the service says.
	Signature string
	// BundleID is the service's name for the bundle, empty where it tells none.
	BundleID string
	Raw      walletfi.Document

	text string // the whole answer, where it is a text
}

// sentIn looks for the usual names, in the answer or in a data or result
// member of it.
func sentIn(doc walletfi.Document) Sent {
	sent := Sent{Raw: doc}
	if json.Unmarshal(doc, &sent.text) == nil {
		return sent
	}
	var object map[string]json.RawMessage
	for part := range 2 {
		if part == 1 {
			object = inner(object)
		} else if json.Unmarshal(doc, &object) != nil {
			return sent
		}
		for name, to := range map[string]*string{
			"signature": &sent.Signature, "bundleId": &sent.BundleID,
		} {
			var text string
			if json.Unmarshal(object[name], &text) == nil && *to == "" {
				*to = text
			}
		}
	}
	return sent
}

// inner is the object within an envelope, nil where there is none.
func inner(object map[string]json.RawMessage) map[string]json.RawMessage {
	for _, name := range []string{"data", "result"} {
		var within map[string]json.RawMessage
		if json.Unmarshal(object[name], &within) == nil && within != nil {
			return within
		}
	}
	return nil
}
