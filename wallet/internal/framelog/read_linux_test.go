package framelog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// folder returns what the files of a log hold, by name.
func folder(t *testing.T, path string) map[string]string {
	t.Helper()
	found := map[string]string{}
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	for _, f := range list {
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), f.Name()))
		require.NoError(t, err)
		found[f.Name()] = string(text)
	}
	return found
}

// framesIn counts the frames of a file by their lengths alone.
func framesIn(t *testing.T, path string) (n uint64) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	for b = b[strings.Index(string(b), "\n")+1:]; len(b) > 0; n++ {
		b = b[frameHeader+binary.LittleEndian.Uint32(b):]
	}
	return n
}

// reading replays a log that is only read.
func reading(path string, change ...func(*Config)) (found Content, file File, seen []string, err error) {
	cfg := Config{Path: path, Header: "frames 1", Accept: Only("frames 1"), Replay: func(b []byte) error {
		seen = append(seen, string(b))
		return nil
	}}
	for _, f := range change {
		f(&cfg)
	}
	found, file, err = Read(cfg)
	return found, file, seen, err
}

// TestRead: a log is read while it is open, before and after a compaction, torn or whole, and nothing of
// it is changed.
func TestRead(t *testing.T) {
	l, _ := opened(t)
	path := l.cfg.Path
	check := func(torn int64, want ...string) {
		t.Helper()
		was := folder(t, path)
		before := handles(t)
		found, file, seen, err := reading(path)
		require.NoError(t, err)
		require.Equal(t, want, seen)
		require.Equal(t, int64(len(was["log"])), found.Size)
		require.Equal(t, torn, found.Torn)
		require.False(t, found.Old)
		text, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<20))
		require.NoError(t, err, "it is the caller's")
		require.Equal(t, was["log"], string(text))
		require.NoError(t, file.Close())
		require.LessOrEqual(t, handles(t), before)
		require.Equal(t, was, folder(t, path))
		if torn == 0 {
			require.Equal(t, framesIn(t, path), found.Frames)
		}
	}
	check(0)
	for _, text := range []string{"a", "b", "c"} {
		require.NoError(t, l.Append([]byte(text)))
	}
	check(0, "a", "b", "c")
	require.NoError(t, compact(l, "b", "c"))
	check(0, "b", "c")
	require.NoError(t, l.Append([]byte("d")))
	require.NoError(t, l.Append([]byte("e")))
	check(0, "b", "c", "d", "e")
	cut, err := l.Mark()()
	require.NoError(t, err)
	old, err := l.Replace(cut, func(c *Chain) ([]byte, error) { // frames that are not replayed
		return []byte("1"), errors.Join(c.Append([]byte("kept")), c.Append([]byte("too")))
	}, [][]byte{[]byte("d")})
	require.NoError(t, err)
	require.NoError(t, old.Close())
	require.NoError(t, l.Append([]byte("f")))
	check(0, "d", "f")
	require.NoError(t, l.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	content(string(whole)+"torn")(t, path)
	check(4, "d", "f")
	content(string(whole))(t, path)
	require.NoError(t, os.Remove(path+".head"))
	check(0, "d", "f")
}

// TestReadOfABeginning: a file whose first line was cut short has nothing yet, unless something is known of it.
func TestReadOfABeginning(t *testing.T) {
	for _, text := range []string{"", "fra", "fra\x00\x00"} {
		path := filepath.Join(t.TempDir(), "log")
		content(text)(t, path)
		found, file, seen, err := reading(path)
		require.NoError(t, err)
		require.Empty(t, seen)
		require.Equal(t, Content{Size: int64(len(text))}, found)
		require.NoError(t, file.Close())

		l, _ := opened(t)
		require.NoError(t, l.Append([]byte("a")))
		require.NoError(t, l.Close())
		content(text)(t, l.cfg.Path)
		before := handles(t)
		_, file, _, err = reading(l.cfg.Path)
		require.ErrorIs(t, err, ErrRolledBack)
		require.Nil(t, file)
		require.LessOrEqual(t, handles(t), before)
		_, err = Open(l.cfg)
		require.ErrorIs(t, err, ErrRolledBack)
	}
}

// TestReadThatFails: with the reason; no file is handed out and no handle is left.
func TestReadThatFails(t *testing.T) {
	refused := errors.New("not this one")
	for name, row := range map[string]struct {
		text   string
		spoil  func(t *testing.T, path string)
		change func(*Config)
		is     error
		says   string
	}{
		"nothing":                  {is: os.ErrNotExist},
		"no folder":                {change: func(cfg *Config) { cfg.Path += "/deeper/log" }, is: os.ErrNotExist},
		"another kind":             {text: "another", is: ErrCorrupt},
		"another header":           {text: strings.Replace(fileOf(), "1", "2", 1), is: ErrCorrupt, says: "begins with"},
		"no first frame":           {text: "frames 1\n", is: ErrCorrupt, says: "is missing or cut short"},
		"a first frame of no kind": {text: withBase([]byte("{")), is: ErrCorrupt, says: "unexpected end of JSON input"},
		"no bytes": {text: fileOf(), is: syscall.EIO, change: func(cfg *Config) {
			cfg.Calls = Calls{}.OrSystem()
			open := cfg.Calls.Open
			cfg.Calls.Open = func(path string, flag int) (File, error) {
				file, err := open(path, flag)
				return deaf{file, -1}, err
			}
		}},
		"a length beyond its frame": {text: fileOf([]byte{2, 'x'}), is: ErrCorrupt},
		"what is refused": {
			text: fileOf([]byte{1, 'x'}), change: func(cfg *Config) { cfg.Replay = func([]byte) error { return refused } }, is: refused,
		},
		"a head of another log": {
			text: fileOf(), is: ErrRolledBack, spoil: func(t *testing.T, path string) {
				h := head{frames: 1, hash: hashOf([]byte("a")), id: hashOf([]byte("b"))}
				content(string(h.line()))(t, path+".head")
			},
		},
		"a head that differs before the end": {
			text: fileOf([]byte{1, 'x'}, []byte{1, 'y'}), is: ErrRolledBack, says: "up to frame 1",
			spoil: func(t *testing.T, path string) {
				h := head{frames: 1, hash: hashOf([]byte("a")), id: hashOf(nil)}
				content(string(make([]byte, headApart))+string(h.line()))(t, path+".head")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			if row.text != "" {
				content(row.text)(t, path)
			}
			if row.spoil != nil {
				row.spoil(t, path)
			}
			before := handles(t)
			found, file, _, err := reading(path, func(cfg *Config) {
				if row.change != nil {
					row.change(cfg)
				}
			})
			require.ErrorIs(t, err, row.is)
			require.Nil(t, file)
			require.LessOrEqual(t, handles(t), before)
			require.ErrorContains(t, err, row.says)
			if row.text != "" && name != "a head of another log" {
				require.Equal(t, int64(len(row.text)), found.Size, "what is read of it")
			}
		})
	}
}

// TestReadThatFailsAtAnyCall: each call of the disk that fails is told, but those of the head's lines, of
// which one is enough. No handle is left.
func TestReadThatFailsAtAnyCall(t *testing.T) {
	l, _ := opened(t)
	require.NoError(t, l.Append([]byte("a")))
	require.NoError(t, l.Close())
	failures := 0
	for at := 1; ; at++ {
		f := &faulty{Calls: Calls{}.OrSystem(), at: at}
		before := handles(t)
		_, file, seen, err := reading(l.cfg.Path, func(cfg *Config) { cfg.Calls = f.calls() })
		if err == nil {
			require.Equal(t, []string{"a"}, seen)
			require.NoError(t, file.Close())
		} else {
			failures++
			require.ErrorIs(t, err, syscall.EIO, "call %d", at)
			require.Nil(t, file)
		}
		require.LessOrEqual(t, handles(t), before)
		if f.n < at {
			break
		}
	}
	require.GreaterOrEqual(t, failures, 4)
}

// TestOpenedFolder: no lock is left next to a folder.
func TestOpenedFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.Mkdir(path, 0o700))
	_, err := Open(Config{Path: path})
	require.ErrorContains(t, err, "is a folder")
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, list, 1)
}

// TestEachLogIsAnother: a new log is told from any other one, also if both are new.
func TestEachLogIsAnother(t *testing.T) {
	one, _ := opened(t)
	other, _ := opened(t)
	require.NotEqual(t, one.id, other.id)
	require.NotEqual(t, make([]byte, hashSize), one.id)
	for _, l := range []*Log{one, other} {
		require.NoError(t, l.Append([]byte("a")))
		require.NoError(t, l.Close())
	}
	text, err := os.ReadFile(other.cfg.Path)
	require.NoError(t, err)
	content(string(text))(t, one.cfg.Path)
	_, err = Open(one.cfg)
	require.ErrorIs(t, err, ErrRolledBack)
}

// TestOpenClosesWhatItReplaces: the file whose first line was cut short.
func TestOpenClosesWhatItReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	content("fra")(t, path)
	before := handles(t)
	l, _ := opened(t, func(cfg *Config) { cfg.Path = path })
	require.NoError(t, l.Close())
	require.LessOrEqual(t, handles(t), before)
}

// TestOldFormat: its frames have no hash. It is read as it is, and nothing is known of it until it was
// replaced.
func TestOldFormat(t *testing.T) {
	text := []byte("frames 0\n")
	for _, payload := range []string{"\x01a", "\x01b"} {
		frame := (&Place{}).add([]byte(payload))
		frame = append(frame[:oldHeader], payload...)
		binary.LittleEndian.PutUint32(frame[8:], crc32.Checksum([]byte(payload), castagnoli))
		text = append(text, frame...)
	}
	path := filepath.Join(t.TempDir(), "log")
	content(string(text))(t, path)
	steps := func(cfg *Config) {
		cfg.Path = path
		cfg.Accept = func(header string) (string, error) { return ".old", nil }
	}
	found, file, seen, err := reading(path, steps)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.True(t, found.Old)
	require.Equal(t, []any{int64(len(text)), int64(0), uint64(2)}, []any{found.Size, found.Torn, found.Frames})
	require.Equal(t, []string{"a", "b"}, seen)
	for range 2 {
		l, seen := opened(t, steps)
		require.Equal(t, []string{"a", "b"}, *seen)
		require.NoError(t, l.Close())
	}
}
