package framelog

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

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
