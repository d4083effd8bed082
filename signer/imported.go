package signer

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"

	"github.com/walletfi/walletfi-go/signing"
)

// ImportedKey is a key that was elsewhere before, such as in the database of a backend. A file of
// the command import has one a line, as JSON, and is encrypted by age.
type ImportedKey struct {
	// Name is the owner's, as in protocol.NewOwner.
	Name string `json:"name"`
	// Seed are the 32 bytes of the private key, base64 in JSON.
	Seed []byte `json:"seed"`
}

// ImportOwner takes in an owner of a template with a key that was elsewhere before. It is told of
// as such, and counts under the template's Most but not under Made. The key is in the log,
// encrypted by one that is derived from Config.Seed: a backup of both has it. Another call with
// the same key answers the same. The error is always a *signing.SetRefusal.
func (s *Signer) ImportOwner(ctx context.Context, template string, k ImportedKey) (signing.PublicKey, error) {
	if s.Policy().template(template) == nil || len(k.Seed) != ed25519.SeedSize {
		return signing.PublicKey{}, refuse(CodeRequest,
			"there is no template %.50q, or the key of owner %.50q has not %d bytes", template, k.Name, ed25519.SeedSize)
	}
	private := ed25519.NewKeyFromSeed(k.Seed)
	defer clear(private)
	e := madeEntry{Name: k.Name, Template: template, Key: signing.PublicKey(private.Public().(ed25519.PublicKey))}
	seal, err := s.seal(ctx)
	if err != nil {
		return e.Key, waits(CodeBackend, "%v", err)
	}
	e.Sealed = seal.Seal(nil, nil, k.Seed, e.bound())
	s.making.Lock()
	defer s.making.Unlock()
	if key, err := s.addOwner(ctx, "", e); err != nil {
		return key, asRefusal(err)
	}
	return e.Key, nil
}

// bound ties a sealed key to its owner: it opens with nothing else.
func (e *madeEntry) bound() []byte { return fmt.Appendf(nil, "%s %s", e.Key, e.Name) }

// seal encrypts keys that were elsewhere before, with random nonces.
func (s *Signer) seal(ctx context.Context) (cipher.AEAD, error) {
	key, err := s.derived(ctx, "sealed owners")
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// secretOf is the key of an owner that was made or imported.
func (s *Signer) secretOf(ctx context.Context, e madeEntry) (*signing.LocalKey, error) {
	if e.Sealed == nil {
		raw, err := s.derived(ctx, "owner "+e.Name)
		if err != nil {
			return nil, err
		}
		return signing.NewLocalKeyFromSeed(raw)
	}
	seal, err := s.seal(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := seal.Open(nil, nil, e.Sealed, e.bound())
	if err != nil {
		return nil, fmt.Errorf("signer: Config.Seed is not the one that owner %q was imported under", e.Name)
	}
	defer clear(raw)
	return signing.NewLocalKeyFromSeed(raw)
}

// derived has 32 bytes that only the seed yields, for one purpose.
func (s *Signer) derived(ctx context.Context, purpose string) ([]byte, error) {
	if s.seed == nil {
		return nil, errNoSeed
	}
	seed, err := signOnce(ctx, s.seed, []byte(seedText))
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, seed[:], nil, purpose, ed25519.SeedSize)
}
