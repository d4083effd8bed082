package wallet_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet"
)

func entryIn(key string, version uint64, state wallet.KeyState) wallet.Entry {
	return wallet.Entry{
		Schema: wallet.Schema, Key: key, Version: version, State: state, Since: time.Unix(1, 0).UTC(),
		Steps: []wallet.EntryStep{{State: state, Own: "own " + key}},
	}
}

// TestReadFileJournal: beside a wallet that has it open, as it was when it was opened, also
// if its file has been replaced since.
func TestReadFileJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	_, err := wallet.ReadFileJournal(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	files, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Empty(t, files, "it makes none")

	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	defer j.Close()
	for i := range 20 {
		state := []wallet.KeyState{wallet.KeySent, wallet.KeyConfirmed}[i%2]
		require.NoError(t, j.Store(t.Context(), 0, entryIn(fmt.Sprint("key:", i), 1, state)))
	}
	require.NoError(t, j.Prune(t.Context(), time.Time{})) // the settled ones are in the file alone
	require.NoError(t, j.Store(t.Context(), 0, entryIn("intent:a", 1, wallet.KeyInDoubt)))
	files, err = filepath.Glob(path + "*")
	require.NoError(t, err)
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := wallet.ReadFileJournal(path)
	require.NoError(t, err)
	defer r.Close()
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
	again, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Equal(t, files, again)

	require.NoError(t, j.Store(t.Context(), 1, entryIn("key:0", 2, wallet.KeyFailed)))
	require.NoError(t, j.Prune(t.Context(), time.Time{}))
	for key, version := range map[string]uint64{"0": 1, "1": 1, "key:1": 1, "intent:a": 1, "a": 0, "": 0} {
		e, err := r.Load(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, version, e.Version, key)
	}
	for q, want := range map[bool]int{false: 21, true: 11} {
		seen := 0
		for e, err := range r.List(t.Context(), wallet.Query{Open: q}) {
			require.NoError(t, err)
			require.Equal(t, uint64(1), e.Version)
			seen++
		}
		require.Equal(t, want, seen)
	}
	require.NoError(t, r.Close())
	_, err = r.Load(t.Context(), "1")
	require.ErrorIs(t, err, os.ErrClosed)
}
