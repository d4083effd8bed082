// Package keyring reads the users' keys of backends that kept them in their own database.
package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Seal decrypts such keys: AES-256-GCM with a random nonce.
type Seal struct {
	aead cipher.AEAD
}

// NewSeal takes the master key: 32 bytes in base64.
func NewSeal(master walletfi.Secret) (*Seal, error) {
	key, err := base64.StdEncoding.DecodeString(master.Reveal())
	if err != nil || len(key) != 32 {
		return nil, errors.New("the master key is not 32 bytes in base64")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Seal{aead}, nil
}

// Open decrypts the seed of a user's key. One that was moved to another user's record does
// not open.
func (s *Seal) Open(sealed, userID string) (seed []byte, err error) {
	text, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, err
	}
	if seed, err = s.aead.Open(nil, nil, text, []byte("key of user "+userID)); err != nil {
		return nil, fmt.Errorf("the key of user %s cannot be decrypted: another master key, or it was changed", userID)
	}
	return seed, nil
}
