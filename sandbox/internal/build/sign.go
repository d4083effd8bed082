package build

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
)

// SignTransaction signs a transaction, in base64 or base58, with the wallet. It fills
// the wallet's slot and leaves the others as they are.
func (s *Chain) SignTransaction(text string) (transaction []byte, inBase58, signature string, err error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		raw, err = base58.Decode(text)
	}
	if err != nil {
		return nil, "", "", errors.New("sandbox: transaction is neither base64 nor base58")
	}
	tx, err := solana.TransactionFromBytes(raw)
	if err != nil {
		return nil, "", "", fmt.Errorf("sandbox: transaction cannot be read: %w", err)
	}
	at := slices.Index(tx.Message.AccountKeys, PublicKey(s.wallet))
	if at < 0 || at >= int(tx.Message.Header.NumRequiredSignatures) {
		return nil, "", "", errors.New("sandbox: the test wallet is not a signer of the transaction")
	}
	if raw, err = s.Encode(tx, []ed25519.PrivateKey{s.wallet}); err != nil {
		return nil, "", "", err
	}
	return raw, base58.Encode(raw), tx.Signatures[0].String(), nil
}
