package wallet

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestHintedAtIsAskedForFirst: what a node hinted at is asked for at once, ahead of what is due before it.
func TestHintedAtIsAskedForFirst(t *testing.T) {
	tr, p := trackerOn(nil), parcelOf(2)
	tr.parcels = map[*parcel]struct{}{p: {}}
	now := time.Now()
	for i, f := range p.flights {
		f.next = now.Add(time.Duration(i+1) * time.Second)
		tr.planAsk(f)
	}
	tr.soon(p.flights[1], now)
	due := tr.dueAsks(now)
	require.NotEmpty(t, due)
	require.Same(t, p.flights[1], due[0])
}

// TestDueTogether: what is to be asked of nodes within two seconds shares the turn of what is due now, the
// first due first.
func TestDueTogether(t *testing.T) {
	tr, p := trackerOn(nil), parcelOf(4)
	tr.parcels = map[*parcel]struct{}{p: {}}
	now := time.Now()
	for i, after := range []time.Duration{2001 * time.Millisecond, 2 * time.Second, 0, 0} {
		f := p.flights[i]
		f.proveAt, f.proveWait = now.Add(after), firstProof
		tr.planProof(f)
	}
	p.flights[3].proveWait = 0
	tr.forget(p.flights[3])
	tr.planProof(p.flights[3])
	require.Equal(t, []*flight{p.flights[2], p.flights[1]}, tr.dueProofs(now), "one that wants no proof is not planned")
}

// TestForgottenIsNotProven: what has come to its end is in no plan.
func TestForgottenIsNotProven(t *testing.T) {
	tr, p := trackerOn(nil), parcelOf(1)
	tr.parcels = map[*parcel]struct{}{p: {}}
	f, now := p.flights[0], time.Now()
	f.proveAt, f.proveWait, f.next = now, firstProof, now
	tr.planProof(f)
	tr.planAsk(f)
	tr.forget(f)
	require.Empty(t, tr.dueProofs(now))
	require.Empty(t, tr.dueAsks(now))
}

// TestRoundOfQuestions: a round takes so many, and leaves the others for the next.
func TestRoundOfQuestions(t *testing.T) {
	tr, p := trackerOn(nil), parcelOf(roundSize+1)
	tr.parcels = map[*parcel]struct{}{p: {}}
	now := time.Now()
	for _, f := range p.flights {
		tr.planAsk(f)
	}
	require.Len(t, tr.dueAsks(now), roundSize)
	require.Len(t, tr.dueAsks(now), 1)
}

// TestPlannedOnce: what waits at a full door and is planned again does not wait there too; what has no
// door is not sent.
func TestPlannedOnce(t *testing.T) {
	d := &door{name: "d"}
	tr, p, none := trackerOn(nil), parcelOf(1, d), parcelOf(1)
	now := time.Now()
	tr.planSend(none, now)
	_, any := tr.planned().sends.First()
	require.False(t, any)
	tr.ready(p)
	require.Equal(t, 1, tr.readyAt(d).Len())
	tr.planSend(p, now.Add(time.Hour))
	require.Zero(t, tr.readyAt(d).Len())
	tr.makeReady(now)
	require.Zero(t, tr.readyAt(d).Len())
	tr.makeReady(now.Add(time.Hour))
	require.Equal(t, 1, tr.readyAt(d).Len())
}

// TestNewsPlansTheNextTurn: a node that has shown more is asked again in two seconds.
func TestNewsPlansTheNextTurn(t *testing.T) {
	b := provingOn(t, 1)
	f := b.sent("s", 5000, 4960)
	b.tracker.parcels = map[*parcel]struct{}{f.parcel: {}}
	f.proveWait = vainProof
	before := time.Now()
	b.turn(5019, f)
	require.NotZero(t, f.evidence.Nodes[0].Seen)
	require.Equal(t, firstProof, f.proveWait)
	require.WithinDuration(t, before.Add(2*time.Second), f.proveAt, time.Since(before))
	require.Equal(t, []*flight{f}, b.dueProofs(f.proveAt))
}

// TestWhatAProofLacks is said from the beginning.
func TestWhatAProofLacks(t *testing.T) {
	require.Contains(t, (&tracker{}).lacks(EntryStep{}), "no node is configured")
	require.Equal(t, "no node was asked yet", provingOn(t, 1).lacks(EntryStep{}))
	require.NotEmpty(t, provingOn(t, 1).lacks(EntryStep{Evidence: &walletfi.Evidence{}}))
}

// TestPaceOfProofs: the pauses between two turns of questions double, up to five seconds; up to 40 for
// what has had no news for long.
func TestPaceOfProofs(t *testing.T) {
	b, now := provingOn(t, 1), time.Now()
	f := b.sent("s", 5000, 0)
	require.Zero(t, b.untilNews(f))
	for _, row := range []struct {
		quiet time.Duration
		waits []time.Duration
	}{
		{0, []time.Duration{2 * time.Second, 4 * time.Second, 5 * time.Second, 5 * time.Second}},
		{80 * time.Second, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 10 * time.Second, 10 * time.Second}},
		{time.Hour, []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 40 * time.Second, 40 * time.Second}},
	} {
		f.since, f.proveWait = now.Add(-row.quiet), firstProof
		for _, wait := range row.waits {
			b.pace(f, now)
			require.Equal(t, now.Add(wait), f.proveAt, row.quiet)
		}
	}
}

// TestWhatIsMore: a node that shows what it had not shown is asked again soon; one that shows a value
// that it still holds is not.
func TestWhatIsMore(t *testing.T) {
	for name, row := range map[string]struct {
		was, is walletfi.NodeEvidence
		more    bool
	}{
		"nothing":                {},
		"seen":                   {is: walletfi.NodeEvidence{Seen: 1}, more: true},
		"gone":                   {is: walletfi.NodeEvidence{Gone: made(5000)}, more: true},
		"an earlier end":         {was: walletfi.NodeEvidence{Bound: 2}, is: walletfi.NodeEvidence{Bound: 1}, more: true},
		"an absence":             {is: walletfi.NodeEvidence{Nulls: make([]walletfi.Null, 1)}, more: true},
		"what used the nonce":    {is: walletfi.NodeEvidence{UsedBy: "s"}, more: true},
		"the value, first":       {is: walletfi.NodeEvidence{Held: Head{Slot: 1}}, more: true},
		"the value, still":       {was: walletfi.NodeEvidence{Held: Head{Slot: 1}}, is: walletfi.NodeEvidence{Held: Head{Slot: 2}}},
		"the value is taken off": {was: walletfi.NodeEvidence{Held: Head{Slot: 1}}},
	} {
		require.Equal(t, row.more, more(row.was, row.is), name)
	}
}

// TestTurnEndsItsQuestions: nothing of a turn goes on at a node after it.
func TestTurnEndsItsQuestions(t *testing.T) {
	b := provingOn(t, 1)
	require.NoError(t, b.prover.Refresh(t.Context(), 0))
	var mu sync.Mutex
	var calls []context.Context
	b.nodes[0].Hear = func(ctx context.Context, question string) error {
		mu.Lock()
		defer mu.Unlock()
		if question == "valid" {
			calls = append(calls, ctx)
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.LessOrEqual(t, time.Until(deadline), passTimeout)
		}
		return nil
	}
	b.mu.Lock()
	b.askNode(t.Context(), 0, []*flight{b.sent("s", 5000, 4960)})
	b.mu.Unlock()
	b.calls.Wait()
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, calls, 1)
	require.ErrorIs(t, calls[0].Err(), context.Canceled)
}

// TestEvidenceIsKeptOnTheWay: what nodes have shown of a transaction is in the journal before it comes to
// an end, so that the next process need not ask for it again.
func TestEvidenceIsKeptOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, j := working(t, KeySent)
		way := e.journey()
		f := way.load(t.Context(), []int{0}, nil, true).flights[0]
		var done sync.WaitGroup
		done.Go(func() { way.keep(t.Context(), nil, nil) })
		synctest.Wait()
		require.Empty(t, j.stored)
		e.w.tracker.mu.Lock()
		f.evidence.Nodes = []walletfi.NodeEvidence{{Node: "n", Seen: 7}}
		f.tell()
		e.w.tracker.mu.Unlock()
		synctest.Wait()
		require.Len(t, j.stored, 1)
		require.Equal(t, f.evidence.Nodes, j.stored[0].Steps[0].Evidence.Nodes)
		f.done(f)
		done.Wait()
		require.Len(t, j.stored, 1)
	})
}

// TestOutcomeThatCannotBeRead: another Execute may have paid since. What is confirmed stays so.
func TestOutcomeThatCannotBeRead(t *testing.T) {
	for was, want := range map[KeyState]State{
		KeyReleased: StateUnknown, KeyExpired: StateUnknown, KeyFailed: StateUnknown, KeyConfirmed: StateConfirmed,
	} {
		e, j := working(t, was)
		j.load = func(Entry) (Entry, error) { return Entry{}, errAway }
		o := (&follower{e: e}).outcome(t.Context())
		require.Equal(t, want, o.State, was)
		require.Equal(t, want, o.Steps[0].State, was)
	}
}

// TestLedgerThatIsNotWritten: what another process wrote and this one could not read is read next time.
func TestLedgerThatIsNotWritten(t *testing.T) {
	j := &noted{MemoryJournal: NewMemoryJournal()}
	e := Entry{Schema: Schema, Key: ledgerKey, Version: 1, State: KeyConfirmed, Ledger: &Ledger{Genesis: "genesis"}}
	require.NoError(t, j.Store(t.Context(), 0, e))
	r := &record{w: &Wallet{journal: j}, entry: e}
	grow := func(l *Ledger) { l.Final = made(5000) }
	j.store, j.load = ErrFenced, func(Entry) (Entry, error) { return Entry{}, errAway }
	require.ErrorIs(t, r.write(grow), errAway)
	require.Equal(t, e, r.entry, "as it was read last")
	j.load = func(Entry) (Entry, error) { return Entry{Key: ledgerKey}, nil }
	require.ErrorIs(t, r.write(grow), ErrFenced, "it has no ledger")
	j.store, j.load = nil, nil
	require.NoError(t, r.write(grow))
	require.Equal(t, &Ledger{Genesis: "genesis", Final: made(5000)}, r.entry.Ledger)
}

// TestResolutionThatIsNotKept: the word of an operator counts once the journal has it.
func TestResolutionThatIsNotKept(t *testing.T) {
	e, j := working(t, KeyInDoubt)
	e.w.running = map[string]*follower{}
	r := Resolution{State: StateExpired, Signatures: []string{"a"}, By: "me", Reason: "the explorer"}
	j.store = errAway
	require.ErrorIs(t, e.w.Resolve(t.Context(), "a", r), errAway)
	j.store, j.load = nil, func(Entry) (Entry, error) { return Entry{}, errAway }
	require.ErrorIs(t, e.w.Resolve(t.Context(), "a", r), errAway)
	j.load = nil
	require.NoError(t, e.w.Resolve(t.Context(), "a", r))
	kept, err := j.Load(t.Context(), "key:a")
	require.NoError(t, err)
	require.Equal(t, KeyExpired, kept.State)
}

// TestValueThatIsNoJSON is not stored, whatever its errors are.
func TestValueThatIsNoJSON(t *testing.T) {
	_, err := marshalWith(make(chan int), nil)
	require.Error(t, err)
	_, err = marshalWith(make(chan int), []besideJSON{{"error", new(error(errAway))}})
	require.Error(t, err)
}

// TestTextOfAnotherShape: what was stored by something else is an error, and changes nothing.
func TestTextOfAnotherShape(t *testing.T) {
	for _, text := range []string{`[]`, `{"state": 7}`, `{"error": 7}`, `{"state": "failed", "error": {"message": 7}}`} {
		s := Step{Signature: "s", Err: errAway}
		require.Error(t, json.Unmarshal([]byte(text), &s), text)
		require.Equal(t, Step{Signature: "s", Err: errAway}, s, text)
	}
}
