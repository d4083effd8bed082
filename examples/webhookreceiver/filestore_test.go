package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func openStore(t *testing.T, path string) *fileStore {
	t.Helper()
	s, err := openFileStore(path)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func TestFileStoreRemembers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	s := openStore(t, path)
	keys := []string{"wh_1/0xb1/ff", "with \"quotes\"\nand a line", "", "last"}
	for i, key := range keys {
		seen, err := s.Seen(t.Context(), key)
		require.NoError(t, err)
		require.False(t, seen)
		require.NoError(t, s.Commit(t.Context(), key, time.Now().Add(time.Duration(i)*time.Hour)))
	}
	for range 2 { // without closing the first: a process that was killed closes nothing
		again := openStore(t, path)
		for i, key := range keys {
			seen, err := again.Seen(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, i > 0, seen, "the first has expired")
		}
		require.Len(t, again.until, 3)
	}
}

// TestFileStoreAfterACrash: what was cut off was never committed; what was
// written before and after it is whole.
func TestFileStoreAfterACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	require.NoError(t, openStore(t, path).Commit(t.Context(), "a", time.Now().Add(time.Hour)))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := range whole {
		require.NoError(t, os.WriteFile(path, append(bytes.Clone(whole), bytes.ReplaceAll(whole, []byte(`"a"`), []byte(`"b"`))[:cut]...), 0o600))
		s := openStore(t, path)
		require.Len(t, s.until, 1)
		require.NoError(t, s.Commit(t.Context(), "c", time.Now().Add(time.Hour)))
		seen, err := openStore(t, path).Seen(t.Context(), "c")
		require.NoError(t, err)
		require.True(t, seen)
	}
}

func TestFileStoreRefusesWhatIsNotIts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(path, []byte("{\"key\":\"a\"}\nshopping list\n"), 0o600))
	_, err := openFileStore(path)
	require.ErrorContains(t, err, "line 2")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), "shopping list", "and leaves it as it is")
}

// TestFileStoreIsBounded: what has expired leaves memory and file.
func TestFileStoreIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	s := openStore(t, path)
	require.NoError(t, s.Commit(t.Context(), "kept", time.Now().Add(time.Hour)))
	for i := range 30 {
		s.sweep = 10
		require.NoError(t, s.Commit(t.Context(), strings.Repeat("k", i+1), time.Now()))
	}
	require.LessOrEqual(t, len(s.until), 11)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, int64(len(text)), s.size)
	require.LessOrEqual(t, bytes.Count(text, []byte("\n")), 11)
	require.Contains(t, string(text), "kept")
}

func TestFileStoreThatCannotWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.jsonl")
	s := openStore(t, path)
	require.NoError(t, s.file.Close())
	require.ErrorIs(t, s.Commit(t.Context(), "a", time.Now().Add(time.Hour)), os.ErrClosed)
	seen, err := s.Seen(t.Context(), "a")
	require.NoError(t, err)
	require.False(t, seen)
	require.ErrorIs(t, s.Commit(t.Context(), "b", time.Now().Add(time.Hour)), os.ErrClosed, "it takes nothing more")
}
