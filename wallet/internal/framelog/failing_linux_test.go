package framelog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// opened returns a log whose frames are noted.
func opened(t *testing.T, change ...func(*Config)) (*Log, *[]string) {
	t.Helper()
	var seen []string
	cfg := Config{
		Path: filepath.Join(t.TempDir(), "log"), Header: "frames 1", Accept: Only("frames 1"),
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

// compact replaces the log's file by payloads.
func compact(l *Log, payloads ...string) error {
	cut, err := l.Mark()()
	if err != nil {
		return err
	}
	var all [][]byte
	for _, payload := range payloads {
		all = append(all, []byte(payload))
	}
	old, err := l.Replace(cut, nil, all)
	if err == nil {
		err = old.Close()
	}
	return err
}

// spoiled is a file of which some calls fail.
type spoiled struct {
	File
	write, sync error
}

func (f spoiled) WriteAt(b []byte, at int64) (int, error) {
	if f.write != nil {
		return 0, f.write
	}
	return f.File.WriteAt(b, at)
}

func (f spoiled) Sync() error {
	if f.sync != nil {
		return f.sync
	}
	return f.File.Sync()
}

// TestWriteThatFails: the caller learns of it, and so does each after it: what is on
// disk is not known.
func TestWriteThatFails(t *testing.T) {
	for name, spoil := range map[string]func(l *Log){
		"no room":                    func(l *Log) { l.file = spoiled{File: l.file, write: syscall.ENOSPC} },
		"a disk that does not sync":  func(l *Log) { l.file = spoiled{File: l.file, sync: syscall.EIO} },
		"no head":                    func(l *Log) { l.head.file = spoiled{File: l.head.file, write: syscall.EIO} },
		"a file that was replaced":   func(l *Log) { replaced(l.cfg.Path) },
		"a file that was taken away": func(l *Log) { os.Remove(l.cfg.Path) },
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := opened(t)
			require.NoError(t, l.Append([]byte("first")))
			before := l.end
			spoil(l)
			first := l.Append([]byte("second"))
			require.Error(t, first)
			require.NotContains(t, first.Error(), "takes nothing more", "it is the disk's own error")
			if name != "no head" {
				require.Equal(t, before, l.end)
			}
			err := l.Append([]byte("third"))
			require.ErrorContains(t, err, "the log takes nothing more")
			require.ErrorIs(t, compact(l), errors.Unwrap(err))
			require.NoFileExists(t, l.cfg.Path+".new")
			if name == "no room" {
				require.ErrorIs(t, err, syscall.ENOSPC)
				require.Equal(t, []string{"first"}, again(t, l))
			}
		})
	}
}

func replaced(path string) {
	content, _ := os.ReadFile(path)
	os.WriteFile(path+".other", content, 0o600)
	os.Rename(path+".other", path)
}

func TestCloseTellsOfFailure(t *testing.T) {
	l, _ := opened(t)
	l.file.Close()
	require.ErrorIs(t, l.Close(), os.ErrClosed)
	require.NoError(t, l.Close())
}

// handles counts the open files of the process. It may fall at any time: what an earlier
// test has left is collected.
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
			l, _ := opened(t)
			spoil(t, l)
			before, file := handles(t), l.file
			err := compact(l, "snapshot")
			require.Error(t, err)
			if name == "a folder has the name" {
				require.ErrorIs(t, err, syscall.EISDIR)
			}
			require.LessOrEqual(t, handles(t), before)
			require.Same(t, file, l.file)
			if name == "a folder has the old name" {
				require.Error(t, l.Append([]byte("on")), "nobody would find it")
			} else {
				require.NoError(t, l.Append([]byte("on")))
			}
			if name == "no room" || name == "a folder has the old name" {
				_, err := os.Lstat(l.cfg.Path + ".new")
				require.ErrorIs(t, err, os.ErrNotExist)
			}
		})
	}
}

// TestCompactionThatMayBeLost: the new file has the name, but not for certain after a
// crash. Nothing more is taken.
func TestCompactionThatMayBeLost(t *testing.T) {
	lost := errors.New("folder not synced")
	l, _ := opened(t)
	l.cfg.Calls.SyncFolder = func(string) error { return lost }
	require.ErrorIs(t, compact(l), lost)
	err := l.Append([]byte("after"))
	require.ErrorIs(t, err, lost)
	require.ErrorContains(t, err, "takes nothing more")
}

// TestCompactionReplacesTheFile: by payloads and what was written since, of which the log
// knows the sizes.
func TestCompactionReplacesTheFile(t *testing.T) {
	l, _ := opened(t)
	require.Equal(t, int64(1<<20), l.cfg.CompactAt, "by default 1 MiB")
	require.NoError(t, l.Append([]byte("gone")))
	cut, err := l.Mark()()
	require.NoError(t, err)
	require.NoError(t, l.Append([]byte("meanwhile")))
	present := l.file
	old, err := l.Replace(cut, nil, [][]byte{[]byte("a"), []byte("bc")})
	require.NoError(t, err)
	require.Same(t, present, old)
	require.NoError(t, old.Close())
	info, err := l.file.Stat()
	require.NoError(t, err)
	require.Equal(t, info.Size(), l.end.Size)
	require.Equal(t, l.end.Size-sizeOf("meanwhile"), l.base)
	require.NoError(t, l.Append([]byte("after")))
	require.Equal(t, []string{"a", "bc", "meanwhile", "after"}, again(t, l))
}

// sizeOf is the size of a frame with one payload.
func sizeOf(payload string) int64 { return int64(frameHeader + 1 + len(payload)) }

// TestWritersGoOnBesideACompaction: whatever is appended while a file is being written is
// in it, in its order, and the part that the writers wait for is small.
func TestWritersGoOnBesideACompaction(t *testing.T) {
	l, _ := opened(t)
	var want []string
	add := func(n int) {
		for range n {
			want = append(want, fmt.Sprint("entry ", len(want), strings.Repeat(".", 10_000)))
			require.NoError(t, l.Append([]byte(want[len(want)-1])))
		}
	}
	add(3)
	cut, err := l.Mark()()
	require.NoError(t, err)
	kept := slices.Clone(want)
	opens, syncs, held := l.cfg.Calls.Open, 0, int64(0)
	l.cfg.Calls.Open = func(path string, flag int) (File, error) {
		file, err := opens(path, flag)
		return counting{file, l, &syncs, &held, add}, err
	}
	old, err := l.Replace(cut, func(*Chain) ([]byte, error) { add(300); return []byte("1"), nil }, bytesOf(kept))
	require.NoError(t, err)
	require.NoError(t, old.Close())
	require.Greater(t, syncs, 2)
	require.Less(t, held, int64(1<<17), "bytes that were written while the writers waited")
	l.cfg.Calls.Open = opens
	add(2)
	require.Equal(t, want, again(t, l))
}

func bytesOf(all []string) (payloads [][]byte) {
	for _, one := range all {
		payloads = append(payloads, []byte(one))
	}
	return payloads
}

// counting is a new file that counts what is written while the log's disk is held, and
// during whose first syncs entries are appended.
type counting struct {
	File
	l     *Log
	syncs *int
	held  *int64
	add   func(n int)
}

func (f counting) WriteAt(b []byte, at int64) (int, error) {
	if len(f.l.disk) > 0 {
		*f.held += int64(len(b))
	}
	return f.File.WriteAt(b, at)
}

func (f counting) Sync() error {
	if *f.syncs++; *f.syncs < 8 {
		f.add(20 / *f.syncs)
	}
	return f.File.Sync()
}

// TestCompactionIsDue: when the file has grown by CompactAt, and by an eighth, to the
// byte.
func TestCompactionIsDue(t *testing.T) {
	for _, row := range []struct {
		at, base, size int64
		want           bool
	}{
		{100, 0, 100, true}, {100, 0, 99, false}, {1, 80, 90, true}, {1, 80, 89, false}, {100, 80, 179, false}, {100, 80, 180, true},
	} {
		l, _ := opened(t, func(cfg *Config) { cfg.CompactAt = row.at })
		l.base, l.end.Size = row.base, row.size
		require.Equal(t, row.want, l.Due(), "%+v", row)
		l.Later()
		require.False(t, l.Due())
		require.Equal(t, row.size, l.base, "tried again when it has grown again")
		l.fail(errors.New("broken"))
		l.base = 0
		require.False(t, l.Due(), "of what is broken")
	}
}

// TestCompactionTellsOfAFailedWrite: of the part that the caller keeps, of what comes
// behind it, and of the first line.
func TestCompactionTellsOfAFailedWrite(t *testing.T) {
	for fails := range 4 {
		l, _ := opened(t)
		open, n := l.cfg.Calls.Open, 0
		l.cfg.Calls.Open = func(path string, flag int) (File, error) {
			file, err := open(path, flag)
			return failingAt{file, &n, fails}, err
		}
		cut, err := l.Mark()()
		require.NoError(t, err)
		large := make([]byte, syncEvery)
		_, err = l.Replace(cut, func(c *Chain) ([]byte, error) { return nil, c.Append(large) }, [][]byte{large, {1}})
		require.ErrorIs(t, err, syscall.ENOSPC, fails)
		require.NoFileExists(t, l.cfg.Path+".new")
		require.NoError(t, l.Append([]byte("on")))
		require.Equal(t, []string{"on"}, again(t, l))
	}
}

// failingAt is a file of which one write fails.
type failingAt struct {
	File
	n  *int
	at int
}

func (f failingAt) WriteAt(b []byte, at int64) (int, error) {
	if *f.n++; *f.n > f.at {
		return 0, syscall.ENOSPC
	}
	return f.File.WriteAt(b, at)
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
		"another kind of file":       {spoil: content("another"), is: ErrCorrupt},
		"another kind, and longer":   {spoil: content("frames 1 and more"), is: ErrCorrupt},
		"a frame that is refused":    {spoil: content(fileOf([]byte{1, 'x'})), change: func(cfg *Config) { cfg.Replay = func([]byte) error { return refused } }, is: refused},
		"a length that has no end":   {spoil: content(fileOf([]byte{0x80})), is: ErrCorrupt},
		"a length beyond its frame":  {spoil: content(fileOf([]byte{2, 'x'})), is: ErrCorrupt},
		"a first frame that is none": {spoil: content(withBase([]byte("{"))), is: ErrCorrupt},
		"no first frame":             {spoil: content("frames 1\n"), is: ErrCorrupt},
		"less than was kept":         {spoil: content(withBase([]byte(`{"id":"AA==","kept":{"size":99999}}`))), is: ErrCorrupt},
		"less than the snapshot":     {spoil: content(withBase([]byte(`{"id":"AA==","snapshot":1,"kept":{"size":90}}`))), is: ErrCorrupt},
		"what was kept is refused": {
			spoil:  content(withBase([]byte(`{"id":"AA==","state":1}`))),
			change: func(cfg *Config) { cfg.Base = func(Kept) error { return refused } }, is: refused,
		},
		"a head that is not readable": {spoil: func(t *testing.T, path string) { content(strings.Repeat("head", 2000))(t, path+".head") }, is: ErrCorrupt},
		"a head that is a folder":     {spoil: func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path+".head", 0o700)) }, is: syscall.EISDIR},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Path: filepath.Join(t.TempDir(), "log"), Replay: func([]byte) error { return nil }}
			cfg.Header, cfg.Accept = "frames 1", Only("frames 1")
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
			require.LessOrEqual(t, handles(t), before)
		})
	}
}

func content(text string) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
}

// withBase is a file whose first frame has a content.
func withBase(content []byte) string {
	line := []byte("frames 1\n")
	p := Place{Size: int64(len(line)), Hash: hashOf(line)}
	return string(append(line, p.add(content)...))
}

// fileOf is a file with frames behind the first.
func fileOf(contents ...[]byte) string {
	id := hashOf(nil)
	first := base{ID: id, Hash: id, Kept: Place{Size: int64(len("frames 1\n") + frameHeader + baseSize)}}
	content, _ := json.Marshal(first)
	file := withBase(fmt.Appendf(nil, "%-*s", baseSize, content))
	p := Place{Size: int64(len(file)), Hash: id}
	for _, content := range contents {
		file += string(p.add(content))
	}
	return file
}

// TestOpenMends: what a crash leaves of the first line, and of the last frame, is cut
// off; a frame without a payload is one.
func TestOpenMends(t *testing.T) {
	empty, whole := fileOf(), fileOf([]byte{1, 'x', 0})
	for found, want := range map[string]string{
		"":                                 empty,
		"fra":                              empty,
		"fra\x00\x00\x00\x00\x00\x00\x00":  empty,
		whole:                              whole,
		whole + whole[9:12]:                whole,
		whole + whole[9:40]:                whole,
		whole + "\x00":                     whole,
		whole + "\x00\x00":                 whole,
		whole + strings.Repeat("\x00", 99): whole,
		fileOf([]byte{1, 'x', 0}, nil):     fileOf([]byte{1, 'x', 0}, nil),
	} {
		path := filepath.Join(t.TempDir(), "log")
		content(found)(t, path)
		l, seen := opened(t, func(cfg *Config) { cfg.Path = path })
		require.Equal(t, int64(len(want)), l.end.Size, "%q", found)
		if want != empty {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, want, string(text))
		}
		require.NoError(t, l.Append([]byte("next")))
		after := again(t, l)
		require.Equal(t, append(*seen, "next"), after)
	}
}

// firstFrame reads the first of some frames.
func firstFrame(b []byte, header int) (content []byte, err error) {
	s := Scan(memory{Reader: bytes.NewReader(b)}, "frames", Place{Hash: make([]byte, hashSize)}, int64(len(b)))
	s.header = header
	return s.Next()
}

// memory is a file to be read.
type memory struct {
	File
	*bytes.Reader
}

func (m memory) ReadAt(b []byte, at int64) (int, error) { return m.Reader.ReadAt(b, at) }

// TestFirstFrame: what is torn, what is damaged and what is whole, to the byte, in both
// formats.
func TestFirstFrame(t *testing.T) {
	require.Equal(t, crc32.MakeTable(0x82f63b78), castagnoli, "the polynomial is part of the format")
	whole := (&Place{Hash: make([]byte, hashSize)}).add([]byte("abc"))
	old := append(slices.Clone(whole[:8]), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(old[8:], crc32.Checksum([]byte("abc"), castagnoli))
	for header, frame := range map[int][]byte{frameHeader: whole, oldHeader: append(old, "abc"...)} {
		for at := 1; at < len(frame); at++ {
			content, err := firstFrame(frame[:at], header)
			require.Equal(t, errTorn, err, "cut at %d", at)
			require.Nil(t, content)
			for _, fill := range []int{len(frame) - at, 2 * len(frame)} {
				_, err = firstFrame(append(slices.Clone(frame[:at]), make([]byte, fill)...), header)
				require.Equal(t, errTorn, err, "cut at %d, %d zeros behind it", at, fill)
			}
			changed := slices.Clone(frame)
			changed[at] ^= 4
			_, err = firstFrame(changed, header)
			require.ErrorIs(t, err, ErrCorrupt, "changed at %d", at)
		}
		content, err := firstFrame(append(frame, 1), header)
		require.NoError(t, err)
		require.Equal(t, "abc", string(content))
		_, err = firstFrame(nil, header)
		require.Equal(t, io.EOF, err)
	}
}

// faulty is a disk of which the n-th call fails. Files are closed all the same.
type faulty struct {
	Calls
	n, at int
}

func (f *faulty) next() error {
	if f.n++; f.n == f.at {
		return syscall.EIO
	}
	return nil
}

func (f *faulty) calls() Calls {
	return Calls{
		Open: func(path string, flag int) (File, error) {
			if err := f.next(); err != nil {
				return nil, err
			}
			file, err := f.Calls.Open(path, flag)
			if err != nil {
				return nil, err
			}
			return faultyFile{file, f}, nil
		},
		Rename: func(from, to string) error {
			if err := f.next(); err != nil {
				return err
			}
			return f.Calls.Rename(from, to)
		},
		Link:   f.Calls.Link,
		Remove: f.Calls.Remove,
		SyncFolder: func(path string) error {
			if err := f.next(); err != nil {
				return err
			}
			return f.Calls.SyncFolder(path)
		},
	}
}

type faultyFile struct {
	File
	f *faulty
}

func (f faultyFile) ReadAt(b []byte, at int64) (int, error) {
	if err := f.f.next(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(b, at)
}

func (f faultyFile) WriteAt(b []byte, at int64) (int, error) {
	if err := f.f.next(); err != nil {
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return f.File.WriteAt(b, at)
}

func (f faultyFile) Sync() error {
	if err := f.f.next(); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f faultyFile) Truncate(size int64) error {
	if err := f.f.next(); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f faultyFile) Stat() (os.FileInfo, error) {
	if err := f.f.next(); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

// deaf is a file that cannot be read, at an offset or at any if that is negative.
type deaf struct {
	File
	at int64
}

func (d deaf) ReadAt(b []byte, at int64) (int, error) {
	if d.at < 0 || at == d.at {
		return 0, syscall.EIO
	}
	return d.File.ReadAt(b, at)
}

// TestHeadThatCannotBeRead: one of its lines is enough; without any the log is not taken for a new one, and
// the head stays as it is.
func TestHeadThatCannotBeRead(t *testing.T) {
	for at, opens := range map[int64]bool{-1: false, 0: true, headApart: true} {
		l, _ := opened(t)
		require.NoError(t, l.Append([]byte("a")))
		require.NoError(t, l.Append([]byte("b")))
		require.NoError(t, l.Close())
		was, before := folder(t, l.cfg.Path), handles(t)
		calls := Calls{}.OrSystem()
		open := calls.Open
		calls.Open = func(path string, flag int) (File, error) {
			file, err := open(path, flag)
			if err == nil && path == l.cfg.Path+".head" {
				file = deaf{file, at}
			}
			return file, err
		}
		change := func(cfg *Config) { cfg.Calls = calls }
		_, file, _, err := reading(l.cfg.Path, change)
		cfg := l.cfg
		cfg.Calls = calls
		again, openErr := Open(cfg)
		if opens {
			require.NoError(t, errors.Join(err, openErr, file.Close(), again.Close()))
			continue
		}
		require.ErrorIs(t, err, syscall.EIO)
		require.ErrorIs(t, openErr, syscall.EIO)
		require.Equal(t, was, folder(t, l.cfg.Path))
		require.LessOrEqual(t, handles(t), before)
	}
}

// TestOpenThatFailsAtAnyCall: of a new log, of a torn one and of one of the old format.
// No handle is left, and nothing is lost.
func TestOpenThatFailsAtAnyCall(t *testing.T) {
	torn := fileOf([]byte("\x01x"))
	for name, found := range map[string]string{"new": "", "torn": torn + torn[9:12]} {
		for at, failed := 1, true; failed; at++ {
			path := filepath.Join(t.TempDir(), "log")
			if found != "" {
				content(found)(t, path)
			}
			before, f := handles(t), &faulty{Calls: Calls{}.OrSystem(), at: at}
			cfg := Config{Path: path, Calls: f.calls(), Replay: func([]byte) error { return nil }}
			cfg.Header, cfg.Accept = "frames 1", Only("frames 1")
			l, err := Open(cfg)
			if failed = err != nil; !failed {
				f.at = 0
				require.NoError(t, l.Close())
				require.Greater(t, at, 8)
				continue
			}
			require.ErrorIs(t, err, syscall.EIO, "%s, call %d", name, at)
			require.LessOrEqual(t, handles(t), before)
			l, seen := opened(t, func(cfg *Config) { cfg.Path = path })
			require.Equal(t, found != "", len(*seen) == 1)
			require.NoError(t, l.Close())
		}
	}
}

// TestReplaceThatFailsAtAnyCall: the log goes on, or takes nothing more. What it had, and
// what it took since, is there when it is opened again.
func TestReplaceThatFailsAtAnyCall(t *testing.T) {
	for at, failed, ended := 1, true, 0; failed; at++ {
		f := &faulty{Calls: Calls{}.OrSystem()}
		l, _ := opened(t, func(cfg *Config) { cfg.Calls = f.calls() })
		require.NoError(t, l.Append([]byte("first")))
		cut, err := l.Mark()()
		require.NoError(t, err)
		require.NoError(t, l.Append([]byte("second")))
		f.at = f.n + at
		old, err := l.Replace(cut, nil, [][]byte{[]byte("first")})
		if failed = err != nil; !failed {
			require.NoError(t, old.Close())
			require.Greater(t, at, 8)
			require.Equal(t, 1, ended, "the folder's sync")
		}
		want := []string{"first", "second"}
		f.at = 0
		if err := l.Append([]byte("third")); err == nil {
			want = append(want, "third")
		} else {
			ended++
			require.ErrorContains(t, err, "takes nothing more: input/output error")
		}
		require.NoFileExists(t, l.cfg.Path+".new")
		require.Equal(t, want, again(t, l), "call %d", at)
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
	require.LessOrEqual(t, handles(t), before)
	require.NoError(t, file.Close())
	require.ErrorIs(t, lockHandle(file, path), syscall.EBADF)
	require.ErrorIs(t, syncDir(file), os.ErrClosed)

	require.ErrorIs(t, syncFolder(filepath.Join(path, "missing", "log")), syscall.ENOTDIR)
	before = handles(t)
	require.NoError(t, syncFolder(path))
	require.LessOrEqual(t, handles(t), before)
}
