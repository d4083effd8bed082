package wallet

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestDoorsOfAnEarlierProcess: those that were given the bytes and that this wallet has,
// for five minutes after signing; on a durable nonce for ever.
func TestDoorsOfAnEarlierProcess(t *testing.T) {
	c := &handClock{now: time.Now()}
	a, b := &door{name: "a"}, &door{name: "b"}
	w := &Wallet{clock: c, doors: map[string]*door{"a": a, "b": b}}
	for _, row := range []struct {
		ago   time.Duration
		nonce string
		given []string
		want  []*door
	}{
		{time.Second, "", []string{"b", "relay", "a"}, []*door{b, a}},
		{time.Second, "", nil, nil},
		{5 * time.Minute, "", []string{"a"}, []*door{a}},
		{5*time.Minute + 1, "", []string{"a"}, nil},
		{24 * time.Hour, "account", []string{"a"}, []*door{a}},
	} {
		e := Entry{SignedAt: c.now.Add(-row.ago), Steps: []EntryStep{{}, {Doors: row.given, NonceAccount: row.nonce}}}
		require.Equal(t, row.want, w.recorded(e, 1), "%v", row)
	}
}

// TestStoppedBeforeItBegan: what nobody waits for any more is not followed.
func TestStoppedBeforeItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, stopped := range []bool{true, false} {
			e, j := working(t, KeyInDoubt)
			n := &statusNode{}
			e.w.tracker = trackerOn(n)
			f := &follower{e: e, done: make(chan struct{})}
			e.free = func() { close(f.done) }
			if stopped {
				f.stop(errors.New("enough"))
			}
			f.begin()
			<-time.After(10 * time.Second)
			synctest.Wait()
			over := false
			select {
			case <-f.done:
				over = true
			default:
			}
			require.Equal(t, stopped, over, "it is followed until somebody stops it")
			f.stop(errors.New("enough"))
			<-f.done
			require.Equal(t, KeyInDoubt, j.stored[len(j.stored)-1].Steps[0].State)
			require.Empty(t, j.stored[len(j.stored)-1].Holder, "another may take it up")
			e.w.tracker.close()
		}
	})
}

// TestTakenUpByAnother: if the journal says so, the follower has nothing to do.
func TestTakenUpByAnother(t *testing.T) {
	e, j := working(t, KeyInDoubt)
	e.w.running = map[string]*follower{}
	listed := e.entry
	listed.Version--
	j.store = ErrFenced
	f := e.w.adopt(t.Context(), listed)
	require.NotNil(t, f)
	<-f.done
	require.False(t, e.w.works(listed.Key))
	require.Empty(t, j.stored)
	require.Empty(t, e.w.tracker.cargos)
	require.False(t, e.w.tracker.running)

	// What an Execute works on is not adopted, nor anything by a closed wallet.
	j.store = nil
	free, ok := e.w.occupy(listed.Key, nil)
	require.True(t, ok)
	require.Nil(t, e.w.adopt(t.Context(), e.entry))
	free()

	// Of two that adopt it at once, both get what follows it.
	faster := &follower{done: make(chan struct{})}
	listed = e.entry
	listed.Holder = "another"
	e.w.journal = meanwhile{j, func() { free, ok = e.w.occupy(listed.Key, faster) }}
	require.Same(t, faster, e.w.adopt(t.Context(), listed))
	require.True(t, ok)
	free()
	e.w.closed = true
	require.True(t, e.w.isClosed())
	require.Nil(t, e.w.adopt(t.Context(), e.entry))
}

// meanwhile is a journal that something happens in the middle of.
type meanwhile struct {
	Journal
	happens func()
}

func (j meanwhile) Alive(context.Context, string) (bool, error) {
	j.happens()
	return false, nil
}

// TestWaitForAFollower: an Execute that has to wait until the background lets go of its
// key does so no longer than its context.
func TestWaitForAFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := working(t, KeyInDoubt)
		e.w.running = map[string]*follower{}
		f := &follower{e: e, done: make(chan struct{})}
		free, ok := e.w.occupy("key:a", f)
		require.True(t, ok)
		require.True(t, e.w.works("key:a"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := e.w.begin(ctx, "key:a")
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, errInterrupted, f.stopped)
		time.AfterFunc(time.Second, func() { free(); close(f.done) })
		begun := time.Now()
		free, err = e.w.begin(t.Context(), "key:a")
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(begun))
		_, err = e.w.begin(t.Context(), "key:a")
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, "an Execute does not make way")
		free()
		e.w.closed = true
		_, err = e.w.begin(t.Context(), "key:a")
		require.ErrorIs(t, err, walletfi.ErrNotSent)
		require.ErrorContains(t, err, errClosed.Error())
	})
}

// TestUntold: only a derived key that was confirmed in the background has to be told.
func TestUntold(t *testing.T) {
	for _, row := range []struct{ derived, found, want bool }{{true, true, true}, {true, false, false}, {false, true, false}} {
		synctest.Test(t, func(t *testing.T) {
			e, j := working(t, KeyInDoubt)
			n := &statusNode{}
			n.found.Store(row.found)
			e.w.tracker = trackerOn(n)
			e.w.tracker.timeout = 10 * time.Second
			e.entry.Derived = row.derived
			f := &follower{e: e, done: make(chan struct{})}
			e.free = func() { close(f.done) }
			f.begin()
			<-f.done
			require.Equal(t, row.want, j.stored[0].Untold)
			for range 2 { // two that settle share it
				require.Len(t, f.outcome().Steps, 1)
			}
			e.w.tracker.close()
		})
	}
}

// TestGlance: one question; a second one if the first has found out since when a
// nonce or a blockhash is gone, which counts from the next answer on.
func TestGlance(t *testing.T) {
	const end = 650
	for what, row := range map[string]struct {
		spoil func(*round, *flight, *oracle)
		asked int
		want  KeyState
	}{
		"the blockhash is good":   {func(_ *round, _ *flight, o *oracle) { o.valid = true }, 1, ""},
		"the blockhash is gone":   {func(r *round, f *flight, o *oracle) { o.at = r.head.Slot + 2 }, 2, KeyExpired},
		"nobody tells blockhashs": {func(r *round, _ *flight, _ *oracle) { r.blockhash = nil }, 1, ""},
		"the nonce has another value": {func(r *round, f *flight, o *oracle) {
			f.step.NonceAccount, o.value, o.at, f.heldAt = "account", "other", r.head.Slot+2, 1
		}, 2, KeyExpired},
		"the nonce has its value": {func(r *round, f *flight, o *oracle) {
			f.step.NonceAccount, o.value, o.at = "account", "hash", r.head.Slot
		}, 1, ""},
		"it was gone at once":                        {func(r *round, f *flight, o *oracle) { o.at = r.head.Slot + 1 }, 1, KeyExpired},
		"the answers stay too old":                   {func(r *round, f *flight, o *oracle) { o.at = r.head.Slot + 9 }, 2, ""},
		"it has ended before":                        {func(_ *round, f *flight, _ *oracle) { f.finished = true; f.goneAt = 7 }, 0, ""},
		"it was gone at slot 1 already, and is good": {func(_ *round, f *flight, o *oracle) { f.goneAt, o.valid = 1, true }, 1, ""},
	} {
		t.Run(what, func(t *testing.T) {
			r, f := following(at(end + margin + 1))
			o := &oracle{at: r.head.Slot}
			r.blockhash, r.nonces = o, o
			n := &countingNode{at: r.head.Slot + 1}
			r.batch, r.commitment, r.timeout = n, walletfi.CommitmentConfirmed, time.Hour
			r.heads.last = r.head
			r.heads.asking = make(chan struct{}, 1)
			r.heads.read = func(context.Context) (Head, error) { return r.head.Head, nil }
			f.done, f.since = func(*flight) {}, time.Now()
			f.cargo.flights = []*flight{f}
			row.spoil(r, f, o)
			tr := r.tracker
			tr.sources = r.sources
			tr.glance(t.Context(), []*flight{f})
			tr.calls.Wait()
			require.Equal(t, row.asked, n.asked)
			require.Equal(t, row.want, f.verdict)
		})
	}
}

// countingNode does not know any transaction, as of one slot further each time.
type countingNode struct {
	at    uint64
	asked int
}

func (n *countingNode) SignatureStatuses(_ context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
	if len(signatures) == 0 {
		return nil, 0, nil
	}
	n.asked++
	n.at++
	return make([]walletfi.SignatureStatus, len(signatures)), n.at - 1, nil
}
