package txwire

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
