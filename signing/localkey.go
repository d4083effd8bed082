package signing

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
)

// LocalKey signs with a private key in this process's memory. It never
// prints: every fmt verb, slog and JSON shows its public key or an error.
type LocalKey struct{ secret func() *localSecret }

// localSecret keeps the one slice whose address ed25519 remembers the expanded
// key by. A func returns it, because fmt follows a pointer for some
// verbs, even in another struct's unexported field.
type localSecret struct {
	mu      sync.RWMutex // of private, which Close clears
	private ed25519.PrivateKey
	public  PublicKey
	closed  bool
}

// ErrKeyClosed is the error of [LocalKey.Sign] after [LocalKey.Close].
var ErrKeyClosed = errors.New("signing: the key is closed")

var errKeyPair = errors.New("signing: the public half of the key does not belong to its private half")

// NewLocalKey copies a private key of 64 bytes: the seed, then the public
// key. A public half that does not belong to the seed is an error, since
// signing with such a pair gives the private key away.
func NewLocalKey(private []byte) (*LocalKey, error) {
	if len(private) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("signing: a private key has %d bytes, not %d", ed25519.PrivateKeySize, len(private))
	}
	key := fromSeed(private[:ed25519.SeedSize])
	if key.secret().public != PublicKey(private[ed25519.SeedSize:]) {
		return nil, errKeyPair
	}
	return key, nil
}

// NewLocalKeyFromSeed derives the key of a seed of 32 bytes.
func NewLocalKeyFromSeed(seed []byte) (*LocalKey, error) {
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("signing: a seed has %d bytes, not %d", ed25519.SeedSize, len(seed))
	}
	return fromSeed(seed), nil
}

// GenerateLocalKey makes a new random key.
func GenerateLocalKey() (*LocalKey, error) {
	var seed [ed25519.SeedSize]byte
	rand.Read(seed[:]) // which never fails
	return fromSeed(seed[:]), nil
}

func fromSeed(seed []byte) *LocalKey {
	private := ed25519.NewKeyFromSeed(seed)
	secret := &localSecret{private: private, public: PublicKey(private[ed25519.SeedSize:])}
	return &LocalKey{func() *localSecret { return secret }}
}

// PublicKey returns the public half.
func (k *LocalKey) PublicKey() PublicKey { return k.secret().public }

// Sign signs message. It fails only if ctx has ended or the key is closed.
func (k *LocalKey) Sign(ctx context.Context, message []byte) (Signature, error) {
	if err := ctx.Err(); err != nil {
		return Signature{}, err
	}
	s := k.secret()
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return Signature{}, ErrKeyClosed
	}
	return Signature(ed25519.Sign(s.private, message)), nil
}

// Close overwrites the private key with zeros, of all copies of the LocalKey, once no Sign
// uses it. It never fails. Copies that Go or the system made elsewhere may stay, such as what
// crypto/ed25519 derived of the key, stacks that grew, pages on a swap device and core dumps.
func (k *LocalKey) Close() error {
	s := k.secret()
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.private)
	s.closed = true
	return nil
}

// String names the public key.
func (k LocalKey) String() string {
	if k.secret == nil {
		return "LocalKey()"
	}
	return "LocalKey(" + k.secret().public.String() + ")"
}

// GoString names the public key.
func (k LocalKey) GoString() string { return k.String() }

// Format writes the public key for every verb.
func (k LocalKey) Format(f fmt.State, _ rune) { io.WriteString(f, k.String()) }

// LogValue gives slog the public key.
func (k LocalKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalJSON always fails.
func (k LocalKey) MarshalJSON() ([]byte, error) {
	return nil, errors.New("signing: a LocalKey is not marshalled")
}
