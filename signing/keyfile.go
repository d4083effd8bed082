package signing

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/mr-tron/base58"
)

// errKeyText does not quote the text, which is a secret even if it is
// malformed.
var errKeyText = errors.New("signing: not a private key: neither a JSON array of 64 bytes nor the base58 of 64 bytes")

// maxKeyFile is more than an array of 64 numbers takes, a number per line.
const maxKeyFile = 4096

// LoadLocalKey reads a key from a file as solana-keygen writes it: a JSON
// array of 64 numbers. A file that holds the base58 text which wallets export
// is read too.
func LoadLocalKey(path string) (*LocalKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("signing: key file: %w", err)
	}
	if info.Size() > maxKeyFile {
		return nil, errKeyText
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("signing: key file: %w", err)
	}
	defer clear(text)
	return ParseLocalKey(text)
}

// ParseLocalKey reads a key from text: a JSON array of 64 numbers, or base58.
// White space around it is ignored. Errors never show the text.
func ParseLocalKey(text []byte) (*LocalKey, error) {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("[")) {
		return parseKeyArray(text)
	}
	if len(text) > maxSignatureText {
		return nil, errKeyText
	}
	private, _ := base58.Decode(string(text)) // nothing if it is no base58
	defer clear(private)
	if len(private) != ed25519.PrivateKeySize {
		return nil, errKeyText
	}
	return NewLocalKey(private)
}

func parseKeyArray(text []byte) (*LocalKey, error) {
	var numbers []int
	defer func() { clear(numbers) }()
	if json.Unmarshal(text, &numbers) != nil || len(numbers) != ed25519.PrivateKeySize {
		return nil, errKeyText
	}
	var private [ed25519.PrivateKeySize]byte
	defer clear(private[:])
	for i, n := range numbers {
		if n < 0 || n > 255 {
			return nil, errKeyText
		}
		private[i] = byte(n)
	}
	return NewLocalKey(private[:])
}
