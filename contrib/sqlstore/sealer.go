package sqlstore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// sealer encrypts with AES-256-GCM under a random nonce. What was encrypted for one
// row cannot be opened as another.
type sealer struct{ keys []sealingKey }

type sealingKey struct {
	id   string // by which a row names its key; it tells nothing of it
	aead cipher.AEAD
}

// newSealer makes one of keys, the newest first, which may be none.
func newSealer(keys []walletfi.Secret) (*sealer, error) {
	s := &sealer{}
	for i, key := range keys {
		field := fmt.Sprintf("keys[%d]", i)
		raw, err := base64.StdEncoding.DecodeString(key.Reveal())
		if err != nil || len(raw) != 32 { // the error would show part of the key
			return nil, invalid(field, "must be 32 bytes as base64")
		}
		block, err := aes.NewCipher(raw)
		if err != nil {
			return nil, invalid(field, "is not a key")
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, err
		}
		id := sha256.Sum256(append([]byte("walletfi sqlstore key\x00"), raw...))
		s.keys = append(s.keys, sealingKey{hex.EncodeToString(id[:8]), aead})
	}
	return s, nil
}

// seal encrypts text for a row, under the newest key.
func (s *sealer) seal(row string, text []byte) (keyID string, sealed []byte, err error) {
	if len(s.keys) == 0 {
		return "", nil, ErrNoKey
	}
	key := s.keys[0]
	return key.id, key.aead.Seal(nil, nil, text, identity(row, key.id)), nil
}

// open decrypts what seal returned for the same row.
func (s *sealer) open(row, keyID string, sealed []byte) ([]byte, error) {
	for _, key := range s.keys {
		if key.id != keyID {
			continue
		}
		text, err := key.aead.Open(nil, nil, sealed, identity(row, keyID))
		if err != nil {
			return nil, fmt.Errorf("%w: what is stored for %s is not what was encrypted for it", ErrDamaged, row)
		}
		return text, nil
	}
	return nil, fmt.Errorf("%w: %s was encrypted with key %s", ErrNoKey, row, keyID)
}

func identity(row, keyID string) []byte { return fmt.Appendf(nil, "%q %s", row, keyID) }
