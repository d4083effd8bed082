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
