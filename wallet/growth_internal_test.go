package wallet

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// paid is an entry of one payment of two transactions.
func paid(n int, version uint64, state KeyState) Entry {
	e := Entry{
		Schema: Schema, Key: fmt.Sprint("c/order ", n), Version: version, State: state, Intent: fmt.Sprint("intent ", n),
		Since: time.Unix(int64(n), 0).UTC(), Asked: walletfi.Intent{Service: "lending", Owner: "owner"},
	}
	for i := range 2 {
		s := EntryStep{State: state, Own: fmt.Sprintf("own-%080d-%d", n, i)}
		s.Signature = s.Own
		if state == KeySent {
			s.Transaction = walletfi.Base64Transaction(strings.Repeat("A", 10_000))
		}
		e.Steps = append(e.Steps, s)
	}
	return e
}

// TestPaymentsDoNotSlowTheNext: what a payment asks of a journal in memory looks at no
// entry that was settled before it.
func TestPaymentsDoNotSlowTheNext(t *testing.T) {
	const unit = 500
	m := NewMemoryJournal()
	for round := 1; round <= 8; round++ {
		for n := (round - 1) * unit; n < round*unit; n++ {
			for version, state := range []KeyState{KeySent, KeyConfirmed} {
				require.NoError(t, m.Store(t.Context(), uint64(version), paid(n, uint64(version+1), state)))
			}
		}
		for i := range 3 {
			require.NoError(t, m.Store(t.Context(), uint64(round-1), paid(-1-i, uint64(round), KeySent)))
		}
		if round&(round-1) != 0 {
			continue
		}
		require.Len(t, m.candidates(Query{Open: true}), 3, "at %d payments", round*unit)
		require.Len(t, m.candidates(Query{Signatures: []string{paid(7, 1, KeySent).Steps[0].Own, "none"}}), 1)
		require.Len(t, m.selected(Query{}), round*unit+3)
	}
	m.Prune(t.Context(), time.Unix(8*unit, 0))
	require.Len(t, m.entries, 3, "what is open stays")
	require.Len(t, m.signed, 6)
}

// TestBytesWithoutAKeyPayOnceForLong: what landed is known while its blockhash lives, at hundreds a second,
// and not for ever.
func TestBytesWithoutAKeyPayOnceForLong(t *testing.T) {
	const known, most = 300 * 90, 1 << 16
	m := NewMemoryJournal()
	hash := func(n int) string { return fmt.Sprint("hash ", n) }
	for n := range 3 * most {
		step := EntryStep{State: KeyConfirmed, Own: fmt.Sprint("own ", n), Hash: hash(n)}
		e := Entry{Key: "intent:", Version: 1, State: KeyConfirmed, Derived: true, Steps: []EntryStep{step}}
		require.NoError(t, m.Store(t.Context(), 0, e))
		if n%1_000 == 999 && n > known {
			require.True(t, m.hasLanded(hash(n-known)))
		}
	}
	require.False(t, m.hasLanded(hash(0)))
	require.False(t, m.hasLanded(hash(2*most-1)), "more than %d are kept", most)
}

// TestFileHoldsWhatIsKept: of a settled payment less than 1,000 bytes, without its
// transactions, and nothing of one that was pruned.
func TestFileHoldsWhatIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	j, err := OpenFileJournal(path)
	require.NoError(t, err)
	defer j.Close()
	const n = 200
	var all sync.WaitGroup
	for n := range n {
		all.Go(func() {
			for version, state := range []KeyState{KeySent, KeyConfirmed} {
				if err := j.Store(t.Context(), uint64(version), paid(n, uint64(version+1), state)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	size := func(before time.Time) int64 {
		require.NoError(t, j.Prune(t.Context(), before))
		info, err := os.Stat(path)
		require.NoError(t, err)
		return info.Size()
	}
	none := int64(len(journalTitle) + 2 + 1<<10 + 3*28 + 2<<12) // the first frames, and the index
	require.InDelta(t, 700, (size(time.Time{})-none)/n, 200, "bytes a settled payment")
	require.Less(t, size(time.Unix(n-10, 0))-none, int64(10_000), "what was pruned is not in the file")
	count := 0
	for _, err := range j.List(t.Context(), Query{}) {
		require.NoError(t, err)
		count++
	}
	require.Equal(t, 10, count)
}

// sizeOf is the size of a file.
func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

// TestFileIsBounded: however often keys change, the file has at most 1 MiB beyond what it
// stands for, and what was written while it was rewritten.
func TestFileIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	j, err := OpenFileJournal(path)
	require.NoError(t, err)
	for version := range uint64(300) {
		require.NoError(t, j.Store(t.Context(), version, paid(1, version+1, KeySent)))
	}
	// What was due is written beside the writers.
	require.Eventually(t, func() bool { return sizeOf(t, path) < 1<<20+128<<10 }, time.Minute, time.Millisecond, "300 versions of 20 KB are 6 MB")
	require.NoError(t, j.Close())
}

// TestUnfilledIsNotPruned: the transactions of an order that the service still has to
// fill are confirmed, and its key must not be built again.
func TestUnfilledIsNotPruned(t *testing.T) {
	j := NewMemoryJournal()
	for n, end := range []*walletfi.OrderEnd{nil, {Filled: true}, {State: "cancelled"}} {
		e := paid(n, 1, KeyConfirmed)
		e.FilledLater, e.End = true, end
		require.NoError(t, j.Store(t.Context(), 0, e))
	}
	j.Prune(t.Context(), time.Unix(1000, 0))
	require.Equal(t, []string{paid(0, 1, KeyConfirmed).Key}, slices.Collect(maps.Keys(j.entries)))
}

// TestIndexes: whatever is stored, dropped and pruned, a list has the entries that a walk
// over all would select.
func TestIndexes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	states := []KeyState{KeyClaimed, KeySigned, KeySent, KeyInDoubt, KeyConfirmed, KeyFailed, KeyExpired, KeyReleased}
	j := NewMemoryJournal()
	signature := func() string { return fmt.Sprint("s", random.IntN(6)) }
	for step := range 4000 {
		key := fmt.Sprint("k", random.IntN(8))
		was := j.entries[key].Version
		e := Entry{
			Schema: Schema, Key: key, Version: was + 1, State: states[random.IntN(len(states))], Derived: random.IntN(2) == 0,
			Since: time.Unix(int64(random.IntN(100)), 0),
		}
		for range random.IntN(3) {
			s := EntryStep{Own: signature()}
			if random.IntN(2) == 0 {
				s.Signature = signature()
			}
			e.Steps = append(e.Steps, s)
		}
		require.NoError(t, j.Store(t.Context(), was, e))
		require.ErrorIs(t, j.Store(t.Context(), was+7, e), ErrFenced)
		if step%100 == 0 {
			j.Prune(t.Context(), time.Unix(int64(random.IntN(100)), 0))
		}
		for _, q := range []Query{{}, {Open: true}, {Signatures: []string{signature(), signature()}}, {Open: true, Signatures: []string{signature()}}} {
			var want, got []string
			for key, e := range j.entries {
				if q.Selects(e) {
					want = append(want, key)
				}
			}
			for e, err := range j.List(context.Background(), q) {
				require.NoError(t, err)
				got = append(got, e.Key)
			}
			require.ElementsMatch(t, want, got)
		}
	}
	j.Prune(t.Context(), time.Unix(1000, 0))
	for key := range j.entries {
		require.False(t, j.entries[key].State.Settled())
		j.remove(key)
	}
	require.Empty(t, j.open)
	require.Empty(t, j.signed)
}
