package wallet

import (
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileJournalOnAFullDisk: an entry that did not reach the disk is an error of Store,
// and so is a file that cannot be closed.
func TestFileJournalOnAFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := OpenFileJournal(path)
	require.NoError(t, err)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	none := limit
	none.Cur = 64
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &none))
	err = j.Store(t.Context(), 0, Entry{Schema: Schema, Key: "k", Version: 1, State: KeySent})
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
	require.ErrorIs(t, err, syscall.EFBIG)
	err = j.Store(t.Context(), 0, Entry{Schema: Schema, Key: "l", Version: 1, State: KeySent})
	require.ErrorContains(t, err, "takes nothing more")
	require.NoError(t, j.Close())
}
