package txwire

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
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

// fromBase64 reads base64 into room that is not clean.
func fromBase64(text string) (b []byte, faults *Faults) {
	faults = FromBase64(text, func(size int) []byte {
		b = bytes.Repeat([]byte{0xaa}, size)
		return b
	})
	return b, faults
}

// holdBase64 holds FromBase64 against the library and against the text that the
// library would write, which is the only one.
func holdBase64(t *testing.T, text string) {
	t.Helper()
	want, err := base64.StdEncoding.DecodeString(text)
	got, faults := fromBase64(text)
	if err != nil || len(want) == 0 || len(want) > MaxSizeV1 || base64.StdEncoding.EncodeToString(want) != text {
		require.NotNil(t, faults, "%q", text)
		return
	}
	require.Nil(t, faults, "%q", text)
	require.Equal(t, want, got)
}

func TestBase64EqualsLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for size := range 200 {
		text := base64.StdEncoding.EncodeToString(randomBytes(r, size))
		holdBase64(t, text)
		for at := range text { // each character wrong, whatever its place
			for _, c := range []string{"\n", "\r", "=", " ", "-", "_", "\x00", "\x80", "\xff", "", "A", "B", "AAAA", "\n\n\n\n"} {
				holdBase64(t, text[:at]+c+text[at+1:])
			}
		}
	}
	for size := MaxSizeV1 - 4; size < MaxSizeV1+4; size++ {
		holdBase64(t, base64.StdEncoding.EncodeToString(randomBytes(r, size)))
	}
	for _, text := range []string{"====", "A===", "AA==", "AB==", "AAA=", "AAB=", "AA=A", "=AAA", "AA==AAAA", "AA\n==\n\n\n", strings.Repeat("=", 8)} {
		holdBase64(t, text)
	}
}

func FuzzBase64(f *testing.F) {
	f.Add("AAAABBBBCCCCDD==")
	f.Add("AAAABBBBCCC\n")
	f.Add("AAAABBBBCC=\n=\n\n\n")
	f.Fuzz(func(t *testing.T, text string) { holdBase64(t, text) })
}
