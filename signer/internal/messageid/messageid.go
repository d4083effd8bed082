// Package messageid names the messages that a signer counts.
package messageid

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/walletfi/walletfi-go/signing"
)

// Of is the identity of a message's debit: the hash of the client, the owner and the message.
func Of(client string, owner signing.PublicKey, message []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s,%s,", len(client), client, owner)
	h.Write(message)
	return hex.EncodeToString(h.Sum(nil))
}
