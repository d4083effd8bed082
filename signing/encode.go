package signing

import (
	"encoding/base64"
	"unsafe"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
)

// Base64 returns the transaction, signed or not.
func (t *Transaction) Base64() walletfi.Base64Transaction {
	text := make([]byte, base64.StdEncoding.EncodedLen(len(t.wire.Raw)))
	if t.text == "" {
		encodeBase64(text, t.wire.Raw)
	} else {
		// Only the signatures are rewritten, in whole groups of three bytes.
		copy(text, t.text)
		from, to := t.wire.Slots()
		from, to = from/3, (to+2)/3
		encodeBase64(text[4*from:4*to], t.wire.Raw[3*from:min(3*to, len(t.wire.Raw))])
	}
	// Nothing else holds text, so the string may share its bytes.
	return walletfi.Base64Transaction(unsafe.String(unsafe.SliceData(text), len(text)))
}

// Base58 returns the transaction, signed or not.
func (t *Transaction) Base58() walletfi.Base58Transaction {
	return walletfi.Base58Transaction(base58.Encode(t.wire.Raw))
}

// Signed returns what a Submitter sends. Its signature is empty if the fee
// payer, a sponsor, has yet to sign.
func (t *Transaction) Signed() walletfi.Signed {
	s := walletfi.Signed{Transaction: t.Base64()}
	if first := t.Signature(); !first.IsZero() {
		s.Signature = first.String()
	}
	return s
}
