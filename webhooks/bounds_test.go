package webhooks

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/race"
)

// TestUnfinishedIsBounded, and forgets the one that nothing happened to for the
// longest time.
func TestUnfinishedIsBounded(t *testing.T) {
	var u unfinished
	for n := range maxUnfinished {
		require.Equal(t, 1, u.failed(fmt.Sprint(n)))
	}
	require.Equal(t, 2, u.failed("0"))
	u.handled("2")
	require.Equal(t, 1, u.failed("new"))
	require.Len(t, u.of, maxUnfinished)
	require.Equal(t, 2, u.failures("0"))
	require.Zero(t, u.failures("1"), "the oldest")
	require.True(t, u.isHandled("2"))
	require.Equal(t, 1, u.failures("3"))
	u.forget("0")
	require.Zero(t, u.failures("0"))
	require.Equal(t, 1, u.failed("0"), "forgotten and begun anew")
	require.False(t, u.isHandled("0"))
	require.Equal(t, 1, u.failed("1"))
	require.Len(t, u.of, maxUnfinished)
	require.Zero(t, u.failures("3"), "what began anew is not the oldest")
	require.Equal(t, 1, u.failures("0"))
	for n := range 3 * maxUnfinished / 100 {
		u.handled(fmt.Sprint("done", n))
		u.forget(fmt.Sprint("done", n))
	}
	require.Less(t, len(u.of), maxUnfinished+1)
}

// TestVerifyingReusesMemory: a body is read into a buffer that is kept, and copied once,
// so that a forged one costs no memory.
func TestVerifyingReusesMemory(t *testing.T) {
	body := append([]byte("{"), make([]byte, 900<<10)...)
	const turns = 20
	spent := func(verify func(dst []byte) ([]byte, error)) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range turns {
			_, _ = inScratch(verify)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(turns*len(body))
	}
	genuine := func(dst []byte) ([]byte, error) {
		return readHashed(dst, bytes.NewReader(body), sha256.New(), 1<<30, int64(len(body)))
	}
	_, err := inScratch(genuine)
	require.NoError(t, err)
	require.Less(t, spent(genuine), 1.5*race.Factor)
}
