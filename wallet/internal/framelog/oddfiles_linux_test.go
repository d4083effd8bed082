package framelog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// sealed returns the path of a file that holds text and cannot be made shorter.
func sealed(t *testing.T, text string) (path string) {
	t.Helper()
	number, ok := map[string]uintptr{"amd64": 319, "386": 356, "arm": 385, "ppc64le": 360, "s390x": 350}[runtime.GOARCH]
	if !ok {
		number = 279
	}
	const allowSealing, addSeals, sealShrink = 2, 1033, 2
	name := []byte("sealed\x00")
	fd, _, errno := syscall.Syscall(number, uintptr(unsafe.Pointer(&name[0])), allowSealing, 0)
	require.Zero(t, errno)
	file := os.NewFile(fd, "sealed")
	t.Cleanup(func() { file.Close() })
	_, err := file.WriteString(text)
	require.NoError(t, err)
	_, _, errno = syscall.Syscall(syscall.SYS_FCNTL, fd, addSeals, sealShrink)
	require.Zero(t, errno)
	return fmt.Sprint("/proc/self/fd/", fd)
}

// failed is the operation whose failure err tells.
func failed(t *testing.T, err error) string {
	t.Helper()
	var of *os.PathError
	require.ErrorAs(t, err, &of)
	return of.Op
}

// TestLoadOfAFileThatFails: what cannot be read is not taken for an empty file, and no
// frame comes after a torn one that could not be cut off.
func TestLoadOfAFileThatFails(t *testing.T) {
	cfg := Config{Header: "h", Replay: func([]byte) error { return nil }}
	for path, op := range map[string]string{
		"/proc/self/mem":                  "read", // its first page is nobody's
		sealed(t, "h\n\x00"):              "truncate",
		sealed(t, "h\x00"):                "truncate", // the first line is torn
		filepath.Join(t.TempDir(), "a/b"): "open",
	} {
		l := &Log{cfg: cfg}
		l.cfg.Path = path
		require.Equal(t, op, failed(t, l.load()), path)
		l.file.Close()
	}
	l := &Log{cfg: cfg}
	l.cfg.Path = sealed(t, "h\n")
	require.NoError(t, l.load(), "nothing has to be cut off")
	require.NoError(t, l.file.Close())
}

// TestBeginOnAFileThatDoesNotSync: a log whose first line may be lost is not begun.
func TestBeginOnAFileThatDoesNotSync(t *testing.T) {
	const path = "/proc/self/oom_score_adj" // takes writes of what it holds, and no sync
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer file.Close()
	settled := false
	l := &Log{cfg: Config{Path: path, Header: strings.TrimSpace(string(text))}, file: file}
	l.cfg.settled = func(string) error { settled = true; return nil }
	require.Equal(t, "sync", failed(t, l.begin(nil)))
	require.False(t, settled)
}

// TestFolderThatDoesNotSync: its failure is told, for a new name may be lost.
func TestFolderThatDoesNotSync(t *testing.T) {
	require.ErrorIs(t, syncFolder("/dev/null/log"), syscall.EINVAL)
}

// TestOwnIsOfThePresentFile: between the opening of a file and its lock, another process
// may have put a new one in its place, or taken it away.
func TestOwnIsOfThePresentFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	content("")(t, path)
	l := &Log{cfg: Config{Path: path}}
	var err error
	l.file, err = os.Open(path)
	require.NoError(t, err)
	defer l.file.Close()
	require.NoError(t, l.own())
	require.NoError(t, os.Rename(path, path+".old"))
	require.ErrorIs(t, l.own(), os.ErrNotExist)
	content("")(t, path)
	require.ErrorIs(t, l.own(), ErrLocked)
	require.ErrorContains(t, l.own(), "was replaced")

	other, err := lockFile(path)
	require.NoError(t, err)
	defer other.Close()
	l.cfg.Path = path
	again, err := os.Open(path)
	require.NoError(t, err)
	defer again.Close()
	l.file = again
	require.ErrorIs(t, l.own(), ErrLocked)
}

// TestLessThanAHeaderIsTorn: whatever it holds; and a header with a wrong checksum is
// torn only if nothing was written behind it.
func TestLessThanAHeaderIsTorn(t *testing.T) {
	for n := range frameHeader {
		_, torn, err := firstFrame(bytes.Repeat([]byte{0x11}, n))
		require.True(t, torn, n)
		require.NoError(t, err)
	}
	header := bytes.Repeat([]byte{0x11}, frameHeader)
	_, torn, _ := firstFrame(header[:frameHeader:frameHeader])
	require.True(t, torn)
	_, torn, err := firstFrame(append(header, 1, 0, 0))
	require.False(t, torn)
	require.ErrorContains(t, err, "length's checksum")
}
