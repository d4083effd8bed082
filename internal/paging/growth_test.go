package paging

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTokensKeepLittle: what an iterator remembers of a page is at most 64 bytes, however
// long its token.
func TestTokensKeepLittle(t *testing.T) {
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	long := strings.Repeat("x", 2000)
	for _, pages := range []int{2500, 5000, 10_000, 20_000} {
		before, kept, n := heap(), 0, 0
		for _, err := range Tokens("", func(string) ([]int, string, error) {
			if n++; n > pages {
				kept = heap() - before
				return []int{n}, "", nil
			}
			return []int{n}, fmt.Sprint(long, n), nil
		}) {
			require.NoError(t, err)
		}
		require.Equal(t, pages+1, n)
		require.LessOrEqual(t, kept, 64*pages+64<<10, pages)
	}
}
