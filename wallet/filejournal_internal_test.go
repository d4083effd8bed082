package wallet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

func TestAcceptJournal(t *testing.T) {
	for header, want := range map[string]error{
		"walletfi journal 1":                     nil,
		"walletfi journal 2":                     nil,
		"walletfi journal 0":                     ErrJournalDamaged,
		"walletfi journal -1":                    ErrJournalDamaged,
		"walletfi journal ":                      ErrJournalDamaged,
		"walletfi journal 99999999999999999999":  ErrJournalDamaged,
		"1":                                      ErrJournalDamaged,
		fmt.Sprint(journalTitle, Schema+1):       ErrNewerJournal,
		fmt.Sprint("x", journalTitle, Schema):    ErrJournalDamaged,
		fmt.Sprint(journalTitle, Schema, "\x00"): ErrJournalDamaged,
	} {
		old, err := acceptJournal(header)
		require.ErrorIs(t, err, want, "%q", header)
		require.Equal(t, header == "walletfi journal 1", old == ".schema1")
	}
	_, err := acceptJournal(journalTitle + "3")
	require.ErrorContains(t, err, "schema 3, this one knows 2")
}

// TestFileJournalReplays: only entries that it knows, each after the one before.
func TestFileJournalReplays(t *testing.T) {
	for _, row := range []struct {
		frames []string
		want   error
		says   string
	}{
		{[]string{"{"}, ErrJournalDamaged, "unexpected end"},
		{[]string{`{"schema":3,"key":"k","version":1}`}, ErrNewerJournal, "schema 3, this one knows 2"},
		{[]string{`{"schema":1,"key":"k","version":3,"state":"sent"}`, `{"schema":2,"key":"k","version":4,"state":"sent"}`}, nil, ""},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		log, err := framelog.Open(journalConfig(framelog.Config{Path: path}).Config)
		require.NoError(t, err)
		for _, frame := range row.frames {
			appendTo(t, log, frame)
		}
		require.NoError(t, log.Close())
		j, err := OpenFileJournal(path)
		require.ErrorIs(t, err, row.want)
		if row.want != nil {
			require.ErrorContains(t, err, row.says)
			continue
		}
		e, err := j.Load(t.Context(), "k")
		require.NoError(t, err)
		require.Equal(t, uint64(4), e.Version)
		require.NoError(t, j.Close())
	}
}

// TestFileJournalTellsOfFailure: what could not be written is an error of the call that
// stored it, and of what comes after.
func TestFileJournalTellsOfFailure(t *testing.T) {
	j, err := OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
	require.NoError(t, err)
	unwritable := Entry{Schema: Schema, Key: "k", Version: 1, State: KeySent, Since: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}
	require.ErrorContains(t, j.Store(t.Context(), 0, unwritable), "year outside of range")
	for e := range j.List(t.Context(), Query{}) {
		require.Fail(t, "kept, and the file has it not", e.Key)
	}
	good := Entry{Schema: Schema, Key: "k", Version: 1, State: KeySent}
	require.NoError(t, j.Store(t.Context(), 0, good))
	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
	good.Key = "another"
	require.ErrorIs(t, j.Store(t.Context(), 0, good), framelog.ErrClosed)
	require.ErrorIs(t, j.Prune(t.Context(), time.Now()), framelog.ErrClosed)
}

// appendTo writes a frame, whatever it says.
func appendTo(t *testing.T, log *framelog.Log, text string) {
	t.Helper()
	written, err := log.Queue([]byte(text))
	require.NoError(t, err)
	require.NoError(t, written())
}

// TestMembersOfANewerVersionStay: an entry keeps what this version does not know of it, in
// the log and among the settled ones, over compactions and openings.
func TestMembersOfANewerVersionStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	log, err := framelog.Open(journalConfig(framelog.Config{Path: path}).Config)
	require.NoError(t, err)
	for _, state := range []KeyState{KeySent, KeyConfirmed} {
		text := fmt.Sprintf(`{"schema":2,"key":"%s","version":3,"state":"%[1]s","later":{"what comes":["%[1]s"]}}`, state)
		appendTo(t, log, text)
	}
	require.NoError(t, log.Close())
	for range 3 {
		j, err := OpenFileJournal(path)
		require.NoError(t, err)
		require.NoError(t, j.Prune(t.Context(), time.Time{}))
		require.NoError(t, j.Close())
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, state := range []KeyState{KeySent, KeyConfirmed} {
			require.Equal(t, 1, strings.Count(string(content), fmt.Sprintf(`"later":{"what comes":["%s"]}`, state)))
		}
	}
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

// TestReplayOfAnEntryThatIsDropped: as Store drops it, also if it was moved to the settled
// ones before.
func TestReplayOfAnEntryThatIsDropped(t *testing.T) {
	for _, compacted := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "journal")
		j, err := OpenFileJournal(path)
		require.NoError(t, err)
		e := Entry{Schema: Schema, Key: "k", Version: 3, State: KeyConfirmed, Derived: true, Untold: true}
		require.NoError(t, j.Store(t.Context(), 0, e))
		if compacted {
			require.NoError(t, j.Prune(t.Context(), time.Time{}))
		}
		e.Version, e.Untold = 4, false
		require.NoError(t, j.Store(t.Context(), 3, e))
		for range 2 {
			left, err := j.Load(t.Context(), "k")
			require.NoError(t, err)
			require.Zero(t, left.Version, "what is settled and droppable is dropped")
			require.NoError(t, j.Close())
			j, err = OpenFileJournal(path)
			require.NoError(t, err)
		}
		require.NoError(t, j.Close())
	}
}
