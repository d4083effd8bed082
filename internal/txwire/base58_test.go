package txwire

import (
	"math/rand/v2"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
)

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// decoded reads base58 into room that is not clean.
func decoded(text string) (b []byte, faults *Faults) {
	faults = FromBase58(text, func(size int) []byte {
		b = make([]byte, size)
		for i := range b {
			b[i] = 0xaa
		}
		return b
	})
	return b, faults
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
		got, faults := decoded(base58.Encode(b))
		require.Nil(t, faults)
		require.Equal(t, b, got)
	}
}

func FuzzBase58(f *testing.F) {
	f.Add("111")
	f.Add("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > MaxBase58Text {
			return
		}
		want, err := base58.Decode(text)
		got, faults := decoded(text)
		if err != nil || len(want) == 0 || len(want) > MaxSizeV1 {
			require.NotNil(t, faults)
			return
		}
		require.Nil(t, faults)
		require.Equal(t, want, got)
	})
}

func TestKeyEqualsLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 5000 {
		b := randomBytes(r, 30+r.IntN(5))
		if i%3 == 0 {
			clear(b[:r.IntN(len(b)+1)])
		}
		k, ok := DecodeKey(base58.Encode(b))
		require.Equal(t, len(b) == 32, ok, "%x", b)
		if ok {
			require.Equal(t, Key(b), k)
			require.Equal(t, base58.Encode(b), k.String())
		}
	}
	_, ok := DecodeKey("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz")
	require.False(t, ok)
}
