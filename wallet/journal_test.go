package wallet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
	"github.com/walletfi/walletfi-go/wallet/journaltest"
)

func TestMemoryJournal(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journaltest.Store {
		j := wallet.NewMemoryJournal()
		return journaltest.Store{Open: func(*testing.T) wallet.Journal { return j }}
	})
}

func TestFileJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Store {
		path := filepath.Join(t.TempDir(), "journal")
		open := func(t *testing.T) wallet.Journal { return openJournal(t, path) }
		return journaltest.Store{Open: open, Single: true, Reopen: func(t *testing.T) wallet.Journal {
			// A copy, as the first is still open.
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			path = filepath.Join(t.TempDir(), "copy")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			return open(t)
		}}
	})
}

// compacted is a journal whose settled entries are on disk alone as soon as they are stored.
type compacted struct{ *wallet.FileJournal }

func (j compacted) Store(ctx context.Context, was uint64, e wallet.Entry) error {
	err := j.FileJournal.Store(ctx, was, e)
	if err == nil && e.State.Settled() {
		err = j.Prune(ctx, time.Time{})
	}
	return err
}

func TestFileJournalOnDisk(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journaltest.Store {
		path := filepath.Join(t.TempDir(), "journal")
		open := func(t *testing.T) wallet.Journal { return compacted{openJournal(t, path)} }
		return journaltest.Store{Open: open, Single: true, Reopen: func(t *testing.T) wallet.Journal {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			path = filepath.Join(t.TempDir(), "copy")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			return open(t)
		}}
	})
}

func openJournal(t *testing.T, path string) *wallet.FileJournal {
	t.Helper()
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })
	return j
}

func TestFileJournalIsForOneProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	openJournal(t, path)
	_, err := wallet.OpenFileJournal(path)
	require.ErrorIs(t, err, wallet.ErrJournalInUse)
}

func TestFileJournalRefusesWhatItDoesNotKnow(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"newer":      {"walletfi journal 3\n", wallet.ErrNewerJournal},
		"cut short":  {"walletfi journal 2\n", wallet.ErrJournalDamaged},
		"much newer": {"walletfi journal 10\nwhatever comes", wallet.ErrNewerJournal},
		"other":      {"#!/bin/sh\n", wallet.ErrJournalDamaged},
		"no number":  {"walletfi journal x\n", wallet.ErrJournalDamaged},
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(c.content), 0o600))
		_, err := wallet.OpenFileJournal(path)
		require.ErrorIs(t, err, c.want, name)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.content, string(content), "it was left as it was")
	}
}

// TestFileJournalIsCompacted stores many versions of few keys.
func TestFileJournalIsCompacted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	transaction := walletfi.Base64Transaction(strings.Repeat("A", 4000))
	for i := range uint64(600) {
		e := wallet.Entry{Schema: wallet.Schema, Key: fmt.Sprint(i % 3), Version: i + 1, State: wallet.KeySent}
		e.Steps = []wallet.EntryStep{{State: wallet.KeySent, Transaction: transaction}}
		require.NoError(t, j.Store(t.Context(), max(i, 2)-2, e), i)
	}
	require.Eventually(t, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() < 600*4000/2
	}, time.Minute, time.Millisecond)
	require.NoError(t, j.Close())
	j = openJournal(t, path)
	for i := range uint64(3) {
		e, err := j.Load(t.Context(), fmt.Sprint(i))
		require.NoError(t, err)
		require.Equal(t, 598+i, e.Version)
	}
}

func TestPrune(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := wallet.OpenFileJournal(path)
	require.NoError(t, err)
	now := time.Now()
	for key, e := range map[string]wallet.Entry{
		"old":  {State: wallet.KeyConfirmed, Since: now.Add(-time.Hour)},
		"open": {State: wallet.KeyInDoubt, Since: now.Add(-time.Hour)},
		"new":  {State: wallet.KeyConfirmed, Since: now},
	} {
		e.Schema, e.Key, e.Version = wallet.Schema, key, 1
		require.NoError(t, j.Store(t.Context(), 0, e))
	}
	require.NoError(t, j.Prune(t.Context(), now.Add(-time.Minute)))
	require.NoError(t, j.Close())
	j = openJournal(t, path)
	for key, want := range map[string]uint64{"old": 0, "open": 1, "new": 1} {
		e, err := j.Load(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, want, e.Version, key)
	}
}
