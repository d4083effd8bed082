package webhooks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// identity says which delivery a delivery is, to tell duplicates. Its key is the
// same in every process and takes a second SHA-256 over the body, as much as the
// verification. So it is made when it is asked for.
type identity struct {
	place string // the webhook and the place on the chain, each with a slash
	body  []byte

	make sync.Once
	text string
}

// identified is an identity with a key of the caller's.
func identified(key string) *identity {
	i := &identity{text: key}
	i.make.Do(func() {})
	return i
}

func (i *identity) key() string {
	i.make.Do(func() {
		sum := sha256.Sum256(i.body)
		i.text = i.place + hex.EncodeToString(sum[:])
	})
	return i.text
}

// name is this process's own name for a delivery: it is another one in each
// process, and does not leave it.
func (i *identity) name() string {
	return i.nameBy(bodyHash())
}

func (i *identity) nameBy(hash cipher.AEAD) string {
	if hash == nil {
		return i.key()
	}
	return string(hash.Seal(nil, make([]byte, hash.NonceSize()), nil, i.body))
}

// bodyHash makes names: the tag that AES-GCM gives a text that it does not encrypt.
// Whoever knows neither the key nor a tag finds no two texts with the same tag, and
// it takes a third of the time of SHA-256. It is nil where the process may not use it.
var bodyHash = sync.OnceValue(newBodyHash)

func newBodyHash() cipher.AEAD {
	var key [32]byte
	rand.Read(key[:])
	block, _ := aes.NewCipher(key[:]) // 32 bytes are a key
	hash, _ := cipher.NewGCM(block)
	return hash
}
