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

// TestDamageOfTheLastFrame flips each byte of it. A crash leaves a frame that is
// too short, or zeros in it. Anything else was on disk, and is not to be forgotten.
func TestDamageOfTheLastFrame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	require.NoError(t, l.Append([]byte("first")))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, l.Append([]byte("second")))
	require.NoError(t, l.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Greater(t, len(whole), len(before)+12)
	for at := len(before); at < len(whole); at++ {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, err := framelog.Open(framelog.Config{Path: path, Header: header, Replay: func([]byte) error { return nil }})
		require.ErrorIs(t, err, framelog.ErrCorrupt, "byte %d", at)
	}
}

// TestOneAtATimeByAnyName: two names of one file, and a lock that somebody took
// for a left-over.
func TestOneAtATimeByAnyName(t *testing.T) {
	for name, other := range map[string]func(t *testing.T, path string) string{
		"symbolic link": func(t *testing.T, path string) string {
			link := filepath.Join(t.TempDir(), "link")
			require.NoError(t, os.Symlink(path, link))
			return link
		},
		"linked folder": func(t *testing.T, path string) string {
			link := filepath.Join(t.TempDir(), "folder")
			require.NoError(t, os.Symlink(filepath.Dir(path), link))
			return filepath.Join(link, filepath.Base(path))
		},
		"hard link": func(t *testing.T, path string) string {
			link := path + " 2"
			require.NoError(t, os.Link(path, link))
			return link
		},
		"the lock was removed": func(t *testing.T, path string) string {
			require.NoError(t, os.Remove(path+".lock"))
			return path
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			l, _ := open(t, path)
			require.NoError(t, l.Append([]byte("first")))
			_, err := framelog.Open(framelog.Config{Path: other(t, path), Header: header})
			require.ErrorIs(t, err, framelog.ErrLocked)
			require.NoError(t, l.Close())
		})
	}
}

// TestCompactionThatFails: there is no room for a second file. What is appended is
// on disk, so that it is no error.
func TestCompactionThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	last, snapshots := "", 0
	cfg := framelog.Config{
		Path: path, Header: header, CompactAt: 100,
		Replay: func(b []byte) error { last = string(b); return nil },
		Snapshot: func(add func([]byte) error) error {
			snapshots++
			return errors.New("no space left on the device")
		},
	}
	l, err := framelog.Open(cfg)
	require.NoError(t, err)
	for i := range 100 {
		require.NoError(t, l.Append(fmt.Appendf(nil, "value %d", i)), i)
	}
	require.Greater(t, snapshots, 1, "it is tried again")
	require.Less(t, snapshots, 10, "but not each time")
	require.Error(t, l.Compact())
	require.NoError(t, l.Append([]byte("the end")))
	require.NoError(t, l.Close())
	l, err = framelog.Open(cfg)
	require.NoError(t, err)
	require.Equal(t, "the end", last)
	require.NoError(t, l.Close())
}
