package leverage

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/echo"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Sent is the answer to a relay. Its shape is not documented; after a 2xx any
// shape is a success, unless it names the signature of another transaction: then the outcome
// is unknown. Everything is in Raw.
type Sent struct {
	// Signature is that of the transaction, or of the first transaction of a
	// bundle, base58. It is read from the signed bytes. Only if the fee payer has
	// not signed yet is it taken from the answer.
	Signature string
	// BundleID is the service's id of the bundle, empty if the answer holds none.
	BundleID string
	Raw      walletfi.Document

	text string // the whole answer, if it is a JSON string
}

// signature is that which the answer names, itself or as a member.
func (s Sent) signature() string { return cmp.Or(s.Signature, s.text) }

// sentIn looks for the usual names in the answer, or in its data or result
// member.
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

// ofSent holds the signature that an answer names, if it does, against those of what was sent.
func ofSent(named func(Sent) string, signatures ...string) func(any) error {
	return transport.Echo(func(doc *walletfi.Document) error {
		answered := named(sentIn(*doc))
		if slices.Contains(signatures, "") || check.Signature("signature", answered) != nil {
			return nil // the fee payer has not signed yet, or it is an id of another kind
		}
		return echo.AmongKeys("signature", signatures, answered)
	})
}

// inner returns the object within an envelope, or nil.
func inner(object map[string]json.RawMessage) map[string]json.RawMessage {
	for _, name := range []string{"data", "result"} {
		var within map[string]json.RawMessage
		if json.Unmarshal(object[name], &within) == nil && within != nil {
			return within
		}
	}
	return nil
}
