package wallet

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// noted is a journal that fails as a test says and notes what it was given.
type noted struct {
	*MemoryJournal
	stored []Entry
	load   func(Entry) (Entry, error)
	store  error
}

func (j *noted) Store(ctx context.Context, was uint64, e Entry) error {
	if j.store != nil {
		return j.store
	}
	j.stored = append(j.stored, e)
	return j.MemoryJournal.Store(ctx, was, e)
}

func (j *noted) Load(ctx context.Context, key string) (Entry, error) {
	e, err := j.MemoryJournal.Load(ctx, key)
	if j.load != nil {
		return j.load(e)
	}
	return e, err
}

// working is an execution of a key whose steps are in some states, on a journal that
// has it so.
func working(t *testing.T, states ...KeyState) (*execution, *noted) {
	t.Helper()
	j := &noted{MemoryJournal: NewMemoryJournal()}
	e := Entry{Key: "key:a", Version: 7, Holder: "me", State: KeyClaimed}
	for i, s := range states {
		e.Steps = append(e.Steps, EntryStep{State: s, Own: string(rune('a' + i)), Signature: string(rune('a' + i)), Transaction: "AQ=="})
	}
	if len(states) > 0 {
		e.State = e.front()
	}
	require.NoError(t, j.MemoryJournal.Store(t.Context(), 0, e))
	w := &Wallet{journal: j, holder: "me", tracker: trackerOn(nil)}
	return &execution{w: w, entry: e, result: &Result{Steps: resultSteps(e)}, free: func() {}}, j
}

// TestNothingIsRecordedThatDoesNotFollow: a step that cannot come next is neither
// written nor done.
func TestNothingIsRecordedThatDoesNotFollow(t *testing.T) {
	e, j := working(t, KeyConfirmed, KeyConfirmed)
	err := e.depart([]int{1}, []*door{{name: "d"}})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "what the journal has was not undone")
	require.ErrorContains(t, err, `transaction 2: "send" does not follow on "confirmed"`)
	require.Equal(t, 1, err.(*StepError).Index)
	require.Empty(t, j.stored)

	e, j = working(t, KeySigned, KeySigned)
	flown := &flight{verdict: KeyConfirmed, evidence: &walletfi.Evidence{}}
	err = e.landed([]int{0}, map[int]*flight{0: flown})
	require.NoError(t, err, "the ledger has said it")
	require.ErrorContains(t, e.result.Unrecorded, `transaction 1: "confirm" does not follow on "signed"`)
	require.Empty(t, j.stored)

	e, j = working(t, KeySent)
	e.giveUp()
	require.Empty(t, j.stored)
	e, j = working(t, KeySigned, KeySent)
	require.Error(t, e.stop(0, walletfi.ErrNotSent))
	require.Empty(t, j.stored, "the second may have left")

	e, j = working(t)
	require.ErrorContains(t, e.store(t.Context(), func(next *Entry) error { return next.move(evSend) }), `key "key:a": "send" does not follow on "claimed"`)
	require.Empty(t, j.stored)
	e.giveUp()
	require.Len(t, j.stored, 1)
	require.Equal(t, KeyReleased, j.stored[0].State)
	require.Equal(t, uint64(8), j.stored[0].Version)
}

// TestRecall: a write whose answer was lost is undone only if the journal has this
// wallet's entry, with that write or without it.
func TestRecall(t *testing.T) {
	for what, row := range map[string]struct {
		state KeyState // that the journal has
		load  func(Entry) (Entry, error)
		store error
		want  bool
	}{
		"not taken":          {state: KeySigned, want: true},
		"taken":              {state: KeySent, load: func(e Entry) (Entry, error) { return e, nil }, want: true},
		"no answer":          {state: KeySigned, load: func(e Entry) (Entry, error) { return e, errors.New("away") }},
		"another's":          {state: KeySigned, load: func(e Entry) (Entry, error) { e.Holder = "other"; return e, nil }},
		"two versions later": {state: KeySigned, load: func(e Entry) (Entry, error) { e.Version += 2; return e, nil }},
		"a version before":   {state: KeySigned, load: func(e Entry) (Entry, error) { e.Version--; return e, nil }},
		"confirmed since":    {state: KeyConfirmed},
		"not taken again":    {state: KeySigned, store: errors.New("away")},
	} {
		t.Run(what, func(t *testing.T) {
			e, j := working(t, row.state, KeySigned)
			if what == "taken" {
				// The journal is a version ahead of what this execution knows.
				e.entry.Version--
				e.entry.Steps[0].State, e.entry.State = KeySigned, KeySigned
			}
			j.load, j.store = row.load, row.store
			require.Equal(t, row.want, e.recall([]int{0}))
			if !row.want {
				require.Empty(t, j.stored)
				return
			}
			require.Len(t, j.stored, 1)
			require.Equal(t, KeyReleased, j.stored[0].Steps[0].State)
			require.Empty(t, j.stored[0].Steps[0].Transaction)
		})
	}
}

// TestLettingGo: what is in doubt is given to whoever comes; what is settled, or
// another's, is left as it is.
func TestLettingGo(t *testing.T) {
	for what, row := range map[string]struct {
		state  KeyState
		holder string
		want   int
	}{
		"in doubt": {KeyInDoubt, "me", 1}, "settled": {KeyConfirmed, "me", 0}, "another's": {KeyInDoubt, "other", 0},
	} {
		e, j := working(t, row.state)
		freed := false
		e.entry.Holder, e.free = row.holder, func() { freed = true }
		e.release()
		require.True(t, freed, what)
		require.Len(t, j.stored, row.want, what)
		if row.want > 0 {
			require.Empty(t, j.stored[0].Holder)
			require.Equal(t, row.state, j.stored[0].State)
		}
	}
}

// TestFirstOfABundle: of several that failed the error names the first.
func TestFirstOfABundle(t *testing.T) {
	e, j := working(t, KeySent, KeySent, KeySent)
	broken := errors.New("broken")
	flights := map[int]*flight{0: {verdict: KeyConfirmed}, 1: {verdict: KeyFailed, cause: ErrFailed}, 2: {verdict: KeyInDoubt, cause: broken}}
	for i, f := range flights {
		f.step, f.evidence = e.entry.Steps[i], &walletfi.Evidence{}
	}
	err := e.landed([]int{0, 1, 2}, flights)
	stopped, ok := errors.AsType[*StepError](err)
	require.True(t, ok)
	require.Equal(t, 1, stopped.Index)
	require.Equal(t, StateFailed, stopped.State)
	require.ErrorIs(t, e.result.Steps[2].Err, walletfi.ErrOutcomeUnknown)
	require.NotErrorIs(t, e.result.Steps[1].Err, walletfi.ErrOutcomeUnknown)
	require.Equal(t, []KeyState{KeyConfirmed, KeyFailed, KeyInDoubt}, []KeyState{j.stored[0].Steps[0].State, j.stored[0].Steps[1].State, j.stored[0].Steps[2].State})
}

// TestEvidenceIsKept: what nodes have shown is written with the verdict, as it was then; where none
// has shown anything, what the entry has stays.
func TestEvidenceIsKept(t *testing.T) {
	e, j := working(t, KeySent, KeySent)
	was := &walletfi.Evidence{Told: 9}
	e.entry.Steps[1].Evidence = was
	shown := &walletfi.Evidence{Nodes: []walletfi.NodeEvidence{{Node: "n"}}}
	_ = e.landed([]int{0, 1}, map[int]*flight{
		0: {verdict: KeyInDoubt, step: e.entry.Steps[0], evidence: shown},
		1: {verdict: KeyInDoubt, step: e.entry.Steps[1], evidence: &walletfi.Evidence{Told: 10}},
	})
	require.Len(t, j.stored, 1)
	shown.Nodes[0].Node = "another"
	require.Equal(t, "n", j.stored[0].Steps[0].Evidence.Nodes[0].Node)
	require.Equal(t, was, j.stored[0].Steps[1].Evidence)
}

// TestApply: what is in doubt stays so without a word, what comes after the first that
// is not confirmed is released, and what does not follow is refused.
func TestApply(t *testing.T) {
	entry := func(states ...KeyState) *Entry {
		e := &Entry{Key: "key:a"}
		for _, s := range states {
			e.Steps = append(e.Steps, EntryStep{State: s, Transaction: "AQ=="})
		}
		return e
	}
	says := func(verdicts map[int]KeyState) map[int]*flight {
		all := map[int]*flight{}
		for i, v := range verdicts {
			all[i] = &flight{verdict: v, step: EntryStep{Signature: "s"}, status: walletfi.SignatureStatus{Slot: 7, Err: "x"}}
		}
		return all
	}
	for what, row := range map[string]struct {
		was      []KeyState
		verdicts map[int]KeyState
		want     []KeyState
		err      string
	}{
		"confirmed":                  {[]KeyState{KeySent, KeySigned}, map[int]KeyState{0: KeyConfirmed}, []KeyState{KeyConfirmed, KeySigned}, ""},
		"failed":                     {[]KeyState{KeySent, KeySigned, KeySigned}, map[int]KeyState{0: KeyFailed}, []KeyState{KeyFailed, KeyReleased, KeyReleased}, ""},
		"one of two failed":          {[]KeyState{KeySent, KeySent, KeySigned}, map[int]KeyState{0: KeyFailed, 1: KeyConfirmed}, []KeyState{KeyFailed, KeyConfirmed, KeyReleased}, ""},
		"in doubt":                   {[]KeyState{KeySent, KeySigned}, map[int]KeyState{0: KeyInDoubt}, []KeyState{KeyInDoubt, KeyReleased}, ""},
		"still in doubt":             {[]KeyState{KeyInDoubt}, map[int]KeyState{0: KeyInDoubt}, []KeyState{KeyInDoubt}, ""},
		"no verdict":                 {[]KeyState{KeySent}, map[int]KeyState{0: KeyFree}, []KeyState{KeySent}, ""},
		"refused and in doubt":       {[]KeyState{KeyInDoubt}, map[int]KeyState{0: KeyReleased}, nil, `transaction 1: "refuse" does not follow on "in_doubt"`},
		"confirmed before sent":      {[]KeyState{KeySigned, KeySigned}, map[int]KeyState{1: KeyConfirmed}, nil, `transaction 2: "confirm" does not follow on "signed"`},
		"in doubt before it is sent": {[]KeyState{KeySigned}, map[int]KeyState{0: KeyInDoubt}, nil, `transaction 1: "doubt" does not follow on "signed"`},
	} {
		e := entry(row.was...)
		err := e.apply(says(row.verdicts))
		if row.err != "" {
			require.EqualError(t, err, row.err, what)
			continue
		}
		require.NoError(t, err, what)
		for i, s := range e.Steps {
			require.Equal(t, row.want[i], s.State, what)
			require.Equal(t, s.State.Settled(), s.Transaction == "", what)
			if _, told := row.verdicts[i]; told {
				require.Equal(t, EntryStep{State: s.State, Transaction: s.Transaction, Signature: "s", Slot: 7, Err: "x"}, s, what)
			}
		}
	}
}

// TestFrontOfASet: what may be on the ledger comes first, then the first that is not
// confirmed.
func TestFrontOfASet(t *testing.T) {
	for _, row := range []struct {
		steps []KeyState
		want  KeyState
	}{
		{nil, KeyConfirmed}, {[]KeyState{KeyConfirmed, KeyConfirmed}, KeyConfirmed},
		{[]KeyState{KeyConfirmed, KeyFailed, KeyReleased}, KeyFailed}, {[]KeyState{KeyReleased, KeyInDoubt}, KeyInDoubt},
		{[]KeyState{KeyReleased, KeySent}, KeySent}, {[]KeyState{KeySent, KeyInDoubt}, KeyInDoubt}, {[]KeyState{KeyConfirmed, KeySigned}, KeySigned},
	} {
		var e Entry
		for _, s := range row.steps {
			e.Steps = append(e.Steps, EntryStep{State: s})
		}
		require.Equal(t, row.want, e.front(), "%v", row.steps)
	}
	require.Equal(t, KeyReleased, KeyClaimed.takenOver())
	require.Equal(t, KeyReleased, KeySigned.takenOver())
	require.Equal(t, KeyInDoubt, KeySent.takenOver())
}

// TestJournalThatIsAwayTheSecondTime: a key that the caller did not name is looked up
// again after it was settled, because the journal may have dropped it. Without an answer
// nothing is signed.
func TestJournalThatIsAwayTheSecondTime(t *testing.T) {
	e, j := working(t, KeyInDoubt)
	e.entry.Derived = true
	e.entry.Version++
	require.NoError(t, j.MemoryJournal.Store(t.Context(), e.entry.Version-1, e.entry))
	loads, away := 0, errors.New("away")
	j.load = func(e Entry) (Entry, error) {
		if loads++; loads > 1 {
			return e, away
		}
		return e, nil
	}
	e.w.tracker.batch = failedNode{}
	fresh := Entry{Schema: Schema, Key: "key:a", State: KeyClaimed, Holder: "me", Derived: true}
	_, err := e.claim(t.Context(), fresh, walletfi.Unsigned{}, nil)
	require.ErrorIs(t, err, away)
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	require.ErrorContains(t, err, "nothing was signed, because the journal does not answer: away")
	require.Equal(t, 2, loads)
}

// failedNode says of everything that it has failed.
type failedNode struct{}

func (failedNode) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	all := make([]walletfi.SignatureStatus, len(signatures))
	for i := range all {
		all[i] = walletfi.SignatureStatus{Found: true, Err: "Custom", Commitment: walletfi.CommitmentFinalized}
	}
	return walletfi.SignatureStatuses{Statuses: all, AsOfSlot: 7}, nil
}

// TestValuesOfTwo: those of the caller come first.
func TestValuesOfTwo(t *testing.T) {
	type key string
	tracker := context.WithValue(context.WithValue(t.Context(), key("a"), "tracker"), key("b"), "tracker")
	v := valuesOf{tracker, context.WithValue(t.Context(), key("a"), "caller")}
	require.Equal(t, "caller", v.Value(key("a")))
	require.Equal(t, "tracker", v.Value(key("b")))
	require.Nil(t, v.Value(key("c")))
}

// TestOneEntryForTwo: the memory journal and the execution share what they keep of a payment. A change
// that is not written reaches neither, and a caller of Store keeps what is its own.
func TestOneEntryForTwo(t *testing.T) {
	j := NewMemoryJournal()
	given := Entry{
		Key: "key:a", State: KeySigned,
		Steps: []EntryStep{{State: KeySigned, Own: "a", Doors: []string{"d"}, Evidence: &walletfi.Evidence{Told: 7}}},
	}
	given.Version = 1
	require.NoError(t, j.Store(t.Context(), 0, given))
	want := given.clone()
	given.Steps[0].Own, given.Steps[0].Doors[0], given.Steps[0].Evidence.Told = "b", "e", 8
	kept, err := j.Load(t.Context(), "key:a")
	require.NoError(t, err)
	require.Equal(t, want, kept)

	e := &execution{w: &Wallet{journal: j}, entry: kept}
	spoil := func(next *Entry) error {
		next.Steps[0].Own, next.Steps[0].Doors[0], next.Steps[0].Evidence.Told = "b", "e", 8
		return next.move(evClaim)
	}
	require.NoError(t, e.store(t.Context(), func(next *Entry) error { return next.move(evSend) }))
	want.Schema, want.Version, want.State, want.Steps[0].State = Schema, 2, KeySent, KeySent
	require.Error(t, e.store(t.Context(), spoil))
	after, err := j.Load(t.Context(), "key:a")
	require.NoError(t, err)
	require.Equal(t, want, after)
	require.Equal(t, want, e.entry)
	require.Same(t, e.entry.Steps[0].Evidence, j.entries["key:a"].Steps[0].Evidence, "kept once")
}
