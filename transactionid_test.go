package walletfi_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// signedTransfer is a transfer signed by solana-go, legacy or v0, with its
// first signature.
func signedTransfer(t testing.TB, version solana.MessageVersion) ([]byte, string) {
	t.Helper()
	payer := solana.PrivateKey(base58Key(t))
	transfer := system.NewTransferInstruction(1, payer.PublicKey(), solana.SystemProgramID).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{transfer}, solana.Hash{1}, solana.TransactionPayer(payer.PublicKey()))
	require.NoError(t, err)
	tx.Message.SetVersion(version)
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer })
	require.NoError(t, err)
	b, err := tx.MarshalBinary()
	require.NoError(t, err)
	return b, tx.Signatures[0].String()
}

func base58Key(t testing.TB) []byte {
	t.Helper()
	key, err := solana.NewRandomPrivateKey()
	require.NoError(t, err)
	return key
}

// v1Transaction has a signer for each filler: a message that is only as long
// as its addresses, then a signature of each filler.
func v1Transaction(fillers ...byte) []byte {
	b := append([]byte{0x81, byte(len(fillers)), 0, 0}, make([]byte, 4+32+2)...)
	b[41] = byte(len(fillers))
	for i := range fillers {
		b = append(b, bytes.Repeat([]byte{byte(i + 1)}, 32)...)
	}
	for _, filler := range fillers {
		b = append(b, bytes.Repeat([]byte{filler}, 64)...)
	}
	return b
}

func filled(filler byte) string { return base58.Encode(bytes.Repeat([]byte{filler}, 64)) }

func TestTransactionSignature(t *testing.T) {
	legacy, legacySignature := signedTransfer(t, solana.MessageVersionLegacy)
	v0, v0Signature := signedTransfer(t, solana.MessageVersionV0)
	require.Equal(t, byte(0x80), v0[65])
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"legacy":                {legacy, legacySignature},
		"v0":                    {v0, v0Signature},
		"v1, first of two":      {v1Transaction(5, 6), filled(5)},
		"v1, second not signed": {v1Transaction(7, 0), filled(7)},
	} {
		t.Run(name, func(t *testing.T) {
			inBase64 := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(c.bytes))
			got, ok := walletfi.TransactionSignature(inBase64)
			require.True(t, ok)
			require.Equal(t, c.want, got)
			got, ok = walletfi.TransactionSignature(walletfi.Base58Transaction(base58.Encode(c.bytes)))
			require.True(t, ok)
			require.Equal(t, c.want, got)
		})
	}
}

// edited returns a copy of b after edit.
func edited(b []byte, edit func([]byte) []byte) []byte { return edit(bytes.Clone(b)) }

func TestTransactionSignatureRefuses(t *testing.T) {
	legacy, _ := signedTransfer(t, solana.MessageVersionLegacy)
	for name, b := range map[string][]byte{
		"nothing":                    {},
		"no signatures":              {0, 1, 0, 0},
		"fee payer has not signed":   edited(legacy, func(b []byte) []byte { clear(b[1:65]); return b }),
		"v1, payer has not signed":   v1Transaction(0, 6),
		"v1 without signatures":      v1Transaction(),
		"v1, cut":                    v1Transaction(5)[:100],
		"v1, less than its fixed":    {0x81, 1, 0},
		"cut in the signature":       legacy[:40],
		"cut after the signature":    legacy[:65],
		"cut in the addresses":       legacy[:80],
		"count beside the header's":  edited(legacy, func(b []byte) []byte { b[65] = 2; return b }),
		"a version that is not v0":   edited(legacy, func(b []byte) []byte { b[65] = 0x82; return b }),
		"count of more than a byte":  append([]byte{0x80, 0x01}, make([]byte, 3000)...),
		"other transaction, 0x82":    edited(v1Transaction(5), func(b []byte) []byte { b[0] = 0x82; return b }),
		"more signatures than bytes": edited(legacy, func(b []byte) []byte { b[0] = 19; return b }),
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := walletfi.TransactionSignature(walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b)))
			require.False(t, ok)
			require.Empty(t, got)
		})
	}
	for name, tx := range map[string]walletfi.EncodedTransaction{
		"nil":             nil,
		"not base64":      walletfi.Base64Transaction("????"),
		"not base58":      walletfi.Base58Transaction("0OIl"),
		"too long base64": walletfi.Base64Transaction(strings.Repeat("AAAA", 1367)),
		"too long base58": walletfi.Base58Transaction(strings.Repeat("1", 5595)),
	} {
		t.Run(name, func(t *testing.T) {
			_, ok := walletfi.TransactionSignature(tx)
			require.False(t, ok)
		})
	}
}

func FuzzTransactionSignature(f *testing.F) {
	legacy, _ := signedTransfer(f, solana.MessageVersionLegacy)
	v0, _ := signedTransfer(f, solana.MessageVersionV0)
	for _, seed := range [][]byte{legacy, v0, v1Transaction(5, 6), {0x81}, {1}, {}} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tx := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
		signature, ok := walletfi.TransactionSignature(tx)
		if !ok {
			require.Empty(t, signature)
			return
		}
		decoded, err := base58.Decode(signature)
		require.NoError(t, err)
		require.Len(t, decoded, 64)
		require.True(t, bytes.Contains(b, decoded))
	})
}
