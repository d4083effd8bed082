package signing

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mr-tron/base58"
)

// errKeyText does not quote the text, which is a secret even if it is
// malformed.
var errKeyText = errors.New("signing: not a private key: neither a JSON array of 64 bytes nor the base58 of 64 bytes")

// maxKeyFile is more than an array of 64 numbers takes, a number per line.
const maxKeyFile = 4096

// KeyFileOption changes how [LoadLocalKey] reads a file.
type KeyFileOption int

// AllowOpenKeyFile reads a file that its group or others may read or write, as mounted
// secrets often are. Whoever can read it can spend what the key holds.
const AllowOpenKeyFile KeyFileOption = 1

// LoadLocalKey reads a key from a file as solana-keygen writes it: a JSON
// array of 64 numbers. A file that holds the base58 text which wallets export
// is read too. A symbolic link is followed. A file with any permission for its group or
// for others is refused, unless [AllowOpenKeyFile] is given; Windows has no such
// permissions.
func LoadLocalKey(path string, opts ...KeyFileOption) (*LocalKey, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("signing: key file: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("signing: key file: %w", err)
	}
	if !slices.Contains(opts, AllowOpenKeyFile) && runtime.GOOS != "windows" {
		if err := private(path, info); err != nil {
			return nil, err
		}
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile+1))
	defer clear(text)
	if err != nil {
		return nil, fmt.Errorf("signing: key file: %w", err)
	}
	if len(text) > maxKeyFile {
		return nil, errKeyText
	}
	return ParseLocalKey(text)
}

// private refuses a file that others than its owner may use, and names what a link
// leads to.
func private(path string, info os.FileInfo) error {
	open := info.Mode().Perm() & 0o077
	if open == 0 || !info.Mode().IsRegular() {
		return nil
	}
	name := path
	if real, err := filepath.EvalSymlinks(path); err == nil && filepath.Clean(real) != filepath.Clean(path) {
		name += ", a link to " + real + ","
	}
	return fmt.Errorf("signing: key file: %s is open to its group or to others (mode %04o): "+
		"chmod 600 it, or give signing.AllowOpenKeyFile", name, info.Mode().Perm())
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
