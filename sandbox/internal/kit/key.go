package kit

import (
	"net/http"

	"github.com/gagliardetto/solana-go"
)

// Key reads an address that a request names.
func (c *Call) Key(text, field string) (solana.PublicKey, error) {
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil || len(text) > 44 {
		return key, Refuse(http.StatusBadRequest, "", "%s is no address", field)
	}
	return key, nil
}
