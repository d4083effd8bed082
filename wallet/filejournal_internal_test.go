package wallet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

func TestAcceptJournal(t *testing.T) {
	for header, want := range map[string]error{
		"walletfi journal 1":                     nil,
		"walletfi journal 0":                     ErrJournalDamaged,
		"walletfi journal -1":                    ErrJournalDamaged,
		"walletfi journal ":                      ErrJournalDamaged,
		"walletfi journal 99999999999999999999":  ErrJournalDamaged,
		"1":                                      ErrJournalDamaged,
		fmt.Sprint(journalTitle, Schema+1):       ErrNewerJournal,
		fmt.Sprint("x", journalTitle, Schema):    ErrJournalDamaged,
		fmt.Sprint(journalTitle, Schema, "\x00"): ErrJournalDamaged,
	} {
		require.ErrorIs(t, acceptJournal(header), want, "%q", header)
	}
	require.ErrorContains(t, acceptJournal(journalTitle+"2"), "schema 2, this one knows 1")
}

// TestFileJournalReplays: only entries that it knows, each after the one before.
func TestFileJournalReplays(t *testing.T) {
	for _, row := range []struct {
		frame string
		want  error
		says  string
	}{
		{"{", ErrJournalDamaged, "unexpected end"},
		{`{"schema":2,"key":"k","version":1}`, ErrNewerJournal, "schema 2, this one knows 1"},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		log, err := framelog.Open(framelog.Config{Path: path, Header: journalTitle + "1"})
		require.NoError(t, err)
		require.NoError(t, log.Append([]byte(row.frame)))
		require.NoError(t, log.Close())
		_, err = OpenFileJournal(path)
		require.ErrorIs(t, err, row.want)
		require.ErrorContains(t, err, row.says)
	}
	j := &FileJournal{}
	require.NoError(t, j.replay([]byte(`{"schema":1,"key":"k","version":3,"state":"sent"}`)))
	require.NoError(t, j.replay([]byte(`{"schema":1,"key":"k","version":4,"state":"sent"}`)))
	require.Equal(t, uint64(4), j.entries["k"].Version)
}

// unwritable is an entry that JSON cannot hold.
func unwritable() Entry {
	return Entry{Schema: Schema, Key: "k", Version: 1, State: KeySent, Since: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// TestFileJournalTellsOfFailure: what could not be written is an error of the call that
// stored it, of the snapshot that holds it, and of what comes after.
func TestFileJournalTellsOfFailure(t *testing.T) {
	j, err := OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	require.ErrorContains(t, j.Store(t.Context(), 0, unwritable()), "year outside of range")
	require.Empty(t, j.entries, "nothing was kept that the file has not")

	good := Entry{Schema: Schema, Key: "k", Version: 1, State: KeySent}
	require.NoError(t, j.Store(t.Context(), 0, good))
	full := errors.New("no room")
	require.Equal(t, full, j.snapshot(func([]byte) error { return full }))
	j.entries["k"] = unwritable()
	require.ErrorContains(t, j.snapshot(func([]byte) error { return nil }), "year outside of range")
	require.ErrorContains(t, j.Prune(time.Now()), "year outside of range")

	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
	good.Key = "another"
	require.ErrorIs(t, j.Store(t.Context(), 0, good), framelog.ErrClosed)
	require.ErrorIs(t, j.Prune(time.Now()), framelog.ErrClosed)
	require.ErrorIs(t, (&FileJournal{log: &framelog.Log{}}).Close(), os.ErrInvalid, "it has no file to close")
}

// TestListSkipsWhatChanged: an entry that was dropped, or no longer fits, while the
// list is read.
func TestListSkipsWhatChanged(t *testing.T) {
	j := NewMemoryJournal()
	put := func(was uint64, key string, state KeyState) {
		require.NoError(t, j.Store(t.Context(), was, Entry{Schema: Schema, Key: key, Version: was + 1, State: state}))
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		put(0, key, KeySent)
	}
	var keys []string
	for e, err := range j.List(t.Context(), Query{Open: true}) {
		require.NoError(t, err)
		keys = append(keys, e.Key)
		if e.Key == "a" {
			put(1, "b", KeyConfirmed)
			delete(j.entries, "c")
		}
	}
	require.Equal(t, []string{"a", "d"}, keys)
	for range j.List(t.Context(), Query{}) {
		break // and nothing is yielded after it
	}
}

// TestListIsOfOneMoment: what begins to be asked for while the list is read is not in it.
// With one signature it looks only at the keys of that one.
func TestListIsOfOneMoment(t *testing.T) {
	j := NewMemoryJournal()
	put := func(was uint64, key, intent string) {
		require.NoError(t, j.Store(t.Context(), was, Entry{
			Schema: Schema, Key: key, Version: was + 1, State: KeySent, Intent: intent, Steps: []EntryStep{{Own: key, Signature: key}},
		}))
	}
	put(0, "a", "asked")
	put(0, "b", "another")
	var keys []string
	for e, err := range j.List(t.Context(), Query{Intent: "asked"}) {
		require.NoError(t, err)
		keys = append(keys, e.Key)
		put(1, "b", "asked")
	}
	require.Equal(t, []string{"a"}, keys)
	require.Equal(t, []string{"b"}, j.candidates(Query{Signatures: []string{"b"}}))
	require.Equal(t, []string{"a", "b"}, j.selected(Query{Intent: "asked"}))
}

// TestRenewEndsALease: a lease of nothing is none, and is forgotten.
func TestRenewEndsALease(t *testing.T) {
	j := NewMemoryJournal()
	for lease, want := range map[time.Duration]int{-1: 0, 0: 0, 1: 1, time.Hour: 1} {
		require.NoError(t, j.Renew(t.Context(), "h", time.Hour))
		require.NoError(t, j.Renew(t.Context(), "h", lease))
		require.Len(t, j.alive, want, lease)
	}
}

// TestReplayOfAnEntryThatIsDropped: as Store drops it.
func TestReplayOfAnEntryThatIsDropped(t *testing.T) {
	j := &FileJournal{}
	require.NoError(t, j.replay([]byte(`{"schema":1,"key":"k","version":3,"state":"sent"}`)))
	require.Len(t, j.entries, 1)
	require.NoError(t, j.replay([]byte(`{"schema":1,"key":"k","version":4,"state":"confirmed","derived":true}`)))
	require.Empty(t, j.entries, "what is settled and droppable is dropped")
}
