package signertest_test

import (
	"context"
	"crypto/rand"
	"crypto/sha512"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"filippo.io/edwards25519"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"github.com/walletfi/walletfi-go/wallet"
)

var payee = signingtest.Key("payee").PublicKey()

const policy = `version = 1
genesis = "{{.Genesis}}"
[fees]
network = 10_000
[[owner]]
name = "bot"
key = "{{.Key}}"
[[owner.ceiling]]
mint = "SOL"
transaction = 2_000_000_000
window = [{length = "1h", most = 3_000_000_000}]
[[payee]]
name = "exchange"
address = "PAYEE"
[[client]]
name = "trader"
uid = {{.UID}}
owners = ["bot"]
services = [""]
share = 100
rate = 100
`

// TestStart: a wallet pays by a signer that Start has started, and is refused above its
// ceiling. The signer sees that the payment landed.
func TestStart(t *testing.T) {
	s := signertest.Start(t, replaced(policy))
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.Sandbox.URL(sandbox.RPC))})
	require.NoError(t, err)
	w, err := wallet.New(wallet.Config{Signer: s.Client, Node: node, Guard: signing.NewGuard(signing.Policy{})})
	require.NoError(t, err)
	defer w.Close()
	pay := func(lamports walletfi.Amount) error {
		_, err := w.Execute(t.Context(), s.Payment(t, payee, lamports).Unsigned, wallet.ExecuteOptions{Key: lamports.String()})
		return err
	}
	require.NoError(t, pay(1_900_000_000))
	require.NoError(t, s.Settle(t.Context()))
	live, err := s.Live(t.Context())
	require.NoError(t, err)
	assert.Empty(t, live, "the sandbox finalizes at once")
	require.ErrorContains(t, pay(1_800_000_000), signer.CodeWindow)
	require.NoError(t, s.Freeze(t.Context(), "the test", signer.ModeFrozen, ""))
	require.ErrorContains(t, pay(1), signer.CodeFrozen)
}

// key is a good backend, of which each broken one changes something.
type key struct {
	signing.Signer
	sign func(ctx context.Context, m []byte) (signing.Signature, error)
}

func (k key) Sign(ctx context.Context, m []byte) (signing.Signature, error) { return k.sign(ctx, m) }

func broken() map[string]func() signing.Signer {
	good, other := signingtest.Key("owner"), signingtest.Key("other")
	each := func(sign func(ctx context.Context, m []byte) (signing.Signature, error)) func() signing.Signer {
		return func() signing.Signer { return key{good, sign} }
	}
	return map[string]func() signing.Signer{
		"each signature is another": unstable,
		"another's signatures":      each(other.Sign),
		"long messages are cut": each(func(ctx context.Context, m []byte) (signing.Signature, error) {
			return good.Sign(ctx, m[:min(len(m), 1232)])
		}),
		"it changes the message": each(func(ctx context.Context, m []byte) (signing.Signature, error) {
			s, err := good.Sign(ctx, m)
			clear(m)
			return s, err
		}),
		"requests are mixed up": func() signing.Signer {
			var mu sync.Mutex
			var last []byte
			return key{good, func(ctx context.Context, m []byte) (signing.Signature, error) {
				mu.Lock()
				defer mu.Unlock()
				signed := m
				if len(m) == 400 && last != nil {
					signed = last
				}
				last = m
				return good.Sign(ctx, signed)
			}}
		},
		"it does not end": each(func(ctx context.Context, m []byte) (signing.Signature, error) {
			if ctx.Err() != nil {
				select {}
			}
			return good.Sign(ctx, m)
		}),
		"an ended context breaks it": func() signing.Signer {
			ended := false
			return key{good, func(ctx context.Context, m []byte) (signing.Signature, error) {
				if ended = ended || ctx.Err() != nil; ended {
					return signing.Signature{}, context.Canceled
				}
				return good.Sign(ctx, m)
			}}
		},
		"it errs without an error": each(func(ctx context.Context, m []byte) (signing.Signature, error) {
			if ctx.Err() != nil {
				return signing.Signature{}, nil
			}
			return good.Sign(ctx, m)
		}),
	}
}

// TestBrokenBackends: the suite fails for each backend that is broken in one way.
func TestBrokenBackends(t *testing.T) {
	wiretest.Broken(t, 8, broken(), func(t *testing.T, each func() signing.Signer) {
		signertest.Backend(t, func(*testing.T) signing.Signer { return each() })
	})
}

// TestBrokenTransactionBackends: the suite fails for a key that signs any message, and for one that
// signs none.
func TestBrokenTransactionBackends(t *testing.T) {
	none := errors.New("it signs nothing")
	wiretest.Broken(t, 2, map[string]func() signing.Signer{
		"it signs any message": func() signing.Signer { return signingtest.Key("owner") },
		"it signs nothing": func() signing.Signer {
			return key{signingtest.Key("owner"), func(context.Context, []byte) (s signing.Signature, err error) { return s, none }}
		},
	}, func(t *testing.T, each func() signing.Signer) {
		signertest.TransactionBackend(t, func(*testing.T) signing.Signer { return each() })
	})
}

// unstable is a key whose signatures verify, each with another nonce.
func unstable() signing.Signer {
	seed := sha512.Sum512([]byte("unstable"))
	secret, _ := new(edwards25519.Scalar).SetBytesWithClamping(seed[:32])
	public := signing.PublicKey(new(edwards25519.Point).ScalarBaseMult(secret).Bytes())
	return key{other{public}, func(_ context.Context, m []byte) (s signing.Signature, err error) {
		var random [64]byte
		_, _ = rand.Read(random[:])
		nonce, _ := new(edwards25519.Scalar).SetUniformBytes(random[:])
		r := new(edwards25519.Point).ScalarBaseMult(nonce).Bytes()
		hash := sha512.Sum512(slices.Concat(r, public[:], m))
		challenge, _ := new(edwards25519.Scalar).SetUniformBytes(hash[:])
		copy(s[:], slices.Concat(r, new(edwards25519.Scalar).MultiplyAdd(challenge, secret, nonce).Bytes()))
		return s, nil
	}}
}

type other struct{ public signing.PublicKey }

func (o other) PublicKey() signing.PublicKey { return o.public }

func (o other) Sign(context.Context, []byte) (s signing.Signature, err error) { return s, nil }

// TestLocalKey: a key of this process passes.
func TestLocalKey(t *testing.T) {
	signertest.Backend(t, func(*testing.T) signing.Signer { return signingtest.Key("owner") })
}

func replaced(text string) string { return strings.Replace(text, "PAYEE", payee.String(), 1) }

// TestSQLite: the signer's own store passes.
func TestSQLite(t *testing.T) {
	signertest.Store(t, func(t *testing.T, cfg signer.Config) (*signer.Signer, error) {
		return signer.Open(t.Context(), cfg)
	})
}

// elsewhere opens a signer on other files than it is told: on new ones each time, or on copies.
func elsewhere(copied bool) func(t *testing.T, cfg signer.Config) (*signer.Signer, error) {
	return func(t *testing.T, cfg signer.Config) (*signer.Signer, error) {
		dir := t.TempDir()
		for _, name := range []string{cfg.Store, cfg.Store + "-wal", cfg.Anchor} {
			if text, err := os.ReadFile(name); err == nil && copied {
				require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600))
			}
		}
		cfg.Store, cfg.Anchor = filepath.Join(dir, "store"), filepath.Join(dir, "anchor")
		return signer.Open(t.Context(), cfg)
	}
}

// TestBrokenStores: the suite fails for a store that forgets, and one that two can open.
func TestBrokenStores(t *testing.T) {
	wiretest.Broken(t, 2, map[string]func(*testing.T, signer.Config) (*signer.Signer, error){
		"it forgets": elsewhere(false),
		"two can open it": func(t *testing.T, cfg signer.Config) (*signer.Signer, error) {
			s, err := signer.Open(t.Context(), cfg)
			if err != nil {
				return elsewhere(true)(t, cfg)
			}
			return s, nil
		},
	}, signertest.Store)
}
