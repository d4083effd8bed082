package walletfi_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

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
