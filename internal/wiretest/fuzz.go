package wiretest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzDecode feeds bytes to the types that types returns, decoding them with
// decode: nothing panics, and what a type accepted it writes again as JSON. The
// corpus starts with the answers under testdata and the seeds.
func FuzzDecode(f *testing.F, decode func([]byte, any) error, types func() []any, seeds ...string) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(b)
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, v := range types() {
			if decode(b, v) != nil {
				continue
			}
			again, err := json.Marshal(v)
			if err != nil && !utf8.Valid(b) {
				continue // what JSON cannot hold is refused
			}
			require.NoError(t, err, "%T", v)
			require.True(t, json.Valid(again), "%T", v)
		}
	})
}
