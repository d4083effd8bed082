package wallet

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
)

// TestNewestBlockIsWrittenNowAndThen: each 150 slots, once the ledger is known, and again after a write.
func TestNewestBlockIsWrittenNowAndThen(t *testing.T) {
	j := &noted{MemoryJournal: NewMemoryJournal()}
	e := Entry{Schema: Schema, Key: ledgerKey, Version: 1, State: KeyConfirmed, Ledger: &Ledger{Final: made(5000)}}
	require.NoError(t, j.MemoryJournal.Store(t.Context(), 0, e))
	r := &record{w: &Wallet{journal: j, tracker: trackerOn(nil)}, entry: e, writing: make(chan struct{}, 1)}
	keep := func(head Head) {
		r.Keep(head)
		r.w.tracker.calls.Wait()
	}
	keep(made(9000))
	require.Empty(t, j.stored, "of which ledger it is, is not known")
	r.entry.Ledger.Genesis = "genesis"
	keep(made(5149))
	require.Empty(t, j.stored)
	for i, slot := range []uint64{5150, 5300} {
		keep(made(slot))
		require.Len(t, j.stored, i+1)
		require.Equal(t, made(slot), j.stored[i].Ledger.Final)
		keep(made(slot + 1))
		require.Len(t, j.stored, i+1)
	}
}

// TestLedgerThatOthersWrite: a journal that another process always wrote first is given up on after three
// times.
func TestLedgerThatOthersWrite(t *testing.T) {
	j := &fencing{MemoryJournal: NewMemoryJournal()}
	e := Entry{Schema: Schema, Key: ledgerKey, State: KeyConfirmed, Ledger: &Ledger{Genesis: "genesis"}}
	j.entry = e
	r := &record{w: &Wallet{journal: j}, entry: e}
	require.ErrorIs(t, r.write(func(*Ledger) {}), ErrFenced)
	require.Equal(t, 3, j.stores)
	require.Equal(t, uint64(3), r.entry.Version, "as the other wrote it")
}

// fencing is a journal that another process always writes first.
type fencing struct {
	*MemoryJournal
	entry  Entry
	stores int
}

func (j *fencing) Store(context.Context, uint64, Entry) error {
	j.stores++
	j.entry.Version++
	return ErrFenced
}

func (j *fencing) Load(context.Context, string) (Entry, error) { return j.entry.clone(), nil }

// TestResetThatIsNotKept forgets nothing.
func TestResetThatIsNotKept(t *testing.T) {
	b := provingOn(t, 1)
	b.turn(5000)
	e := Entry{Schema: Schema, Key: ledgerKey, State: KeyConfirmed, Ledger: &Ledger{Genesis: "genesis"}}
	j := &noted{MemoryJournal: NewMemoryJournal(), store: errAway}
	w := &Wallet{journal: j, tracker: b.tracker}
	w.ledger = &record{w: w, entry: e, writing: make(chan struct{}, 1)}
	require.ErrorIs(t, w.ResetHead("me", "why"), errAway)
	require.Equal(t, made(5000-Finality), b.prover.Final())
	j.store = nil
	require.NoError(t, w.ResetHead("me", "why"))
	require.Zero(t, b.prover.Final())
	require.Len(t, j.stored, 1)
	require.Equal(t, []Reset{{By: "me", Reason: "why", At: j.stored[0].Ledger.Resets[0].At}}, j.stored[0].Ledger.Resets)
}

// TestWhatIsNotSettledIsNotAddedTo: what is found out of a key's order is written to an entry that is
// read, settled and of no newer version.
func TestWhatIsNotSettledIsNotAddedTo(t *testing.T) {
	for name, row := range map[string]struct {
		state  KeyState
		change func(*Entry)
		err    error
		writes int
	}{
		"settled":            {KeyConfirmed, func(*Entry) {}, nil, 1},
		"in doubt":           {KeyInDoubt, func(*Entry) {}, nil, 0},
		"of a newer version": {KeyConfirmed, func(e *Entry) { e.Schema = Schema + 1 }, nil, 0},
		"not read":           {KeyConfirmed, func(*Entry) {}, errAway, 0},
	} {
		e, j := working(t, row.state)
		j.load = func(e Entry) (Entry, error) {
			row.change(&e)
			return e, row.err
		}
		p := &placing{w: e.w, opts: PlaceOptions{Key: "a"}}
		p.record(t.Context(), func(next *Entry) { next.FilledLater = true })
		require.Len(t, j.stored, row.writes, name)
	}
}

// TestPresentState: a key that the journal does not have is not known; one that is open runs if its holder
// does.
func TestPresentState(t *testing.T) {
	for name, row := range map[string]struct {
		version uint64
		state   KeyState
		alive   error
		want    State
		known   bool
	}{
		"not there":         {0, KeyFree, nil, StateNotSent, false},
		"settled at once":   {1, KeyExpired, nil, StateExpired, true},
		"settled":           {2, KeyConfirmed, nil, StateConfirmed, true},
		"open, just begun":  {1, KeySigned, nil, StateRunning, true},
		"open":              {3, KeySigned, nil, StateRunning, true},
		"nobody knows":      {3, KeySigned, errAway, "", false},
		"settled by a dead": {3, KeyConfirmed, errAway, StateConfirmed, true},
	} {
		j := &holding{MemoryJournal: NewMemoryJournal(), err: row.alive}
		if row.version > 0 {
			e := Entry{Key: "key:a", Version: row.version, Holder: "another", State: row.state, Steps: []EntryStep{{State: row.state}}}
			require.NoError(t, j.Store(t.Context(), 0, e))
		}
		o, known, err := (&Wallet{journal: j, holder: "me"}).present(t.Context(), "key:a")
		if row.want == "" {
			require.ErrorIs(t, err, errAway, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, row.known, known, name)
		require.Equal(t, row.want, o.State, name)
	}
}

// holding is a journal all of whose holders are alive, or of which that is not known.
type holding struct {
	*MemoryJournal
	err error
}

func (h *holding) Alive(context.Context, string) (bool, error) { return h.err == nil, h.err }

// TestResolveABundle: all in doubt are settled alike, in whatever order they are named, and what the nodes
// have shown is kept.
func TestResolveABundle(t *testing.T) {
	for state, says := range map[State]string{StateFailed: "by the word of me", StateExpired: ""} {
		e, j := working(t, KeyInDoubt, KeyInDoubt)
		e.w.running = map[string]*follower{}
		next := e.entry.clone()
		next.Version++
		next.Steps[0].Own, next.Steps[1].Own = "z", "b"
		next.Steps[0].Evidence = &walletfi.Evidence{After: made(5000), Told: 7}
		next.Bundle = true
		require.NoError(t, j.MemoryJournal.Store(t.Context(), e.entry.Version, next))
		r := Resolution{State: state, Signatures: []string{"z", "b"}, By: "me", Reason: "the explorer"}
		require.NoError(t, e.w.Resolve(t.Context(), "a", r))
		kept, err := j.Load(t.Context(), "key:a")
		require.NoError(t, err)
		require.Equal(t, made(5000), kept.Steps[0].Evidence.After)
		for i := range kept.Steps {
			require.Equal(t, state, kept.Steps[i].State.step())
			require.Equal(t, says, kept.Steps[i].Err)
			require.Equal(t, "me", kept.Steps[i].Evidence.Vouched.By)
		}
	}
}

// TestResolveOfWhatIsHeld: a key whose holder may be alive is left alone, and one of a closed wallet.
func TestResolveOfWhatIsHeld(t *testing.T) {
	e, j := working(t, KeyInDoubt)
	e.w.running = map[string]*follower{}
	r := Resolution{State: StateExpired, Signatures: []string{"a"}, By: "me", Reason: "the explorer"}
	next := e.entry.clone()
	next.Version, next.Holder = next.Version+1, "another"
	require.NoError(t, j.MemoryJournal.Store(t.Context(), e.entry.Version, next))
	e.w.journal = &holding{j.MemoryJournal, errAway}
	require.ErrorContains(t, e.w.Resolve(t.Context(), "a", r), "ask for the status of a: away")
	e.w.closed = true
	require.ErrorIs(t, e.w.Resolve(t.Context(), "a", r), errClosed)
	require.Equal(t, KeyInDoubt, j.entries["key:a"].State)
}

// TestEvidenceOfAnEarlierVersion: what it took for the nonce's use, and for an absence of what may have
// another signature, counts no more.
func TestEvidenceOfAnEarlierVersion(t *testing.T) {
	nulls := []walletfi.Null{{AsOfSlot: 1}, {AsOfSlot: 2}}
	e := Entry{Steps: []EntryStep{{Evidence: &walletfi.Evidence{
		Nodes: []walletfi.NodeEvidence{{Node: "n", Seen: 7, UsedBy: "s", Nulls: nulls}},
	}}}}
	f := newFlight(&parcel{}, e, 0)
	require.Equal(t, []walletfi.NodeEvidence{{Node: "n", Seen: 7}}, f.evidence.Nodes)
	require.Equal(t, nulls, e.Steps[0].Evidence.Nodes[0].Nulls, "the journal's stays")
}

// TestFollowerThatWasNotCutShort: none, and one that did what it had to.
func TestFollowerThatWasNotCutShort(t *testing.T) {
	require.False(t, (*follower)(nil).cutShort())
	f := &follower{done: atwork.NewGate()}
	require.False(t, f.cutShort())
	f.stop(errors.New("the caller's time is over"))
	require.True(t, f.cutShort())
}

// TestJournalWhoseLedgerIsNotRead: a wallet is not made on a journal that does not tell of which ledger it
// is, or whose ledger a newer version wrote.
func TestJournalWhoseLedgerIsNotRead(t *testing.T) {
	open := func(e Entry, err error) error {
		b := provingOn(t, 1)
		var asked context.Context
		j := &asks{MemoryJournal: NewMemoryJournal(), load: func(ctx context.Context) (Entry, error) {
			asked = ctx
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.WithinDuration(t, time.Now().Add(2*time.Second), deadline, time.Second)
			return e, err
		}}
		opened := (&Wallet{journal: j, tracker: b.tracker}).openLedger()
		require.Error(t, asked.Err(), "the question ends")
		return opened
	}
	require.ErrorIs(t, open(Entry{}, errAway), errAway)
	known := Entry{Schema: Schema, Key: ledgerKey, Version: 1, Ledger: &Ledger{Genesis: "genesis"}}
	require.NoError(t, open(known, nil))
	known.Schema++
	require.ErrorIs(t, open(known, nil), ErrNewerJournal)
}

// asks is a journal that hears who asks.
type asks struct {
	*MemoryJournal
	load func(context.Context) (Entry, error)
}

func (j *asks) Load(ctx context.Context, _ string) (Entry, error) { return j.load(ctx) }
