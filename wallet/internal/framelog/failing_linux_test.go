package framelog

import (
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// opened returns a log whose frames are noted.
func opened(t *testing.T, change ...func(*Config)) (*Log, *[]string) {
	t.Helper()
	var seen []string
	cfg := Config{
		Path: filepath.Join(t.TempDir(), "log"), Header: "frames 1",
		Replay: func(b []byte) error { seen = append(seen, string(b)); return nil },
	}
	for _, f := range change {
		f(&cfg)
	}
	l, err := Open(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l, &seen
}

// again opens the log's file once more.
func again(t *testing.T, l *Log) []string {
	t.Helper()
	require.NoError(t, l.Close())
	next, seen := opened(t, func(cfg *Config) { cfg.Path = l.cfg.Path })
	require.NoError(t, next.Close())
	return *seen
}

// full is a disk without room.
func full(t *testing.T) *os.File {
	t.Helper()
	file, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	require.NoError(t, err)
	return file
}

// TestWriteThatFails: the caller learns of it, and so does each after it: what is on
// disk is not known.
func TestWriteThatFails(t *testing.T) {
	for name, broken := range map[string]func(t *testing.T) *os.File{
		"no room": full,
		"a disk that does not sync": func(t *testing.T) *os.File {
			reader, writer, err := os.Pipe() // takes what is written, and cannot sync
			require.NoError(t, err)
			t.Cleanup(func() { reader.Close() })
			return writer
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t, func(cfg *Config) { cfg.Snapshot = func(func([]byte) error) error { return nil } })
			require.NoError(t, l.Append([]byte("first")))
			good := l.file
			l.file = broken(t)
			before := l.size
			first := l.Append([]byte("second"))
			require.Error(t, first)
			require.NotContains(t, first.Error(), "takes nothing more", "it is the disk's own error")
			require.Equal(t, before, l.size)
			l.file.Close()
			l.file = good
			err := l.Append([]byte("third"))
			require.ErrorContains(t, err, "the log takes nothing more")
			require.ErrorIs(t, err, errors.Unwrap(first))
			require.Equal(t, err, l.Compact())
			require.Equal(t, []string{"first"}, again(t, l))
		})
	}
}

// slow replaces the log's file by a pipe that takes nothing until it is read.
func slow(t *testing.T, l *Log) (reader *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	l.file.Close()
	l.file = writer
	t.Cleanup(func() { reader.Close() })
	return reader
}

func TestCloseTellsOfFailure(t *testing.T) {
	l, _ := opened(t)
	l.file.Close()
	require.ErrorIs(t, l.Close(), os.ErrClosed)
	require.NoError(t, l.Close())
}

// handles counts the open files of the process.
func handles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

// TestCompactionThatCannotBegin: whatever fails before the new file has its name, the
// old one goes on and nothing is left behind.
func TestCompactionThatCannotBegin(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, l *Log){
		"a folder has the name": func(t *testing.T, l *Log) { require.NoError(t, os.Mkdir(l.cfg.Path+".new", 0o700)) },
		"the new file is locked": func(t *testing.T, l *Log) {
			file, err := lockFile(l.cfg.Path + ".new")
			require.NoError(t, err)
			t.Cleanup(func() { file.Close() })
		},
		"no room": func(t *testing.T, l *Log) { require.NoError(t, os.Symlink("/dev/full", l.cfg.Path+".new")) },
		"a folder has the old name": func(t *testing.T, l *Log) {
			require.NoError(t, os.Rename(l.cfg.Path, l.cfg.Path+".moved"))
			require.NoError(t, os.MkdirAll(filepath.Join(l.cfg.Path, "full"), 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t, func(cfg *Config) {
				cfg.Snapshot = func(add func([]byte) error) error { return add([]byte("snapshot")) }
			})
			spoil(t, l)
			before, file := handles(t), l.file
			err := l.Compact()
			require.Error(t, err)
			if name == "a folder has the name" {
				require.ErrorIs(t, err, syscall.EISDIR)
			}
			require.Equal(t, before, handles(t))
			require.Same(t, file, l.file)
			require.NoError(t, l.Append([]byte("on")))
			if name == "no room" || name == "a folder has the old name" {
				_, err := os.Lstat(l.cfg.Path + ".new")
				require.ErrorIs(t, err, os.ErrNotExist)
			}
		})
	}
}

// TestCompactionThatMayBeLost: the new file has the name, but not for certain after a
// crash. Nothing more is taken, be it called for or due.
func TestCompactionThatMayBeLost(t *testing.T) {
	lost := errors.New("folder not synced")
	for name, compact := range map[string]func(*Log) error{
		"called for": (*Log).Compact,
		"due":        func(l *Log) error { l.cfg.CompactAt = 1; return l.Append([]byte("one more")) },
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t, func(cfg *Config) { cfg.Snapshot = func(func([]byte) error) error { return nil } })
			l.cfg.settled = func(string) error { return lost }
			require.ErrorIs(t, compact(l), lost)
			err := l.Append([]byte("after"))
			require.ErrorIs(t, err, lost)
			require.ErrorContains(t, err, "takes nothing more")
		})
	}
}

// TestCompactionReplacesTheFile: by a snapshot of which the log knows the size; the
// old file is closed.
func TestCompactionReplacesTheFile(t *testing.T) {
	l, _ := opened(t, func(cfg *Config) {
		cfg.Snapshot = func(add func([]byte) error) error { return errors.Join(add([]byte("a")), add([]byte("bc"))) }
	})
	require.Equal(t, int64(1<<20), l.cfg.CompactAt, "by default 1 MiB")
	require.NoError(t, l.Append([]byte("gone")))
	old := l.file
	require.NoError(t, l.Compact())
	require.ErrorIs(t, old.Sync(), os.ErrClosed)
	info, err := l.file.Stat()
	require.NoError(t, err)
	require.Equal(t, info.Size(), l.size)
	require.Equal(t, info.Size(), l.base)
	require.NoError(t, l.Append([]byte("after")))
	require.Equal(t, []string{"a", "bc", "after"}, again(t, l))
}

// TestCompactionIsDue: from CompactAt on, and then when the file has doubled, to the
// byte.
func TestCompactionIsDue(t *testing.T) {
	frame := int64(len(frameOf([]byte{1, 'x'})))
	for _, row := range []struct {
		at, base, size int64
		want           bool
	}{
		{100, 0, 100, true}, {100, 0, 99, false}, {1, 50, 100, true}, {1, 50, 99, false}, {1, 0, frame, true},
	} {
		snapshots := 0
		l, _ := opened(t, func(cfg *Config) {
			cfg.CompactAt = row.at
			cfg.Snapshot = func(func([]byte) error) error { snapshots++; return errors.New("counted") }
		})
		l.base, l.size = row.base, row.size-frame
		require.NoError(t, l.Append([]byte("x")))
		require.Equal(t, row.want, snapshots == 1, "%+v", row)
		if row.want {
			require.Equal(t, row.size, l.base, "tried again when it has doubled")
		}
	}
}

// TestSnapshotTellsOfAFailedWrite: to what is being saved, and in its result.
func TestSnapshotTellsOfAFailedWrite(t *testing.T) {
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	defer writer.Close()
	l := &Log{cfg: Config{Header: "h", Snapshot: func(add func([]byte) error) error {
		reader.Close()
		return add([]byte("x"))
	}}}
	_, err = l.snapshot(writer)
	require.ErrorIs(t, err, syscall.EPIPE)
	_, err = l.snapshot(writer)
	require.ErrorIs(t, err, syscall.EPIPE, "the first line")
	l.cfg.Snapshot = func(func([]byte) error) error { return nil }
	_, err = l.snapshot(writer)
	require.ErrorIs(t, err, syscall.EPIPE, "the first line, of a log that is empty")
}

// TestOpenThatFails: with the reason, and no handle or lock is left.
func TestOpenThatFails(t *testing.T) {
	refused := errors.New("not this one")
	for name, row := range map[string]struct {
		spoil  func(t *testing.T, path string)
		change func(*Config)
		is     error
		says   string
	}{
		"the lock is a folder":          {spoil: func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path+".lock", 0o700)) }, is: syscall.EISDIR},
		"links that lead to themselves": {spoil: func(t *testing.T, path string) { require.NoError(t, os.Symlink(path, path)) }, says: "too many"},
		"a folder that is missing":      {change: func(cfg *Config) { cfg.Path = filepath.Join(cfg.Path, "deeper", "log") }, is: os.ErrNotExist},
		"a socket": {spoil: func(t *testing.T, path string) {
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			require.NoError(t, err)
			t.Chdir(filepath.Dir(path)) // a socket's path is short
			require.NoError(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: filepath.Base(path)}))
			require.NoError(t, syscall.Close(fd))
		}, is: syscall.ENXIO},
		"another kind of file":        {spoil: content("another"), is: ErrCorrupt},
		"another kind, and longer":    {spoil: content("frames 1 and more"), is: ErrCorrupt},
		"a frame that is refused":     {spoil: content("frames 1\n" + string(frameOf([]byte{1, 'x'}))), change: func(cfg *Config) { cfg.Replay = func([]byte) error { return refused } }, is: refused},
		"a length that has no end":    {spoil: content("frames 1\n" + string(frameOf([]byte{0x80}))), is: ErrCorrupt},
		"a length beyond its frame":   {spoil: content("frames 1\n" + string(frameOf([]byte{2, 'x'}))), is: ErrCorrupt},
		"a folder that does not sync": {change: func(cfg *Config) { cfg.settled = func(string) error { return refused } }, is: refused},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Path: filepath.Join(t.TempDir(), "log"), Header: "frames 1", Replay: func([]byte) error { return nil }}
			if row.spoil != nil {
				row.spoil(t, cfg.Path)
			}
			if row.change != nil {
				row.change(&cfg)
			}
			before := handles(t)
			l, err := Open(cfg)
			require.Error(t, err)
			require.Nil(t, l)
			if row.is != nil {
				require.ErrorIs(t, err, row.is)
			}
			require.ErrorContains(t, err, row.says)
			require.Equal(t, before, handles(t))
		})
	}
}

func content(text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
}

// TestOpenMends: what a crash leaves of the first line, and of the last frame, is cut
// off; a frame without a payload is one.
func TestOpenMends(t *testing.T) {
	whole := "frames 1\n" + string(frameOf([]byte{1, 'x', 0}))
	for found, want := range map[string]string{
		"":                                "frames 1\n",
		"fra":                             "frames 1\n",
		"fra\x00\x00\x00\x00\x00\x00\x00": "frames 1\n",
		whole:                             whole,
		whole + whole[9:12]:               whole,
		whole + "\x00\x00":                whole,
		whole + string(frameOf(nil)):      whole + string(frameOf(nil)),
	} {
		path := filepath.Join(t.TempDir(), "log")
		content(found)(t, path)
		l, seen := opened(t, func(cfg *Config) { cfg.Path = path })
		require.Equal(t, int64(len(want)), l.size, "%q", found)
		require.NoError(t, l.Append([]byte("next")))
		after := again(t, l)
		require.Equal(t, append(*seen, "next"), after)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want+string(frameOf([]byte("\x04next"))), string(text))
	}
}

// TestFirstFrame: what is torn, what is damaged and what is whole, to the byte.
func TestFirstFrame(t *testing.T) {
	require.Equal(t, crc32.MakeTable(0x82f63b78), castagnoli, "the polynomial is part of the format")
	frame := frameOf([]byte("abc"))
	for at := range frame {
		payloads, torn, _ := firstFrame(frame[:at])
		require.True(t, torn, "cut at %d", at)
		require.Nil(t, payloads)
	}
	payloads, torn, err := firstFrame(append(frame, 1))
	require.NoError(t, err)
	require.False(t, torn)
	require.Equal(t, "abc", string(payloads))

	damaged := append([]byte(nil), frame...)
	damaged[0] ^= 1
	_, torn, err = firstFrame(damaged)
	require.False(t, torn, "it has a payload that is not zeros")
	require.ErrorContains(t, err, "length's checksum")
	_, torn, _ = firstFrame(append(damaged[:frameHeader:frameHeader], 0, 0))
	require.True(t, torn, "the disk wrote no further than the length")
	_, torn, _ = firstFrame(append(damaged[:frameHeader:frameHeader], 0, 1))
	require.False(t, torn)
}

// TestBeginOnAFileThatFails: each step's failure is told.
func TestBeginOnAFileThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	content("")(t, path)
	for name, flags := range map[string]int{"cannot be cut": os.O_RDONLY, "cannot be written at a place": os.O_RDWR | os.O_APPEND} {
		file, err := os.OpenFile(path, flags, 0)
		require.NoError(t, err)
		l := &Log{cfg: Config{Header: "h", settled: func(string) error { return nil }}, file: file}
		require.Error(t, l.begin(nil), name)
		require.NoError(t, file.Close())
	}
}

// TestLocksAreTold: a lock that cannot be had is an error, with no handle left.
func TestLocksAreTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	file, err := lockFile(path)
	require.NoError(t, err)
	before := handles(t)
	second, err := lockFile(path)
	require.ErrorIs(t, err, ErrLocked)
	require.Nil(t, second)
	require.Equal(t, before, handles(t))
	require.NoError(t, file.Close())
	require.ErrorIs(t, lockHandle(file), syscall.EBADF)
	require.ErrorIs(t, syncDir(file), os.ErrClosed)

	require.ErrorIs(t, syncFolder(filepath.Join(path, "missing", "log")), syscall.ENOTDIR)
	before = handles(t)
	require.NoError(t, syncFolder(path))
	require.Equal(t, before, handles(t))
}
