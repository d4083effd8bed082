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

var only = framelog.Only(header)

func open(t *testing.T, path string) (*framelog.Log, *[]string) {
	t.Helper()
	var seen []string
	l, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only, Replay: func(b []byte) error {
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

// compact replaces the log's file by payloads.
func compact(l *framelog.Log, keep func(*framelog.Chain) ([]byte, error), payloads ...string) error {
	cut, err := l.Mark()()
	if err != nil {
		return err
	}
	var all [][]byte
	for _, payload := range payloads {
		all = append(all, []byte(payload))
	}
	old, err := l.Replace(cut, keep, all)
	if err == nil {
		err = old.Close()
	}
	return err
}

// read and write are of a whole file.
func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, content, 0o600))
}

// TestTornTail cuts the file at every byte of its last frame, and fills the cut
// with zeros as a file system may: what was acknowledged before stays. If the frame was
// acknowledged, the head knows, and the file is refused.
func TestTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	require.NoError(t, l.Append([]byte("first")))
	before, head := read(t, path), read(t, path+".head")
	require.NoError(t, l.Append([]byte("second")))
	require.NoError(t, l.Close())
	whole, later := read(t, path), read(t, path+".head")
	for cut := len(before); cut < len(whole); cut++ {
		for _, fill := range []int{0, len(whole) - cut} {
			torn := append(append([]byte(nil), whole[:cut]...), make([]byte, fill)...)
			write(t, path, torn)
			write(t, path+".head", later)
			_, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only, Replay: func([]byte) error { return nil }})
			require.ErrorIs(t, err, framelog.ErrRolledBack)
			require.Equal(t, torn, read(t, path), "it is left as it was")
			write(t, path+".head", head)
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

// TestDamage flips each byte of the file but those of its last frame.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	require.NoError(t, l.Append([]byte("first")))
	require.NoError(t, compact(l, func(c *framelog.Chain) ([]byte, error) { return []byte(`"kept"`), nil }, "snapshot"))
	require.NoError(t, l.Append([]byte("second")))
	last := len(read(t, path))
	require.NoError(t, l.Append([]byte("third")))
	require.NoError(t, l.Close())
	whole := read(t, path)
	for at := range last {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 1
		write(t, path, damaged)
		_, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only, Replay: func([]byte) error { return nil }})
		require.ErrorIs(t, err, framelog.ErrCorrupt, "byte %d", at)
	}
	write(t, path, []byte("something else\n"))
	_, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only})
	require.ErrorIs(t, err, framelog.ErrCorrupt)
}

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, _ := open(t, path)
	_, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only})
	require.ErrorIs(t, err, framelog.ErrLocked)
	require.NoError(t, l.Close())
	l, _ = open(t, path)
	require.NoError(t, l.Close())
}

// TestCompaction: the file stays small, and holds what it stands for.
func TestCompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	var seen []string
	cfg := framelog.Config{
		Path: path, Header: header, Accept: only, CompactAt: 1000,
		Replay: func(b []byte) error { seen = append(seen, string(b)); return nil },
	}
	l, err := framelog.Open(cfg)
	require.NoError(t, err)
	times := 0
	for i := range 500 {
		last := fmt.Sprintf("value %d", i)
		require.NoError(t, l.Append([]byte(last)))
		if l.Due() {
			require.NoError(t, compact(l, nil, last))
			times++
		}
	}
	require.NoError(t, l.Close())
	require.InDelta(t, 500*37/1000, times, 3)
	require.Less(t, len(read(t, path)), 2500)
	l, err = framelog.Open(cfg)
	require.NoError(t, err)
	require.Less(t, len(seen), 40)
	require.Equal(t, "value 499", seen[len(seen)-1])
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
		_, err := framelog.Open(framelog.Config{Path: path, Header: header, Accept: only, Replay: func([]byte) error { return nil }})
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
			_, err := framelog.Open(framelog.Config{Path: other(t, path), Header: header, Accept: only})
			require.ErrorIs(t, err, framelog.ErrLocked)
			require.NoError(t, l.Close())
		})
	}
}

// TestCompactionThatFails: there is no room for a second file. What is appended is
// on disk, and the next attempt is when the file has grown again.
func TestCompactionThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	last, tries := "", 0
	cfg := framelog.Config{
		Path: path, Header: header, Accept: only, CompactAt: 100,
		Replay: func(b []byte) error { last = string(b); return nil },
	}
	l, err := framelog.Open(cfg)
	require.NoError(t, err)
	full := errors.New("no space left on the device")
	for i := range 100 {
		require.NoError(t, l.Append(fmt.Appendf(nil, "value %d", i)), i)
		if l.Due() {
			tries++
			require.ErrorIs(t, compact(l, func(*framelog.Chain) ([]byte, error) { return nil, full }), full)
			require.NoFileExists(t, path+".new")
			l.Later()
		}
	}
	require.Greater(t, tries, 1, "it is tried again")
	require.Less(t, tries, 40, "but not each time")
	require.NoError(t, l.Append([]byte("the end")))
	require.NoError(t, l.Close())
	l, err = framelog.Open(cfg)
	require.NoError(t, err)
	require.Equal(t, "the end", last)
	require.NoError(t, l.Close())
}
