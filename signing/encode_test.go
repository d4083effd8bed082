package signing

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
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

func TestBase58EqualsLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		b := randomBytes(r, 1+r.IntN(300))
		if i%100 == 0 {
			b = randomBytes(r, 3000+r.IntN(1096))
		}
		switch r.IntN(4) {
		case 0:
			clear(b[:r.IntN(len(b)+1)]) // leading zeros
		case 1:
			for j := range b {
				b[j] = 0xff
			}
		}
		tx := base58Transaction(base58.Encode(b))
		require.NotNil(t, tx)
		require.Equal(t, b, tx.raw)
	}
}

func TestTextRoundTrip(t *testing.T) {
	for _, format := range txbuild.Formats {
		for _, size := range []int{700, 701, 702, maxPacket} {
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

func FuzzBase58(f *testing.F) {
	f.Add("111")
	f.Add("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz")
	f.Add(string(base64Of(make([]byte, 40))))
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxBase58Text {
			return
		}
		want, err := base58.Decode(text)
		tx := base58Transaction(text)
		if err != nil || len(want) == 0 || len(want) > maxPacketV1 {
			require.Nil(t, tx)
			return
		}
		require.Equal(t, want, tx.raw)
	})
}

func TestDecodeKeyEqualsLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 5000 {
		b := randomBytes(r, 30+r.IntN(5))
		if i%3 == 0 {
			clear(b[:r.IntN(len(b)+1)])
		}
		k, ok := decodeKey(base58.Encode(b))
		require.Equal(t, len(b) == 32, ok, "%x", b)
		if ok {
			require.Equal(t, PublicKey(b), k)
			require.Equal(t, base58.Encode(b), k.String())
		}
	}
	_, ok := decodeKey("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz")
	require.False(t, ok)
}
