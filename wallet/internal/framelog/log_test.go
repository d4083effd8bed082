package framelog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

const header = "frames 1"

func open(t *testing.T, path string) (*framelog.Log, *[]string) {
	t.Helper()
	var seen []string
	l, err := framelog.Open(framelog.Config{Path: path, Header: header, Replay: func(b []byte) error {
		seen = append(seen, string(b))
		return nil
	}})
	require.NoError(t, err)
	return l, &seen
}

func TestAppendedIsReplayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, seen := open(t, path)
	require.Empty(t, *seen)
	for _, text := range []string{"a", "", "ccc"} {
		require.NoError(t, l.Append([]byte(text)))
	}
	require.NoError(t, l.Close())
	require.NoError(t, l.Close(), "twice")
	require.ErrorIs(t, l.Append([]byte("late")), framelog.ErrClosed)
	l, seen = open(t, path)
	require.Equal(t, []string{"a", "", "ccc"}, *seen)
	require.NoError(t, l.Close())
}

func TestConcurrentAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	var all sync.WaitGroup
	errs := make([]error, 200)
	for i := range errs {
		all.Go(func() { errs[i] = l.Append(fmt.Appendf(nil, "%d", i)) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	require.NoError(t, l.Close())
	l, seen := open(t, path)
	defer l.Close()
	require.Len(t, *seen, 200)
}

// TestTornTail cuts the file at every byte of its last frame, and fills the cut
// with zeros as a file system may: what was acknowledged before stays.
func TestTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	require.NoError(t, l.Append([]byte("first")))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, l.Append([]byte("second")))
	require.NoError(t, l.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := len(before); cut < len(whole); cut++ {
		for _, fill := range []int{0, len(whole) - cut} {
			torn := append(append([]byte(nil), whole[:cut]...), make([]byte, fill)...)
			require.NoError(t, os.WriteFile(path, torn, 0o600))
			l, seen := open(t, path)
			require.Equal(t, []string{"first"}, *seen, "cut at %d, %d zeros", cut, fill)
			require.NoError(t, l.Append([]byte("third")))
			require.NoError(t, l.Close())
			l, seen = open(t, path)
			require.Equal(t, []string{"first", "third"}, *seen)
			require.NoError(t, l.Close())
		}
	}
}

func TestTornHeader(t *testing.T) {
	for cut := range len(header) + 1 {
		path := filepath.Join(t.TempDir(), "log")
		require.NoError(t, os.WriteFile(path, []byte(header[:cut]), 0o600))
		l, seen := open(t, path)
		require.Empty(t, *seen)
		require.NoError(t, l.Close())
	}
}

// TestDamage flips each byte of a frame that is not the last.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	require.NoError(t, l.Append([]byte("first")))
	require.NoError(t, l.Append([]byte("second")))
	require.NoError(t, l.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	const first = len(header) + 1
	for at := first; at < first+12+6; at++ {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, err := framelog.Open(framelog.Config{Path: path, Header: header, Replay: func([]byte) error { return nil }})
		require.ErrorIs(t, err, framelog.ErrCorrupt, "byte %d", at)
	}
	require.NoError(t, os.WriteFile(path, []byte("something else\n"), 0o600))
	_, err = framelog.Open(framelog.Config{Path: path, Header: header})
	require.ErrorIs(t, err, framelog.ErrCorrupt)
}

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	_, err := framelog.Open(framelog.Config{Path: path, Header: header})
	require.ErrorIs(t, err, framelog.ErrLocked)
	require.NoError(t, l.Close())
	l, _ = open(t, path)
	require.NoError(t, l.Close())
}

func TestCompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	last := ""
	cfg := framelog.Config{
		Path: path, Header: header, CompactAt: 1000,
		Replay:   func(b []byte) error { last = string(b); return nil },
		Snapshot: func(add func([]byte) error) error { return add([]byte(last)) },
	}
	l, err := framelog.Open(cfg)
	require.NoError(t, err)
	for i := range 500 {
		last = fmt.Sprintf("value %d", i)
		require.NoError(t, l.Append([]byte(last)))
	}
	require.NoError(t, l.Close())
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Less(t, info.Size(), int64(1100))
	last = ""
	l, err = framelog.Open(cfg)
	require.NoError(t, err)
	require.Equal(t, "value 499", last)
	require.NoError(t, l.Close())
}
