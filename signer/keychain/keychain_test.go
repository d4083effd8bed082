package keychain_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/keychain"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// fake is a service that signs what is a whole transaction which nobody has signed.
type fake struct {
	*signing.LocalKey
	away bool
	err  error
	used atomic.Int64
}

func (f *fake) Pubkey() signing.PublicKey { return f.PublicKey() }

func (f *fake) IsAvailable(ctx context.Context) bool { return !f.away && ctx.Err() == nil }

func (f *fake) SignTransaction(ctx context.Context, transaction []byte) (s signing.Signature, err error) {
	f.used.Add(1)
	if f.err != nil {
		return s, f.err
	}
	tx, err := signing.DecodeBytes(transaction)
	if err != nil {
		return s, err
	}
	if slices.ContainsFunc(tx.Signatures(), func(s signing.Signature) bool { return !s.IsZero() }) {
		return s, errors.New("somebody has signed")
	}
	return f.Sign(ctx, tx.Message())
}

func open(t *testing.T, f *fake) *keychain.Key {
	key, err := keychain.New(t.Context(), f)
	require.NoError(t, err)
	return key
}

func TestKey(t *testing.T) {
	signertest.TransactionBackend(t, func(t *testing.T) signing.Signer {
		return open(t, &fake{LocalKey: signingtest.Key("owner")})
	})
}

// message is a transaction's whose first accounts are the signers'.
func message(version byte, signers ...signing.PublicKey) []byte {
	header := []byte{byte(len(signers)), 0, 1}
	program, blockhash := signing.PublicKey{9}, make([]byte, 32)
	var keys []byte
	for _, k := range append(signers, program) {
		keys = append(keys, k[:]...)
	}
	count, at := byte(len(signers)+1), byte(len(signers))
	switch version {
	case 0x80:
		return slices.Concat([]byte{version}, header, []byte{count}, keys, blockhash, []byte{1, at, 0, 0, 0})
	case 0x81:
		return slices.Concat([]byte{version}, header, make([]byte, 4), blockhash, []byte{1, count}, keys, []byte{at, 0, 0, 0})
	}
	return slices.Concat(header, []byte{count}, keys, blockhash, []byte{1, at, 0, 0})
}

// TestVersions: the key signs as the first or as another signer of each version's transactions.
func TestVersions(t *testing.T) {
	f := &fake{LocalKey: signingtest.Key("owner")}
	key, other := open(t, f), signingtest.Key("other").PublicKey()
	for _, version := range []byte{0, 0x80, 0x81} {
		for _, signers := range [][]signing.PublicKey{{f.Pubkey()}, {f.Pubkey(), other}, {other, f.Pubkey()}} {
			m := message(version, signers...)
			signature, err := key.Sign(t.Context(), m)
			require.NoError(t, err, "version %#x", version)
			assert.True(t, signature.Verify(f.Pubkey(), m))
		}
		used := f.used.Load()
		_, err := key.Sign(t.Context(), message(version, other))
		require.ErrorContains(t, err, "is no signer of the transaction")
		assert.Equal(t, used, f.used.Load(), "the service is not asked")
	}
	unknown := message(0x81, f.Pubkey())
	unknown[0] = 0x82
	_, err := key.Sign(t.Context(), unknown)
	require.Error(t, err)
}

func TestUnavailable(t *testing.T) {
	_, err := keychain.New(t.Context(), &fake{LocalKey: signingtest.Key("owner"), away: true})
	require.ErrorContains(t, err, "not available")
	_, err = keychain.New(t.Context(), nil)
	require.ErrorContains(t, err, "not available")
	down := errors.New("the service is down")
	f := &fake{LocalKey: signingtest.Key("owner")}
	key := open(t, f)
	f.err = down
	_, err = key.Sign(t.Context(), message(0, f.Pubkey()))
	require.ErrorIs(t, err, down)
}
