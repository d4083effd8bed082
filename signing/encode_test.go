package signing

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestEncodeBase64(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 600 {
		b := randomBytes(r, n)
		text := make([]byte, base64.StdEncoding.EncodedLen(n))
		encodeBase64(text, b)
		require.Equal(t, base64.StdEncoding.EncodeToString(b), string(text))
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, format := range txbuild.Formats {
		for _, size := range []int{700, 701, 702, txwire.MaxSize} {
			b := sized(t, format, size)
			short, err := base64Of(b).Base58()
			require.NoError(t, err)
			for _, text := range []walletfi.EncodedTransaction{base64Of(b), short} {
				tx, err := Decode(text)
				require.NoError(t, err)
				require.Equal(t, b, tx.Bytes())
				require.Equal(t, base64Of(b), tx.Base64())
				require.Equal(t, short, tx.Base58())
			}
		}
	}
}

// holdText fills each slot in turn and holds the text against the plain way to
// write it: all bytes, encoded again.
func holdText(t *testing.T, tx *Transaction) {
	t.Helper()
	plain := func() walletfi.Base64Transaction { return base64Of(tx.Bytes()) }
	require.Equal(t, plain(), tx.Base64())
	for i := range tx.Signatures() {
		was := *tx.wire.Slot(i)
		for j := range was {
			tx.wire.Slot(i)[j] = ^was[j]
		}
		require.Equal(t, plain(), tx.Base64(), "slot %d", i)
		require.Equal(t, base64Of(tx.Bytes()), tx.Signed().Transaction)
	}
}

func TestTextOfASignedTransaction(t *testing.T) {
	for _, format := range txbuild.Formats {
		for signers := 1; signers <= 11; signers++ { // more do not fit into 1,232 bytes
			for memo := range 3 { // each place of a signature in a group of three bytes
				build := txbuild.Transaction{Format: format, Payer: sponsor, Blockhash: someBlockhash, Instructions: []txbuild.Instruction{txbuild.Memo("memo"[:1+memo])}}
				for i := range signers - 1 {
					build.Instructions[0].Accounts = append(build.Instructions[0].Accounts, txbuild.Signer(keyOf(string(rune('a'+i))).PublicKey()))
				}
				text := base64Of(build.Bytes())
				tx, err := Decode(text)
				require.NoError(t, err)
				require.Len(t, tx.Signatures(), signers)
				holdText(t, tx)
				require.Equal(t, base64Of(build.Bytes()), text, "the text that came is as it was")
			}
		}
	}
}

func FuzzTextOfASignedTransaction(f *testing.F) {
	for _, format := range txbuild.Formats {
		for _, ins := range []txbuild.Instruction{txbuild.Memo("x"), txbuild.Memo("x", owner), txbuild.Memo("xy", owner, maker)} {
			f.Add(string(base64Of(txbuild.Transaction{Format: format, Payer: sponsor, Blockhash: someBlockhash, Instructions: []txbuild.Instruction{ins}}.Bytes())))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		tx, err := Decode(walletfi.Base64Transaction(text))
		if err != nil {
			return
		}
		require.Equal(t, text, string(tx.Base64()), "no other text has these bytes")
		byBytes, err := DecodeBytes(tx.Bytes())
		require.NoError(t, err)
		_ = SignUnchecked(t.Context(), tx, ownerKey) // an error if the owner is no signer
		_ = SignUnchecked(t.Context(), byBytes, ownerKey)
		require.Equal(t, byBytes.Base64(), tx.Base64())
		holdText(t, tx)
	})
}
