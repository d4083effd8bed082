package worldtest

import (
	"crypto/ed25519"
	"encoding/base64"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// Base64 writes base58 as base64, which the frame's helpers cannot
// mistake for something else.
func Base64(t *testing.T, text string) string {
	t.Helper()
	raw, err := base58.Decode(text)
	require.NoError(t, err)
	return base64.StdEncoding.EncodeToString(raw)
}

// Signature is the first signature of a signed transaction.
func Signature(t *testing.T, signed []byte) string {
	t.Helper()
	require.EqualValues(t, 1, signed[0])
	return base58.Encode(signed[1:65])
}

// Sign fills the slot of a key in an encoded transaction and returns its bytes.
func Sign(t *testing.T, encoded string, key ed25519.PrivateKey) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		raw, err = base58.Decode(encoded)
	}
	require.NoError(t, err)
	tx, err := solana.TransactionFromBytes(raw)
	require.NoError(t, err)
	_, err = tx.PartialSign(func(k solana.PublicKey) *solana.PrivateKey {
		if k == build.PublicKey(key) {
			return new(solana.PrivateKey(key))
		}
		return nil
	})
	require.NoError(t, err)
	signed, err := tx.MarshalBinary()
	require.NoError(t, err)
	return signed
}

// SignAndSubmit signs a built transaction with the funded wallet and executes
// it, past any relay.
func (s *World) SignAndSubmit(t *testing.T, encoded string) *ledger.Receipt {
	t.Helper()
	return s.SignAndSubmitAs(t, encoded, s.Wallet())
}

// SignAndSubmitAs is SignAndSubmit with another key.
func (s *World) SignAndSubmitAs(t *testing.T, encoded string, key ed25519.PrivateKey) *ledger.Receipt {
	t.Helper()
	raw := Sign(t, encoded, key)
	s.Lock()
	defer s.Unlock()
	r, err := s.Submit(raw)
	require.NoError(t, err)
	return r
}
