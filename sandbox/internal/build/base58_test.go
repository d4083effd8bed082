package build

import (
	"math/rand/v2"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
)

func TestBase58TextAgreesWithTheLibrary(t *testing.T) {
	draw := rand.NewChaCha8([32]byte{58})
	for n := range 200 {
		for _, zeros := range []int{0, 1, 5} {
			raw := make([]byte, zeros+n)
			draw.Read(raw[zeros:])
			require.Equal(t, base58.Encode(raw), base58Text(raw), "%x", raw)
		}
	}
	raw := make([]byte, 4096)
	draw.Read(raw)
	require.Equal(t, base58.Encode(raw), base58Text(raw))
	require.Equal(t, base58.Encode(make([]byte, 9)), base58Text(make([]byte, 9)))
}

func BenchmarkBase58Text(b *testing.B) {
	raw := make([]byte, 1232)
	rand.NewChaCha8([32]byte{}).Read(raw)
	for b.Loop() {
		base58Text(raw)
	}
}
