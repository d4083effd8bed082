package wallet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// TestFileIsAsMemory: whatever is stored, settled, claimed again, dropped and pruned, over
// compactions and openings, a file holds and lists what a journal in memory does.
func TestFileIsAsMemory(t *testing.T) {
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 2))
		states := []KeyState{KeyClaimed, KeySigned, KeySent, KeyInDoubt, KeyConfirmed, KeyFailed, KeyExpired, KeyReleased}
		files := hastyFiles(filepath.Join(t.TempDir(), "journal"))
		files.CompactAt = 3000
		m := NewMemoryJournal()
		j, err := openFileJournal(files)
		require.NoError(t, err)
		name := func(kind string) string { return fmt.Sprint(kind, random.IntN(6)) }
		for step := range 1500 {
			key := name("k")
			was, err := m.Load(t.Context(), key)
			require.NoError(t, err)
			e := Entry{
				Schema: Schema, Key: key, Version: was.Version + 1, State: states[random.IntN(len(states))], Derived: random.IntN(2) == 0,
				Untold: random.IntN(2) == 0, Since: time.Unix(int64(random.IntN(100)), int64(random.IntN(3))).UTC(), Intent: name("i"),
			}
			for range random.IntN(3) {
				e.Steps = append(e.Steps, EntryStep{Own: name("s"), Signature: name("s")})
			}
			require.NoError(t, j.Store(t.Context(), was.Version, e))
			require.NoError(t, m.Store(t.Context(), was.Version, e))
			require.ErrorIs(t, j.Store(t.Context(), was.Version+7, e), ErrFenced)
			switch random.IntN(60) {
			case 0:
				before := time.Unix(int64(random.IntN(60)), 0)
				require.NoError(t, j.Prune(t.Context(), before))
				m.Prune(t.Context(), before)
			case 1, 2:
				require.NoError(t, j.Prune(t.Context(), time.Time{}))
			case 3:
				require.NoError(t, j.Close())
				_, err := VerifyFileJournal(files.Path)
				require.NoError(t, err)
				j, err = openFileJournal(files)
				require.NoError(t, err)
			}
			if step%5 == 0 {
				sameAs(t, m, j, name)
			}
		}
		require.NoError(t, j.Close())
	}
}

func sameAs(t *testing.T, m *MemoryJournal, j *FileJournal, name func(string) string) {
	for n := range 6 {
		want, _ := m.Load(t.Context(), fmt.Sprint("k", n))
		got, err := j.Load(t.Context(), fmt.Sprint("k", n))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	two := []string{name("s"), name("s"), "", "none"}
	for _, q := range []Query{
		{}, {Open: true}, {Intent: name("i")}, {Signatures: two}, {Signatures: two, Open: true}, {Signatures: two, Intent: name("i")},
	} {
		var lists [2][]Entry
		for i, of := range []Journal{m, j} {
			last := time.Time{}
			for e, err := range of.List(context.Background(), q) {
				require.NoError(t, err)
				require.False(t, e.Since.Truncate(time.Microsecond).Before(last), "the oldest first")
				last = e.Since.Truncate(time.Microsecond)
				lists[i] = append(lists[i], e)
			}
			slices.SortFunc(lists[i], func(a, b Entry) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
		}
		require.Equal(t, lists[0], lists[1], "%+v", q)
	}
}

// settledOf makes a journal of the settled entries from one on and returns its file.
func settledOf(t *testing.T, path string, from, to int) []byte {
	t.Helper()
	j, err := OpenFileJournal(path)
	require.NoError(t, err)
	for i := from; i < to; i++ {
		require.NoError(t, j.Store(t.Context(), 0, paid(i, 1, KeyConfirmed)))
	}
	require.NoError(t, j.Prune(t.Context(), time.Time{}))
	require.NoError(t, j.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

// tellsRight opens a journal, and reports whether what it says of its settled entries is right
// or an error. An error of one entry is no word about another.
func tellsRight(t *testing.T, path string, n int) (right bool) {
	t.Helper()
	j, err := openFileJournal(hastyFiles(path))
	if err != nil {
		return errors.Is(err, ErrJournalDamaged) || errors.Is(err, ErrJournalRolledBack)
	}
	defer j.Close()
	for i := range n {
		want := paid(i, 1, KeyConfirmed)
		got, err := j.Load(t.Context(), want.Key)
		if err != nil && !errors.Is(err, ErrJournalDamaged) || err == nil && got.Version != 1 {
			return false
		}
		if err := j.Store(t.Context(), 0, want); !errors.Is(err, ErrFenced) && !errors.Is(err, ErrJournalDamaged) {
			return false // it would be paid again
		}
		for _, err := range j.List(t.Context(), Query{Signatures: []string{want.Steps[0].Own}}) {
			if err != nil && !errors.Is(err, ErrJournalDamaged) {
				return false
			}
		}
	}
	return true
}

// TestSettledEntriesThatAreDamaged: a changed byte anywhere, and records that were swapped,
// cut out, repeated or put back from before, are an error, and never an entry that is not
// there. To verify the file tells of each.
func TestSettledEntriesThatAreDamaged(t *testing.T) {
	const n = 6
	path := filepath.Join(t.TempDir(), "journal")
	whole := settledOf(t, path, 0, n)
	verified := func(what string, content []byte) {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		check, err := VerifyFileJournal(path)
		require.Error(t, err, what)
		if errors.Is(err, ErrJournalDamaged) && check.Damage != nil {
			require.Equal(t, path, check.Damage.File)
			require.Less(t, check.Damage.At, int64(len(whole)))
		}
		require.True(t, tellsRight(t, path, n), what)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for at := 0; at < len(whole); at += 1 + random.IntN(2+at/80) {
		changed := slices.Clone(whole)
		changed[at] ^= 1 << random.IntN(8)
		verified(fmt.Sprint("byte ", at), changed)
	}
	first := bytes.Index(whole, []byte(`{"schema":2`)) - 28 - 18 - 4*8
	record := (bytes.Index(whole, []byte("order 1")) - bytes.Index(whole, []byte("order 0"))) // all are as long
	of := func(i int) []byte { return whole[first+i*record : first+(i+1)*record] }
	with := func(records ...[]byte) []byte {
		return slices.Concat(append(append([][]byte{whole[:first]}, records...), whole[first+n*record:])...)
	}
	require.Equal(t, whole, with(of(0), of(1), of(2), of(3), of(4), of(5)))
	verified("swapped", with(of(0), of(2), of(1), of(3), of(4), of(5)))
	verified("cut out", with(of(0), of(2), of(3), of(4), of(5)))
	verified("repeated", with(of(0), of(1), of(1), of(2), of(3), of(4), of(5)))
	verified("in place of another", with(of(0), of(1), of(1), of(3), of(4), of(5)))
	for cut := first; cut < len(whole); cut += 97 {
		verified(fmt.Sprint("cut short at ", cut), whole[:cut])
	}
	other := settledOf(t, filepath.Join(t.TempDir(), "other"), 1, n+1)
	verified("the records of another journal", slices.Concat(whole[:first+record], other[first+record:]))
	require.NoError(t, os.WriteFile(path, whole, 0o600))
	_, err := VerifyFileJournal(path)
	require.NoError(t, err)
}

// failingDisk is a disk of which the n-th call fails.
func failingDisk(files framelog.Config, fails func() bool) framelog.Config {
	system := framelog.Calls{}.OrSystem()
	files.Calls = system
	files.Calls.Open = func(path string, flag int) (framelog.File, error) {
		if fails() {
			return nil, syscall.EIO
		}
		file, err := system.Open(path, flag)
		if err != nil {
			return nil, err
		}
		return failingFile{hasty{file}, fails}, nil
	}
	files.Calls.Rename = func(from, to string) error {
		if fails() {
			return syscall.EIO
		}
		return system.Rename(from, to)
	}
	files.Calls.SyncFolder = func(path string) error {
		if fails() {
			return syscall.EIO
		}
		return nil
	}
	return files
}

type failingFile struct {
	hasty
	fails func() bool
}

func (f failingFile) WriteAt(b []byte, at int64) (int, error) {
	if f.fails() {
		n, _ := f.hasty.WriteAt(b[:len(b)/2], at)
		return n, syscall.ENOSPC
	}
	return f.hasty.WriteAt(b, at)
}

func (f failingFile) ReadAt(b []byte, at int64) (int, error) {
	if f.fails() {
		return 0, syscall.EIO
	}
	return f.hasty.ReadAt(b, at)
}

// TestCompactionThatFailsAtAnyCall: what was stored is there, now and when the journal is
// opened again, and Store goes on unless it is not known which file a crash would leave.
func TestCompactionThatFailsAtAnyCall(t *testing.T) {
	for at, failed, ended := 1, true, 0; failed; at++ {
		n := 0
		files := failingDisk(framelog.Config{Path: filepath.Join(t.TempDir(), "journal")}, func() bool { n--; return n == 0 })
		j, err := openFileJournal(files)
		require.NoError(t, err)
		for i := range 4 {
			require.NoError(t, j.Store(t.Context(), 0, paid(i, 1, KeyConfirmed)))
			require.NoError(t, j.Prune(t.Context(), time.Time{}))
		}
		again := paid(1, 2, KeyExpired)
		require.NoError(t, j.Store(t.Context(), 1, again))
		n = at
		err = j.Prune(t.Context(), time.Unix(1, 0))
		failed, n = err != nil, 0
		ok := func() {
			for i := range 4 {
				e, err := j.Load(t.Context(), paid(i, 1, KeySent).Key)
				require.NoError(t, err)
				if failed && ended == 0 || i > 0 {
					require.Equal(t, []uint64{1, 2, 1, 1}[i], e.Version, "call %d: %d", at, i)
				}
			}
		}
		ok()
		if err := j.Store(t.Context(), 0, paid(9, 1, KeySent)); err != nil {
			require.ErrorContains(t, err, "takes nothing more")
			ended++
		}
		require.NoError(t, j.Close())
		_, err = VerifyFileJournal(files.Path)
		require.NoError(t, err)
		j, err = openFileJournal(files)
		require.NoError(t, err)
		ok()
		require.NoError(t, j.Close())
		if !failed {
			require.Greater(t, at, 6)
			require.Equal(t, 1, ended, "the sync of the folder")
		}
	}
}

// TestListOutlivesACompaction: a list goes on in the file that it began in, and has what was
// changed meanwhile as it is now.
func TestListOutlivesACompaction(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	settledOf(t, path, 0, 5)
	j, err := OpenFileJournal(path)
	require.NoError(t, err)
	defer j.Close()
	var seen []string
	for e, err := range j.List(t.Context(), Query{}) {
		require.NoError(t, err)
		if len(seen) == 0 {
			changed := paid(2, 2, KeyClaimed)
			require.NoError(t, j.Store(t.Context(), 1, changed))
			require.NoError(t, j.Store(t.Context(), 0, paid(7, 1, KeyConfirmed)))
			dropped := paid(3, 2, KeyConfirmed)
			dropped.Derived = true
			require.NoError(t, j.Store(t.Context(), 1, dropped))
			require.NoError(t, j.Prune(t.Context(), time.Time{}))
			require.NoError(t, j.Prune(t.Context(), time.Time{}))
		}
		seen = append(seen, fmt.Sprint(e.Key, " ", e.Version))
	}
	require.Equal(t, []string{"c/order 0 1", "c/order 1 1", "c/order 2 2", "c/order 4 1"}, seen)
}
