package walletfi_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
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

// readBySigning returns the signature of tx by package signing, "" if
// it refuses to read it or the fee payer has not signed.
func readBySigning(tx walletfi.EncodedTransaction) string {
	t, err := signing.Decode(tx)
	if err != nil || t.Signature().IsZero() {
		return ""
	}
	return t.Signature().String()
}

// TestTransactionSignatureReadsAsSigning: what TransactionSignature names is
// what package signing would read, check and sign, and nothing else has a name.
func TestTransactionSignatureReadsAsSigning(t *testing.T) {
	legacy, _ := signedTransfer(t, solana.MessageVersionLegacy)
	v0, _ := signedTransfer(t, solana.MessageVersionV0)
	v1 := v1Transaction(5, 6)
	const keyCount = 1 + 64 + 3 // legacy, one signature
	grown := func(b []byte, n int) []byte { return append(bytes.Clone(b), make([]byte, n)...) }
	for name, b := range map[string][]byte{
		"a byte after the last, legacy": grown(legacy, 1),
		"a byte after the last, v0":     grown(v0, 1),
		"a byte after the last, v1":     grown(v1, 1),
		"a signature too many, v1":      grown(v1, 64),
		"past the packet's size":        grown(legacy, 1233-len(legacy)),
		"cut in the instructions":       legacy[:len(legacy)-1],
		"cut in the blockhash":          legacy[:keyCount+1+32*3+5],
		"no lookups' count in v0":       v0[:len(v0)-1],
		"key count in two bytes":        slices.Insert(edited(legacy, func(b []byte) []byte { b[keyCount] |= 0x80; return b }), keyCount+1, 0),
		"more signers than keys":        edited(v1, func(b []byte) []byte { b[41] = 1; return slices.Delete(b, 42+32, 42+64) }),
		"a read-only fee payer":         edited(legacy, func(b []byte) []byte { b[66] = 1; return b }),
		"an unassigned mask bit, v1":    edited(v1, func(b []byte) []byte { b[5] = 1; return slices.Insert(b, 42+64, 0, 0, 0, 0) }),
		"half a priority fee, v1":       edited(v1, func(b []byte) []byte { b[4] = 1; return slices.Insert(b, 42+64, 0, 0, 0, 0) }),
		"a mask without its values, v1": edited(v1, func(b []byte) []byte { b[4] = 4; return b }),
		"a key twice, v1":               edited(v1, func(b []byte) []byte { copy(b[42+32:], b[42:42+32]); return b }),
		"a program index out of range":  edited(legacy, func(b []byte) []byte { b[len(b)-12-1-2-1-1] = 9; return b }),
	} {
		t.Run(name, func(t *testing.T) {
			tx := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
			require.Empty(t, readBySigning(tx), "a case that signing reads tells nothing")
			got, ok := walletfi.TransactionSignature(tx)
			require.False(t, ok)
			require.Empty(t, got)
		})
	}
	t.Run("line breaks in the text", func(t *testing.T) {
		text := base64.StdEncoding.EncodeToString(legacy)
		tx := walletfi.Base64Transaction(text[:8] + "\r\n\r\n" + text[8:])
		require.Empty(t, readBySigning(tx))
		_, ok := walletfi.TransactionSignature(tx)
		require.False(t, ok)
	})
}

// TestTransactionSignatureOfMutants changes good transactions at random: the
// two readers agree on each.
func TestTransactionSignatureOfMutants(t *testing.T) {
	legacy, _ := signedTransfer(t, solana.MessageVersionLegacy)
	v0, _ := signedTransfer(t, solana.MessageVersionV0)
	r := rand.New(rand.NewPCG(10, 2))
	named, unnamed := 0, 0
	for _, model := range [][]byte{legacy, v0, v1Transaction(5, 6)} {
		for range 4000 {
			b := bytes.Clone(model)
			switch at := r.IntN(len(b)); r.IntN(4) {
			case 0:
				b = b[:at]
			case 1:
				b = slices.Insert(b, at, byte(r.Uint32()))
			default:
				b[at] = byte(r.Uint32())
			}
			tx := walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
			got, ok := walletfi.TransactionSignature(tx)
			require.Equal(t, readBySigning(tx), got, "%x", b)
			require.Equal(t, got != "", ok)
			if ok {
				named++
			} else {
				unnamed++
			}
		}
	}
	require.Greater(t, named, 1000)
	require.Greater(t, unnamed, 1000)
}
