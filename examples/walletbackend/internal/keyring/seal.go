package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Seal encrypts secrets at rest: AES-256-GCM with a random nonce.
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

// Close encrypts a secret. It opens only with the same label, so that a sealed key
// that is moved to another user's record does not open.
func (s *Seal) Close(secret []byte, label string) string {
	return base64.StdEncoding.EncodeToString(s.aead.Seal(nil, nil, secret, []byte(label)))
}

// Open decrypts what Close returned.
func (s *Seal) Open(sealed, label string) ([]byte, error) {
	text, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, err
	}
	secret, err := s.aead.Open(nil, nil, text, []byte(label))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be decrypted: another master key, or it was changed", label)
	}
	return secret, nil
}
